#pragma once
// Fields of a struct of options, a row each: the one description from which follow the command line
// and its help, files of options, the printed command, keys of what is kept, and what varies in a
// comparison.

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/extents.hpp"
#include "program/cli/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qcd
{

/// How the text of an option and its value follow from each other. parse throws Error that names
/// the option.
template <class T>
struct Codec {
    std::function<T(const std::string& text, const std::string& option)> parse;
    std::function<std::string(const T&)> print;
    std::string type;     ///< in help: N, FILE, one|two
    bool is_list = false; ///< joined by commas
};

/// read(text): the value, or nothing, which is the error "OPTION: 'text' `wrong`".
template <class T, class Read>
Codec<T> codec(Read read, std::string wrong, std::function<std::string(const T&)> print,
               std::string type)
{
    const auto parse = [read = std::move(read), wrong = std::move(wrong)](
                           const std::string& text, const std::string& option) -> T {
        if (std::optional<T> value = read(text)) return *std::move(value);
        throw Error("{}: {} {}", option, qcd::quoted(text), wrong);
    };
    return {parse, std::move(print), std::move(type)};
}

/// words must outlive it.
template <class T>
Codec<T> one_of(const Words<T>& words)
{
    const auto read = [&words](const std::string& text) -> std::optional<T> {
        for (const auto& [word, value] : words)
            if (word == text) return value;
        return std::nullopt;
    };
    return codec<T>(
        read, fmt::format("is none of {}", fmt::join(names_in(words), ", ")),
        [&words](const T& v) { return std::string(word_of(words, v)); },
        fmt::format("{}", fmt::join(names_in(words), "|")));
}

/// Decimal, whatever zeros it begins with, and nothing behind it.
Codec<int> whole_number(int low, int high, std::string type = "N");
/// A finite real, nothing behind it, that satisfies `good`; `must` completes "'x' is not ...". All
/// digits are printed.
Codec<double> real_number(std::function<bool(double)> good, const std::string& must,
                          std::string type);
Codec<std::string> text(std::string type);
/// The path of a folder, without slashes at its end.
Codec<std::string> folder(std::string type = "DIR");
Codec<Extents> extents(std::string type = "XxYxZxT");
/// "512M" or "2G", binary units, at least 1M: in bytes.
Codec<long> memory();

/// Joined by commas.
template <class T>
Codec<std::vector<T>> list_of(Codec<T> codec)
{
    const std::string type = codec.type + ",...";
    return {[parse = codec.parse](const std::string& text, const std::string& option) {
                std::vector<T> all;
                for (const std::string_view one : split(text, ','))
                    all.push_back(parse(std::string(one), option));
                return all;
            },
            [print = codec.print](const std::vector<T>& all) {
                std::vector<std::string> texts;
                for (const T& one : all) texts.push_back(print(one));
                return fmt::format("{}", fmt::join(texts, ","));
            },
            type, true};
}

/// none has the word, which may be "" where the option is then not given.
template <class T>
Codec<std::optional<T>> or_none(Codec<T> codec, std::string word = "")
{
    const std::string type = word.empty() ? codec.type : word + "|" + codec.type;
    return {[parse = codec.parse, word](const std::string& text,
                                        const std::string& option) -> std::optional<T> {
                if (!word.empty() && text == word) return std::nullopt;
                return parse(text, option);
            },
            [print = codec.print, word](const std::optional<T>& v) { return v ? print(*v) : word; },
            type};
}

enum class Role {
    identity,  ///< it decides on the result: of what is kept, a part of the key
    execution, ///< how that is computed
    output     ///< what is written and printed
};
enum class Audience { everyday, advanced };

struct FieldFacts {
    std::string names; ///< "--precision,--prec"; the first one stands in messages
    std::string group; ///< of the help
    std::string help;  ///< in a line or two
    Role role = Role::identity;
    Audience audience = Audience::everyday;
    std::string default_text{};          ///< in help, where the value says too little
    std::string type{};                  ///< in place of its codec's
    std::vector<std::string> excludes{}; ///< of these none is given with it
    bool always_printed = false;         ///< in commands, also where it is the default
    bool is_list = false;                ///< joined by commas; in a file of options a list
    bool of_session = false;             ///< the library reads it in the options of a session
    bool of_problem = false;             ///< and in those of a problem
    bool is_number_of_problem = false;   ///< which has it as a number, or one that it follows from
    bool of_gauge = false;               ///< and in those of a gauge field that it reads
    bool of_source = false;              ///< and in those of a source that it reads
    bool is_of_run = false;              ///< a row of run_fields(): the rules of a run are for it
    bool is_flag = false;                ///< without a value
    std::string name() const { return names.substr(0, names.find(',')); }
};

/// What a row of a table says besides.
using Mark = std::function<void(FieldFacts&)>;
inline const Mark advanced = [](FieldFacts& f) { f.audience = Audience::advanced; };
inline const Mark always_printed = [](FieldFacts& f) { f.always_printed = true; };
inline const Mark of_session = [](FieldFacts& f) { f.of_session = true; };
inline const Mark of_problem = [](FieldFacts& f) { f.of_problem = true; };
inline const Mark number_of_problem = [](FieldFacts& f) { f.is_number_of_problem = true; };
inline const Mark of_gauge = [](FieldFacts& f) { f.of_gauge = true; };
inline const Mark of_source = [](FieldFacts& f) { f.of_source = true; };
inline Mark by_default(std::string text)
{
    return [text](FieldFacts& f) { f.default_text = text; };
}
inline Mark of_type(std::string type)
{
    return [type](FieldFacts& f) { f.type = type; };
}
inline Mark excluding(std::vector<std::string> names)
{
    return [names](FieldFacts& f) { f.excludes = names; };
}

/// The option of a struct S, whose default constructor makes the defaults.
template <class S>
struct Field : FieldFacts {
    /// Throws Error that names the option.
    std::function<void(S&, const std::string& text)> parse;
    std::function<std::string(const S&)> print; ///< what parse() reads
    std::function<bool(const S&)> is_default;
    std::function<bool&(S&)> flag; ///< of one without a value; else null
};
template <class S>
using Fields = std::vector<Field<S>>;

namespace detail
{

template <class S>
const S& defaults()
{
    static const S s{};
    return s;
}
template <class V>
const auto& described(const V& v)
{
    if constexpr (requires { v.described(); })
        return v.described();
    else
        return v;
}
template <class V>
auto& to_set(V& v)
{
    if constexpr (requires { v.to_set(); })
        return v.to_set();
    else
        return v;
}

} // namespace detail

/// The rows of a table that have their group and role alike. at(s): the member.
template <class S>
struct Rows {
    std::string group;
    Role role;

    template <class At, class T, class... Marks>
    Field<S> operator()(At at, Codec<T> codec, const std::string& names, const std::string& help,
                        const Marks&... marks) const
    {
        Field<S> f{{names, group, help, role}, {}, {}, {}, {}};
        f.type = codec.type;
        f.is_list = codec.is_list;
        f.default_text = codec.print(detail::described(at(detail::defaults<S>())));
        (marks(f), ...);
        f.parse = [at, parse = codec.parse, name = f.name()](S& s, const std::string& text) {
            detail::to_set(at(s)) = parse(text, name);
        };
        f.print = [at, print = codec.print](const S& s) { return print(detail::described(at(s))); };
        f.is_default = [at](const S& s) {
            return detail::described(at(s)) == detail::described(at(detail::defaults<S>()));
        };
        return f;
    }
    /// The row of a bool that an option without a value sets.
    template <class At, class... Marks>
    Field<S> flag(At at, const std::string& names, const std::string& help,
                  const Marks&... marks) const
    {
        const Codec<bool> codec{[](const std::string&, const std::string&) { return true; },
                                [](bool is) { return std::string(is ? "true" : "false"); },
                                {}};
        Field<S> f = (*this)(at, codec, names, help, marks...);
        f.is_flag = true;
        f.flag = [at](S& s) -> bool& { return detail::to_set(at(s)); };
        return f;
    }
};
/// A member of a struct S, as at() of a field.
#define QCD_AT(member)                                                                             \
    [](auto& s) -> auto& { return s.member; }

/// The fields of a part of a struct S.
template <class S, class Part, class At>
Fields<S> fields_of(const Fields<Part>& fields, At at)
{
    Fields<S> all;
    for (const Field<Part>& f : fields) {
        Field<S> of{static_cast<const FieldFacts&>(f), {}, {}, {}, {}};
        of.parse = [at, parse = f.parse](S& s, const std::string& text) { parse(at(s), text); };
        of.print = [at, print = f.print](const S& s) { return print(at(s)); };
        of.is_default = [at, is_default = f.is_default](const S& s) { return is_default(at(s)); };
        if (f.flag) of.flag = [at, flag = f.flag](S& s) -> bool& { return flag(at(s)); };
        all.push_back(std::move(of));
    }
    return all;
}

} // namespace qcd
