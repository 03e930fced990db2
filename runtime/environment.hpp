#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// Changes of the process's environment variables; at the end of its life all are as they were.
class Environment
{
public:
    Environment() = default;
    ~Environment();
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    void set(const char* name, const std::string& value);
    /// Leaves what is set.
    void set_default(const char* name, const std::string& value);
    void unset(const char* name);

private:
    void keep(const char* name);
    std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

} // namespace qcd
