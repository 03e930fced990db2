#include "runtime/scheduler_library.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <dlfcn.h>
#include <starpu.h>
#include <starpu_scheduler.h>

#include <cstdlib>
#include <filesystem>

namespace qcd
{

namespace
{

/// Loaded while this lives.
class Library
{
public:
    explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
    {
        if (!handle_) {
            const char* const why = dlerror();
            throw Error("--sched-lib: {} is no library that can be loaded: {}", qcd::quoted(path),
                        one_line(why ? why : "no reason is given"));
        }
        if (find<decltype(starpu_get_sched_lib_policy)>("starpu_get_sched_lib_policy")) return;
        dlclose(handle_);
        throw Error("--sched-lib: {} has no function starpu_get_sched_lib_policy, by which StarPU "
                    "asks for a policy",
                    qcd::quoted(path));
    }
    ~Library() { dlclose(handle_); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    template <class Function>
    Function* find(const char* name) const
    {
        return reinterpret_cast<Function*>(dlsym(handle_, name));
    }

private:
    void* handle_;
};

} // namespace

std::string scheduler_library_path(const std::string& file)
{
    return std::filesystem::absolute(file).string();
}

std::string scheduler_library_of_environment()
{
    const char* const path = std::getenv(scheduler_library_variable);
    return path ? path : "";
}

std::vector<std::string> policies_of_library(const std::string& path)
{
    const Library library(path);
    std::vector<std::string> names;
    const auto list =
        library.find<decltype(starpu_get_sched_lib_policies)>("starpu_get_sched_lib_policies");
    if (!list) return names;
    for (starpu_sched_policy** p = list(); p && *p; ++p)
        if ((*p)->policy_name) names.emplace_back((*p)->policy_name);
    return names;
}

bool library_has_policy(const std::string& path, const std::string& name)
{
    const Library library(path);
    return library.find<decltype(starpu_get_sched_lib_policy)>("starpu_get_sched_lib_policy")(
               name.c_str()) != nullptr;
}

} // namespace qcd
