#include "drivers/compare/cases.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "drivers/spec/case_factors.hpp"
#include "program/starpu_facts.hpp"
#include "runtime/codelet.hpp"
#include "runtime/scheduler_library.hpp"
#include "runtime/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace qcd
{

namespace
{

/// Each value of a factor with each of the others; the last factor varies fastest.
CaseTable product(const std::vector<CaseFactor>& factors)
{
    CaseTable t{{}, {{0, {}}}};
    for (const CaseFactor& factor : factors) {
        t.keys.push_back(factor.key);
        std::vector<CaseLine> more;
        for (const CaseLine& line : t.lines)
            for (const CaseValue& value : factor.values) {
                more.push_back(line);
                more.back().values.push_back(value);
            }
        t.lines = std::move(more);
    }
    return t;
}

/// Which columns have several values. Where none has, all of them.
std::vector<bool> varying(const CaseTable& t)
{
    std::vector<bool> varies;
    for (std::size_t i = 0; i < t.keys.size(); ++i)
        varies.push_back(std::any_of(t.lines.begin(), t.lines.end(), [&](const CaseLine& line) {
            return line.values[i].text != t.lines.front().values[i].text;
        }));
    if (std::none_of(varies.begin(), varies.end(), [](bool v) { return v; }))
        varies.assign(varies.size(), true);
    return varies;
}

std::vector<Variant> variants_of(const CaseTable& t, const RunSpec& common)
{
    const std::vector<bool> varies = varying(t);
    std::map<std::string, int> times; // that a name was given
    std::vector<Variant> all;
    for (const CaseLine& line : t.lines) {
        Variant v{{}, common};
        for (std::size_t i = 0; i < t.keys.size(); ++i) {
            const CaseValue& value = line.values[i];
            v.shown.factors.push_back({t.keys[i], value.text});
            if (varies[i] && !value.text.empty())
                v.shown.name +=
                    fmt::format("{}{} {}", v.shown.name.empty() ? "" : ", ", t.keys[i], value.text);
            value.set(v.options);
        }
        if (v.shown.name.empty()) v.shown.name = "as chosen";
        if (const int n = ++times[v.shown.name]; n > 1) v.shown.name += fmt::format(" #{}", n);
        all.push_back(std::move(v));
    }
    return all;
}

/// Throws Error for the name of a scheduler that StarPU does not have.
void require_schedulers(const CaseTable& t, const std::string& library, const std::string& file)
{
    const auto column = std::find(t.keys.begin(), t.keys.end(), "sched") - t.keys.begin();
    if (column == std::ptrdiff_t(t.keys.size())) return;
    for (const CaseLine& line : t.lines) {
        const std::string& name = line.values[std::size_t(column)].text;
        if (!name.empty())
            require_scheduler(
                file.empty() ? "--sched"
                             : fmt::format("--cases: {}, line {}", qcd::quoted(file), line.number),
                name, library);
    }
}

/// A tiling with this number of tiles, as slabs in t where they are thick enough, and cut in z
/// besides where not; nothing where the lattice is too small. equal: all are equally thick.
std::optional<Extents> tiling_of(const Extents& lattice, int tiles, bool equal)
{
    const auto fits = [&](int mu, int n) {
        const int most = lattice[mu] / 2;
        return n <= most && (!equal || most % n == 0);
    };
    for (int t = tiles; t > 0; --t)
        if (tiles % t == 0 && fits(3, t) && fits(2, tiles / t)) return Extents{1, 1, tiles / t, t};
    return std::nullopt;
}

} // namespace

std::vector<CaseFactor> default_factors(const Extents& lattice, int cores, int gpus, bool equal)
{
    const auto factor = [](const char* key, const std::vector<std::string>& texts) {
        CaseFactor f{key, {}};
        for (const std::string& text : texts) f.values.push_back(case_value(key, text));
        return f;
    };
    if (gpus > 0) {
        std::vector<std::string> workers{fmt::format("cuda:{}", gpus)};
        if (cores > gpus) workers.push_back(fmt::format("cuda:{}+cpus:{}", gpus, cores - gpus));
        return {factor("sched", {"dmdas", "dmda", "dmdar", "lws", "eager"}),
                factor("workers", workers)};
    }
    std::vector<std::string> tilings;
    for (const int each : {2, 4})
        if (const auto tiles = tiling_of(lattice, each * cores, equal))
            tilings.push_back(to_string(*tiles));
    if (tilings.empty()) tilings.push_back("auto");
    return {factor("sched", {"lws", "eager", "random", "dmda"}), factor("tiles", tilings)};
}

std::string as_typed(const std::vector<CaseFactor>& factors)
{
    std::vector<std::string> options;
    for (const CaseFactor& f : factors) {
        std::vector<std::string> texts;
        for (const CaseValue& value : f.values) texts.push_back(value.text);
        options.push_back(fmt::format("--{} {}", f.key, fmt::join(texts, ",")));
    }
    return fmt::format("{}", fmt::join(options, " "));
}

std::vector<Variant> variants_of(const CompareSpec& o, const Extents& lattice, int cores, int gpus)
{
    const std::string library = o.run.execution.sched_lib().empty()
                                    ? scheduler_library_of_environment()
                                    : scheduler_library_path(o.run.execution.sched_lib());
    std::vector<CaseFactor> factors = o.factors;
    for (CaseFactor& f : factors)
        if (f.key == "sched" && o.all_schedulers)
            for (const std::string& name : starpu_schedulers(library))
                if (name != endless_scheduler) f.values.push_back(case_value(f.key, name));
    if (factors.empty()) factors = default_factors(lattice, cores, gpus, o.generates());
    const CaseTable table = o.table ? *o.table : product(factors);
    require_schedulers(table, library, o.cases_file());
    RunSpec common = o.run; // the comparison says what there is to say
    common.output.quiet = true;
    common.output.json = std::string();
    return variants_of(table, common);
}

} // namespace qcd
