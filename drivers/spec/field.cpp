#include "drivers/spec/field.hpp"

#include <cmath>

namespace qcd
{

Codec<int> whole_number(int low, int high, std::string type)
{
    const auto parse = [low, high](const std::string& text, const std::string& option) {
        const std::optional<int> n = parse_number<int>(text);
        if (!n || *n < low || *n > high)
            throw Error(fmt::format("{}: {} is not a whole number from {} to {}", option,
                                    qcd::quoted(text), low, high));
        return *n;
    };
    return {parse, [](int n) { return std::to_string(n); }, std::move(type)};
}

Codec<double> real_number(std::function<bool(double)> good, const std::string& must,
                          std::string type)
{
    const auto parse = [good = std::move(good), must](const std::string& text,
                                                      const std::string& option) {
        const std::optional<double> x = parse_number<double>(text);
        if (!x || !std::isfinite(*x) || !good(*x))
            throw Error(fmt::format("{}: {} is not {}", option, qcd::quoted(text), must));
        return *x;
    };
    return {parse, [](double x) { return fmt::format("{}", x); }, std::move(type)};
}

Codec<std::string> text(std::string type)
{
    return {[](const std::string& s, const std::string&) { return s; },
            [](const std::string& s) { return s; }, std::move(type)};
}

Codec<std::string> folder(std::string type)
{
    Codec<std::string> codec = text(std::move(type));
    codec.parse = [](const std::string& text, const std::string&) {
        std::string folder = text;
        while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
        return folder;
    };
    return codec;
}

Codec<Extents> extents(std::string type)
{
    return {[](const std::string& text, const std::string& option) {
                return parse_extents(text, option);
            },
            [](const Extents& e) { return to_string(e); }, std::move(type)};
}

Codec<long> memory()
{
    const auto parse = [](const std::string& text, const std::string& option) {
        const char unit = text.empty() ? ' ' : text.back();
        const int shift = unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
        const auto n = parse_number<long>(text.substr(0, text.size() - !text.empty()));
        if (shift == 0 || !n || *n < 1 || *n > (1L << 50 >> shift))
            throw Error(
                fmt::format("{}: {} is no size such as 512M or 2G", option, qcd::quoted(text)));
        return *n << shift;
    };
    return {parse, [](long bytes) { return fmt::format("{}M", bytes >> 20); }, "SIZE"};
}

} // namespace qcd
