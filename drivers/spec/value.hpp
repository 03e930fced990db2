#pragma once
// A value that a user may give: its type says which option sets it, and reading it can be recorded.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

namespace qcd
{

/// An option's name as a template argument.
template <std::size_t n>
struct OptionName {
    constexpr OptionName(const char (&name)[n]) { std::copy_n(name, n, text); }
    char text[n];
};

/// The options whose values are read while this lives: tests see by it that what a command declares
/// acts. One at a time.
class ReadRecord
{
public:
    ReadRecord();
    ~ReadRecord();
    ReadRecord(const ReadRecord&) = delete;
    ReadRecord& operator=(const ReadRecord&) = delete;
    const std::set<std::string_view>& options() const { return options_; }
    static void note(std::string_view option); ///< nothing where none lives

    /// What is checked, or completed, is not used: nothing is noted in this thread.
    class Pause
    {
    public:
        Pause();
        ~Pause();
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;
    };

private:
    std::set<std::string_view> options_;
};

/// value() reads it.
template <class T, OptionName name>
class Value
{
public:
    using Type = T;
    static constexpr std::string_view option{name.text};

    Value() = default;
    Value(T value) : value_(std::move(value)) {}
    template <class U>
    requires std::is_constructible_v<T, U> Value& operator=(U&& value)
    {
        value_ = T(std::forward<U>(value));
        return *this;
    }
    const T& operator()() const
    {
        ReadRecord::note(option);
        return value_;
    }
    /// Returns the value to what describes a field: that is no use of it, and not recorded.
    const T& described() const { return value_; }
    T& to_set() { return value_; }
    bool operator==(const Value&) const = default;

private:
    T value_{};
};

} // namespace qcd
