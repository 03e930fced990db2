#include "runtime/environment.hpp"

#include <cstdlib>

namespace qcd
{

Environment::~Environment()
{
    for (auto it = before_.rbegin(); it != before_.rend(); ++it)
        it->second ? setenv(it->first.c_str(), it->second->c_str(), 1)
                   : unsetenv(it->first.c_str());
}

void Environment::keep(const char* name)
{
    const char* value = std::getenv(name);
    before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
}

void Environment::set(const char* name, const std::string& value)
{
    keep(name);
    setenv(name, value.c_str(), 1);
}

void Environment::set_default(const char* name, const std::string& value)
{
    if (!std::getenv(name)) set(name, value);
}

void Environment::unset(const char* name)
{
    keep(name);
    unsetenv(name);
}

} // namespace qcd
