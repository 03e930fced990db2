#include "drivers/spec/field.hpp"

#include <cmath>

namespace qcd
{

Codec<int> whole_number(int low, int high, std::string type)
{
    const auto read = [low, high](const std::string& text) {
        const std::optional<int> n = parse_number<int>(text);
        return n && *n >= low && *n <= high ? n : std::nullopt;
    };
    return codec<int>(
        read, fmt::format("is not a whole number from {} to {}", low, high),
        [](int n) { return std::to_string(n); }, std::move(type));
}

Codec<double> real_number(std::function<bool(double)> good, const std::string& must,
                          std::string type)
{
    const auto read = [good = std::move(good)](const std::string& text) {
        const std::optional<double> x = parse_number<double>(text);
        return x && std::isfinite(*x) && good(*x) ? x : std::nullopt;
    };
    return codec<double>(
        read, "is not " + must, [](double x) { return fmt::format("{}", x); }, std::move(type));
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
    const auto read = [](const std::string& text) -> std::optional<long> {
        const char unit = text.empty() ? ' ' : text.back();
        const int shift = unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
        const auto n = parse_number<long>(text.substr(0, text.size() - !text.empty()));
        if (shift == 0 || !n || *n < 1 || *n > (1L << 50 >> shift)) return std::nullopt;
        return *n << shift;
    };
    return codec<long>(
        read, "is no size such as 512M or 2G",
        [](long bytes) { return fmt::format("{}M", bytes >> 20); }, "SIZE");
}

} // namespace qcd
