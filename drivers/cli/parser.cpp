#include "drivers/cli/parser.hpp"

namespace qcd::cli
{

namespace
{

/// "--option ARGUMENT    what it does [default]"
class HelpFormat : public CLI::Formatter
{
public:
    HelpFormat() { column_width(34); }
    std::string make_option_opts(const CLI::Option* o) const override
    {
        return o->get_type_size() == 0 ? "" : " " + o->get_type_name();
    }
    std::string make_option_desc(const CLI::Option* o) const override
    {
        const std::string value = o->get_default_str();
        return o->get_description() + (value.empty() ? "" : " [" + value + "]");
    }
};

} // namespace

Parser::Parser(const std::string& command, const std::string& description)
    : CLI::App(description, "qcd_starpu " + command)
{
    formatter(std::make_shared<HelpFormat>());
    allow_extras(); // to name the first one ourselves
}

std::optional<Text> Parser::run(std::vector<std::string> arguments)
{
    set_help_flag("-h,--help", "print this help")->group("Help");
    set_version_flag("--version", version_line(), "print the version")->group("Help");
    std::reverse(arguments.begin(), arguments.end()); // CLI11 wants the last one first
    try {
        parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        std::string text = help();
        // CLI11 puts two empty lines between groups.
        for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
        return Text{text};
    } catch (const CLI::CallForVersion&) {
        return Text{version_line() + "\n"};
    } catch (const CLI::ParseError& e) {
        std::string line(trim(e.what()));
        std::replace(line.begin(), line.end(), '\n', ' ');
        throw Error(line);
    }
    const std::vector<std::string> rest = remaining();
    if (!rest.empty())
        throw Error(fmt::format("{} has no option or argument {} (see {} --help)", get_name(),
                                qcd::quoted(rest.front()), get_name()));
    return std::nullopt;
}

bool Parser::given(const std::string& option) const
{
    const CLI::Option* o = get_option_no_throw(option);
    return o != nullptr && o->count() > 0;
}

} // namespace qcd::cli
