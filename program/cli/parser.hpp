#pragma once
// CLI11 as this project uses it: errors are Error, help has one look, words stand for values.

#include "base/error.hpp"
#include "base/text.hpp"
#include "program/cli/text.hpp"
#include "program/cli/words.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace qcd::cli
{

using qcd::word_of;
using qcd::Words;

/// An option whose argument is one of the words; target holds the default. words must outlive app.
/// name: or several joined by commas, the first of which is in messages.
template <class T>
void add_choice(CLI::App& app, const std::string& name, T& target, const Words<T>& words,
                const std::string& description)
{
    std::vector<std::string_view> names;
    for (const auto& word : words) names.push_back(word.first);
    const auto choose = [&target, &words, name = name.substr(0, name.find(',')),
                         names](const std::string& text) {
        const auto found = std::find_if(words.begin(), words.end(),
                                        [&](const auto& w) { return w.first == text; });
        if (found == words.end())
            throw Error("{}: {} is none of {}", name, qcd::quoted(text), fmt::join(names, ", "));
        target = found->second;
    };
    app.add_option_function<std::string>(name, choose, description)
        ->type_name(fmt::format("{}", fmt::join(names, "|")))
        ->default_str(std::string(word_of(words, target)));
}

class Parser : public CLI::App
{
public:
    Parser(const std::string& command, const std::string& description,
           const std::string& program = "qcd_starpu");

    /// Nothing: parsed; else the help or version that was asked for. Throws Error. Every command
    /// has --config FILE, whose options count as if they were typed where the command line has
    /// neither the option nor one that excludes it; and, where it has no option of this name,
    /// --version.
    std::optional<Text> run(std::vector<std::string> arguments);

    /// Whether the option is on the command line or in the file of --config; false also if there is
    /// no such option.
    bool given(const std::string& option) const;

    /// The file of --config; empty: none.
    std::string config_file() const;

private:
    std::string with_origin(std::string error) const;
    /// The error, with the names of options that were typed in place of their first ones.
    std::string as_typed(std::string error) const;

    std::string program_;
    std::vector<std::string> arguments_;
    std::vector<const CLI::Option*> from_file_;
};

} // namespace qcd::cli
