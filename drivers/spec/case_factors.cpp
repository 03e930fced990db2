#include "drivers/spec/case_factors.hpp"

#include "experiment/csv.hpp"
#include "program/cli/argument_checks.hpp"

#include <algorithm>
#include <fstream>

namespace qcd
{

namespace
{

/// "cpus:2", "cpus:1x4": one worker of four cores, "cuda:1+cpus:3"; kinds that are not named have
/// none.
std::function<void(RunSpec&)> workers_setter(const std::string& text)
{
    if (text == "auto") return [](RunSpec&) {};
    const Error wrong("--workers: {} is none of auto, cpus:N, cpus:NxCORES, cuda:N, "
                      "opencl:N, or several of them joined by +",
                      qcd::quoted(text));
    constexpr int most = 4096;
    const auto number = [&](std::string_view digits) {
        const std::optional<int> n = parse_number<int>(digits);
        if (!n || *n < 1 || *n > most) throw wrong;
        return *n;
    };
    ExecutionSpec m;
    for (const std::string_view part : split(text, '+')) {
        const std::size_t colon = part.find(':');
        const std::string_view kind = part.substr(0, colon);
        if (colon == part.npos) throw wrong;
        std::optional<int>& count = kind == "cpus"   ? m.cpus.to_set()
                                    : kind == "cuda" ? m.cuda.to_set()
                                                     : m.opencl.to_set();
        if (count || (kind != "cpus" && kind != "cuda" && kind != "opencl")) throw wrong;
        const std::string_view digits = part.substr(colon + 1);
        const std::size_t times = kind == "cpus" ? digits.find('x') : digits.npos;
        count = number(digits.substr(0, times));
        if (kind == "cpus")
            m.cores_per_worker = times == digits.npos ? 1 : number(digits.substr(times + 1));
    }
    return [m](RunSpec& s) {
        s.execution.cpus = m.cpus().value_or(0);
        s.execution.cuda = m.cuda().value_or(0);
        s.execution.opencl = m.opencl().value_or(0);
        s.execution.cores_per_worker = m.cores_per_worker();
    };
}

constexpr FactorKind kinds[]{
    {"plan", "PLAN,...", "auto, graph, pinned, batch[:N], linked[:N], replay[:FILE]"},
    {"sched", "NAME,...|all", "StarPU's scheduling policies; all: each that can run this"},
    {"tiles", "XxYxZxT,...", "numbers of tiles per direction, auto"},
    {"split", "FRACTION,...", "shares of the sites on devices, auto, none"},
    {"workers", "WORKERS,...",
     "auto, or of cpus:N, cpus:NxCORES, cuda:N, opencl:N several joined by +"},
    {"ladder", "VERSION,...", "versions of the ladder of 2013, auto; without even-odd", "stencil"},
    {"multiple", "N,...", "sites of their work groups on devices"}};

const FactorKind* kind_of(std::string_view key)
{
    const auto found = std::find_if(std::begin(kinds), std::end(kinds), [&](const FactorKind& k) {
        return k.key == key || (!k.old_key.empty() && k.old_key == key);
    });
    return found == std::end(kinds) ? nullptr : found;
}

/// The lines of a file of cases; throws what is wrong with one of them.
class CaseLines
{
public:
    explicit CaseLines(const std::string& file) : file_(file) {}

    CaseTable read()
    {
        std::ifstream in(file_, std::ios::binary);
        const std::string text = cli::short_text(in, "--cases", file_, "a file of cases");
        char separator = ',';
        for (const std::string_view line : split(text, '\n')) {
            ++number_;
            if (trim(line).empty()) continue;
            if (table_.keys.empty()) separator = experiment::csv_separator(line);
            auto cells = experiment::csv_cells(trim(line), separator);
            if (!cells) fail("its quotes do not match");
            for (std::string& cell : *cells) cell = trim(cell);
            if (table_.keys.empty())
                read_header(std::move(*cells));
            else
                read_case(std::move(*cells));
        }
        if (table_.lines.empty()) throw Error("--cases: {} has no case", qcd::quoted(file_));
        return std::move(table_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error("--cases: {}, line {}: {}", qcd::quoted(file_), number_, what);
    }

    /// R, for one, writes the names of rows into a first column without a name.
    void read_header(std::vector<std::string> cells)
    {
        rows_have_names_ = cells.size() > 1 && cells.front().empty();
        if (rows_have_names_) cells.erase(cells.begin());
        for (const std::string& cell : cells) {
            const FactorKind* kind = kind_of(cell);
            if (!kind) {
                std::vector<std::string> known;
                for (const FactorKind& k : kinds) known.emplace_back(k.key);
                fail(fmt::format("{} is none of {}", qcd::quoted(cell), fmt::join(known, ", ")));
            }
            const std::string key = kind->key;
            if (std::find(table_.keys.begin(), table_.keys.end(), key) != table_.keys.end())
                fail(fmt::format("{} is there twice", qcd::quoted(cell)));
            table_.keys.push_back(key);
        }
    }

    void read_case(std::vector<std::string> cells)
    {
        const std::size_t columns = table_.keys.size() + rows_have_names_;
        if (cells.size() != columns)
            fail(fmt::format("{} values for {} columns", cells.size(), columns));
        if (rows_have_names_) cells.erase(cells.begin());
        std::replace(cells.begin(), cells.end(), std::string("NA"), std::string()); // as R has it
        CaseLine line{number_, {}};
        std::vector<std::string> filled;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (!cells[i].empty()) filled.push_back(table_.keys[i]);
            try {
                line.values.push_back(case_value(table_.keys[i], cells[i]));
            } catch (const Error& e) {
                fail(e.what());
            }
        }
        const auto has = [&](const char* key) {
            return std::find(filled.begin(), filled.end(), key) != filled.end();
        };
        if (has("split") && cells[place_of("split")] != "none" && (has("tiles") || has("sched")))
            fail("split excludes tiles and sched: each slab has its worker");
        table_.lines.push_back(std::move(line));
    }

    std::size_t place_of(const char* key) const
    {
        return std::size_t(std::find(table_.keys.begin(), table_.keys.end(), key) -
                           table_.keys.begin());
    }

    std::string file_;
    int number_ = 0;
    bool rows_have_names_ = false;
    CaseTable table_;
};

} // namespace

std::span<const FactorKind> factor_kinds() { return kinds; }

CaseValue case_value(const std::string& key, const std::string& text)
{
    if (text.empty()) return {"", [](RunSpec&) {}};
    if (key == "workers") return {text, workers_setter(text)};
    with({}, key, text); // throws for nonsense
    return {text, [key, text](RunSpec& s) {
                s = with(std::move(s), key, text);
                // This makes `auto` comparable with versions, which act on all sites.
                if (key == "ladder") s.method.even_odd = false;
            }};
}

std::vector<CaseFactor> case_factors(const std::map<std::string, std::string>& lists)
{
    std::vector<CaseFactor> factors;
    for (const FactorKind& kind : kinds) {
        const auto list = lists.find(kind.key);
        if (list == lists.end()) continue;
        CaseFactor factor{kind.key, {}};
        const bool named_by_starpu = factor.key == "sched" && list->second == "all";
        for (const std::string_view text : split(list->second, ',')) {
            if (named_by_starpu) break;
            if (text.empty()) throw Error("{}: an empty value", kind.option());
            factor.values.push_back(case_value(factor.key, std::string(text)));
        }
        factors.push_back(std::move(factor));
    }
    return factors;
}

CaseTable read_cases(const std::string& file) { return CaseLines(file).read(); }

} // namespace qcd
