#include "program/cli/parser.hpp"

#include "program/cli/argument_checks.hpp"
#include "program/version.hpp"

#include <filesystem>
#include <istream>
#include <iterator>
#include <sstream>

namespace qcd::cli
{

namespace
{

/// "--option ARGUMENT    what it does [default]"
class HelpFormat : public CLI::Formatter
{
public:
    HelpFormat() { column_width(34); }
    std::string make_option(const CLI::Option* o, bool is_positional) const override
    {
        const std::string name = "  " + make_option_name(o, is_positional) + make_option_opts(o);
        // Two blanks are what tools that read a help take for the end of the option.
        const std::string gap = name.size() + 2 <= column_width_
                                    ? std::string(column_width_ - name.size(), ' ')
                                    : '\n' + std::string(column_width_, ' ');
        return name + gap + make_option_desc(o) + '\n';
    }
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

/// A configuration file as CLI11 reads it (TOML without sections). What CLI11 would pass over or
/// read as something else is an error.
class ConfigFile : public CLI::ConfigBase
{
public:
    /// taken: those of its options that the command line leaves to it.
    ConfigFile(const Parser& app, std::vector<const CLI::Option*>& taken) : app_(app), taken_(taken)
    {
    }

    std::vector<CLI::ConfigItem> from_config(std::istream& in) const override
    {
        const std::string text =
            short_text(in, "--config", app_.config_file(), "a configuration file");
        for (const std::string_view line : split(text, '\n')) check_line(trim(line));
        std::istringstream lines(text);
        std::vector<const CLI::Option*> seen;
        std::vector<CLI::ConfigItem> items;
        for (CLI::ConfigItem& item : CLI::ConfigBase::from_config(lines)) {
            const CLI::Option* option = option_of(item);
            if (std::find(seen.begin(), seen.end(), option) != seen.end())
                throw fail("{} is given twice", qcd::quoted(item.name));
            seen.push_back(option);
            if (on_command_line(*option)) continue;
            join(item, *option, text);
            taken_.push_back(option);
            items.push_back(std::move(item));
        }
        return items;
    }

private:
    template <class... Values>
    Error fail(fmt::format_string<Values...> what, Values&&... values) const
    {
        return Error("--config: {}: {}", qcd::quoted(app_.config_file()),
                     fmt::format(what, std::forward<Values>(values)...));
    }

    void check_line(std::string_view line) const
    {
        if (line.empty() || line[0] == '#' || line[0] == ';') return;
        constexpr std::size_t shortest = 3; // of what CLI11 looks at
        const std::size_t equals = line.find('=');
        if (line.size() < shortest || equals == 0)
            throw fail("{} is no line NAME = VALUE", qcd::quoted(line));
        if (equals == std::string_view::npos) return;
        const std::string_view value = trim(line.substr(equals + 1));
        if (value.empty() || (value[0] != '"' && value[0] != '\'')) return;
        const std::size_t end = value.find(value[0], 1);
        if (end == std::string_view::npos ||
            value.substr(0, end).find('#') != std::string_view::npos)
            throw fail("{} has no closing quote, or a # within quotes", qcd::quoted(line));
    }

    const CLI::Option* option_of(const CLI::ConfigItem& item) const
    {
        if (!item.parents.empty())
            throw fail("there are no sections, such as {}", qcd::quoted(item.parents.front()));
        const CLI::Option* option = app_.get_option_no_throw("--" + item.name);
        if (option == nullptr || !option->get_configurable())
            throw fail("{} has no option {}{}", app_.get_name(), qcd::quoted(item.name),
                       item.name.starts_with('-') ? ": names are written without dashes" : "");
        return option;
    }

    static bool on_command_line(const CLI::Option& option)
    {
        const auto& excluded = option.get_excludes();
        return option.count() > 0 || std::any_of(excluded.begin(), excluded.end(),
                                                 [](const auto* other) { return other->count(); });
    }

    /// CLI11 makes a list where a value has commas or blanks: of those it cannot tell which it was.
    void join(CLI::ConfigItem& item, const CLI::Option& option, const std::string& text) const
    {
        const bool list = option.get_delimiter() != '\0';
        if (list || item.inputs.size() == 1) return;
        const std::string value = fmt::format("{}", fmt::join(item.inputs, ","));
        if (text.find(value) == std::string::npos)
            throw fail("{} is given twice, or its value has blanks and is not in quotes",
                       qcd::quoted(item.name));
        item.inputs = {value};
    }

    const Parser& app_;
    std::vector<const CLI::Option*>& taken_;
};

/// Where the text has this option's name, and not one that begins with it.
std::size_t find_name(std::string_view text, std::string_view option)
{
    for (std::size_t at = 0; (at = text.find(option, at)) != std::string_view::npos; ++at) {
        const std::string_view behind = text.substr(at + option.size());
        if (behind.empty() ||
            (!std::isalnum(static_cast<unsigned char>(behind[0])) && behind[0] != '-'))
            return at;
    }
    return std::string_view::npos;
}

} // namespace

Parser::Parser(const std::string& command, const std::string& description,
               const std::string& program)
    : CLI::App(description, program + " " + command), program_(program)
{
    formatter(std::make_shared<HelpFormat>());
    allow_extras(); // to name the first one ourselves
}

std::optional<Text> Parser::run(std::vector<std::string> arguments)
{
    set_config("--config", "",
               "options, one a line: NAME = VALUE, names without dashes; the command line wins")
        ->type_name("FILE")
        ->group("Options")
        ->check([](const std::string& file) {
            // To open a pipe would wait for who writes into it.
            std::error_code none;
            if (std::filesystem::is_other(file, none)) throw CLI::FileError::Missing(file);
            return std::string();
        });
    set_help_flag("-h,--help", "print this help")->group("Help");
    if (!get_option_no_throw("--version"))
        set_version_flag("--version", version_line(program_), "print the version")->group("Help");
    config_formatter(std::make_shared<ConfigFile>(*this, from_file_));
    for (CLI::Option* option : get_options())
        if (option->get_expected_max() == 0) option->check(true_or_false());
    arguments_ = arguments;
    std::reverse(arguments.begin(), arguments.end()); // CLI11 wants the last one first
    try {
        parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        std::string text = help();
        // CLI11 puts two empty lines between groups.
        for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
        return Text{text};
    } catch (const CLI::CallForVersion&) {
        return Text{version_line(program_) + "\n"};
    } catch (const CLI::FileError& e) {
        check_readable("--config", config_file());
        throw Error("--config: {}", e.what());
    } catch (const CLI::ParseError& e) {
        for (const CLI::Option* option : get_options())
            if (option->get_items_expected_max() == 1 && option->count() > 1)
                throw Error(with_origin(fmt::format("{}: given {} times, and it has one value",
                                                    option->get_name(), option->count())));
        std::string line(trim(e.what()));
        std::replace(line.begin(), line.end(), '\n', ' ');
        throw Error(with_origin(line));
    } catch (const Error& e) {
        throw Error(with_origin(e.what()));
    }
    if (given("--config") && config_file().empty()) throw Error("--config: empty");
    const std::vector<std::string> rest = remaining();
    if (!rest.empty())
        throw Error("{} has no option or argument {} (see {} --help)", get_name(),
                    qcd::quoted(rest.front()), get_name());
    return std::nullopt;
}

bool Parser::given(const std::string& option) const
{
    const CLI::Option* o = get_option_no_throw(option);
    return o != nullptr && o->count() > 0;
}

std::string Parser::config_file() const
{
    return get_config_ptr()->empty() ? "" : get_config_ptr()->results().front();
}

std::string Parser::with_origin(std::string error) const
{
    if (error.starts_with("--config: ")) return error;
    for (const CLI::Option* option : from_file_)
        if (find_name(error, option->get_name()) != std::string::npos)
            return fmt::format("{} (in {})", error, qcd::quoted(config_file()));
    return as_typed(std::move(error));
}

std::string Parser::as_typed(std::string error) const
{
    const auto typed = [&](const std::string& name) {
        return std::any_of(arguments_.begin(), arguments_.end(), [&](const std::string& argument) {
            return argument == name || argument.starts_with(name + "=");
        });
    };
    for (const CLI::Option* option : get_options()) {
        const std::string name = option->get_name();
        const std::size_t at = find_name(error, name);
        std::vector<std::string> names;
        for (const std::string& one : option->get_lnames())
            if (typed("--" + one)) names.push_back("--" + one);
        if (at != std::string::npos && !names.empty())
            error.replace(at, name.size(), fmt::format("{}", fmt::join(names, ", ")));
    }
    return error;
}

} // namespace qcd::cli
