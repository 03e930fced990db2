#include "runtime/starpu_samples.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

constexpr const char* models_folder = "codelets/45"; // 45: the format, all of StarPU 1.4's
constexpr std::size_t longest_path = 255;            // StarPU's buffers
constexpr std::size_t longest_name = 64;             // of our operations and of its bus files
constexpr std::size_t largest_file = 16 << 20;
constexpr std::array bus_files{"config",    "affinity",     "latency",
                               "bandwidth", "platform.xml", "platform.v4.xml"};

using Row = std::vector<std::string_view>;

/// The words of each line, comments and lines without words left out; nothing if the last line has
/// no end.
std::optional<std::vector<Row>> rows_of(std::string_view text)
{
    if (!text.ends_with('\n')) return std::nullopt;
    std::vector<Row> rows;
    for (std::string_view line : split(text, '\n')) {
        line = line.substr(0, line.find('#'));
        Row row;
        for (std::size_t from = 0;;) {
            from = line.find_first_not_of(" \t", from);
            if (from == line.npos) break;
            const std::size_t end = std::min(line.find_first_of(" \t", from), line.size());
            row.push_back(line.substr(from, end - from));
            from = end;
        }
        if (!row.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

/// A count, or -1.
int count_of(std::string_view word) { return std::max(-1, parse_number<int>(word).value_or(-1)); }

/// Something measured: not negative; NaN: not known.
bool is_measure(std::string_view word)
{
    const auto value = parse_number<double>(word);
    return value && !(*value < 0);
}

/// Numbers of cores, NUMA nodes and devices of each kind; none if the file is damaged.
std::vector<int> configuration(const std::string& text)
{
    const auto rows = rows_of(text);
    std::vector<int> counts;
    for (const Row& row : rows.value_or(std::vector<Row>{}))
        counts.push_back(row.size() == 1 ? count_of(row[0]) : -1);
    const bool good = counts.size() >= 2 &&
                      std::all_of(counts.begin(), counts.end(), [](int n) { return n >= 0; });
    return good ? counts : std::vector<int>{};
}

/// A row for each device, from 0 on for each kind: the NUMA nodes, the nearest first.
bool is_affinity(const std::string& text, const std::vector<int>& configuration)
{
    const auto rows = rows_of(text);
    if (!rows || !text.starts_with("# GPU\tNUMA0\t")) return false;
    std::size_t next = 0;
    for (std::size_t kind = 2; kind < configuration.size(); ++kind)
        for (int device = 0; device < configuration[kind]; ++device) {
            if (next == rows->size()) return false;
            const Row& row = (*rows)[next++];
            if (row.size() != 1 + std::size_t(configuration[1]) || count_of(row[0]) != device ||
                std::any_of(row.begin(), row.end(), [](auto word) { return count_of(word) < 0; }))
                return false;
        }
    return next == rows->size();
}

/// Is it a matrix from each memory node to each?
bool is_matrix(const std::string& text)
{
    const auto rows = rows_of(text);
    return rows && !rows->empty() && std::all_of(rows->begin(), rows->end(), [&](const Row& row) {
               return row.size() == rows->size() && std::all_of(row.begin(), row.end(), is_measure);
           });
}

std::string kind_of_worker(int number)
{
    constexpr const char* names[] = {"CPU", "CUDA", "OpenCL"};
    return number < int(std::size(names)) ? names[number] : std::to_string(number);
}

/// A performance model, read row by row.
class ModelReader
{
public:
    explicit ModelReader(const std::vector<Row>& rows) : rows_(rows) {}

    /// Reads the entries, whose symbols are still empty; nothing: the file is damaged.
    std::optional<std::vector<ModelEntry>> read()
    {
        if (count() != 45) return std::nullopt;
        for (int n = count(); n > 0 && good_; --n) read_combination();
        if (!good_ || next_ != rows_.size()) return std::nullopt;
        return std::move(entries_);
    }

private:
    /// The next row; an empty one where there is none of so many words.
    Row row(std::size_t least, std::size_t most)
    {
        if (next_ < rows_.size() && rows_[next_].size() >= least && rows_[next_].size() <= most)
            return rows_[next_++];
        good_ = false;
        return {};
    }

    int count()
    {
        const Row one = row(1, 1);
        const int n = one.empty() ? -1 : count_of(one[0]);
        good_ = good_ && n >= 0;
        return n;
    }

    void numbers(std::size_t words)
    {
        for (const std::string_view word : row(words, words))
            good_ = good_ && parse_number<double>(word);
    }

    void read_combination()
    {
        constexpr int kinds_of_workers = 8, kind_core_and_number = 3;
        const int devices = count();
        for (int i = 0; i < devices && good_; ++i)
            for (int j = 0; j < kind_core_and_number; ++j)
                if (const int n = count(); j == 0) {
                    good_ = good_ && n < kinds_of_workers;
                    worker_ = kind_of_worker(n);
                }
        const int implementations = count();
        good_ = good_ && devices > 0 && implementations > 0;
        for (int i = 0; i < implementations && good_; ++i) read_implementation();
    }

    void read_implementation()
    {
        const int entries = count();
        numbers(9); // of a linear regression
        numbers(3); // of another
        count();    // of coefficients of a third: ours has none, and they would make the row longer
        for (int i = 0; i < entries && good_; ++i) {
            const Row entry = row(7, 8); // hash, size, [flops,] mean, ..., calls
            for (std::size_t j = 0; j < entry.size(); ++j)
                good_ =
                    good_ && (j == 0 ? parse_hex32(entry[j]).has_value() : is_measure(entry[j]));
            for (std::size_t j = entry.size() - std::min<std::size_t>(5, entry.size());
                 j < entry.size(); ++j)
                good_ = good_ && !std::isnan(*parse_number<double>(entry[j]));
            if (good_) keep(entry);
        }
    }

    void keep(const Row& entry)
    {
        const auto from_end = [&](std::size_t n) {
            return *parse_number<double>(entry[entry.size() - n]);
        };
        entries_.push_back({"", worker_, std::string(entry[0]),
                            std::size_t(*parse_number<double>(entry[1])), from_end(5), from_end(4),
                            int(from_end(1))});
    }

    const std::vector<Row>& rows_;
    std::vector<ModelEntry> entries_;
    std::string worker_;
    std::size_t next_ = 0;
    bool good_ = true;
};

/// StarPU ignores an empty one.
std::optional<std::vector<ModelEntry>> parse_model(const std::string& text)
{
    if (text.empty()) return std::vector<ModelEntry>{};
    const auto rows = rows_of(text);
    return rows ? ModelReader(*rows).read() : std::nullopt;
}

/// Reads under the lock that writers take, too. Nothing if it is no file to read and write.
std::optional<std::string> read_file(const fs::path& path)
{
    struct Descriptor {
        int number;
        ~Descriptor() { close(number); }
    };
    const Descriptor file{open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK)};
    struct stat found = {};
    if (file.number < 0 || fstat(file.number, &found) != 0 || !S_ISREG(found.st_mode) ||
        std::size_t(found.st_size) > largest_file)
        return std::nullopt;
    struct flock lock = {};
    lock.l_type = F_RDLCK;
    fcntl(file.number, F_SETLKW, &lock); // some network file systems have none
    std::string text;
    char part[16384];
    ssize_t n;
    while ((n = read(file.number, part, sizeof part)) > 0) text.append(part, std::size_t(n));
    return n < 0 ? std::nullopt : std::optional(text);
}

/// Is there room in the folder, or in as much of it as there is?
bool can_keep_files(fs::path folder)
{
    std::error_code none;
    while (!folder.empty() && !fs::exists(folder, none) && folder != folder.parent_path())
        folder = folder.parent_path();
    const fs::path trial = folder / fmt::format("qcd_starpu.{}", getpid());
    std::ofstream out(trial);
    out << std::string(65536, ' ');
    out.close();
    fs::remove(trial, none);
    return bool(out);
}

SamplesVerdict unusable(const fs::path& file, const char* what)
{
    return {.usable = false, .file = file, .problem = one_line(file.string()) + ' ' + what};
}

SamplesVerdict judge_bus(const fs::path& folder, const std::string& host)
{
    std::error_code none;
    std::array<std::optional<std::string>, bus_files.size()> texts;
    for (std::size_t i = 0; i < bus_files.size(); ++i) {
        const fs::path file = folder / (host + '.' + bus_files[i]);
        if (!fs::exists(fs::symlink_status(file, none))) continue;
        texts[i] = read_file(file);
        if (!texts[i]) return unusable(file, "cannot be read and written");
    }
    const auto& [config, affinity, latency, bandwidth, platform3, platform4] = texts;
    if (!config) return {}; // all is measured
    const std::vector<int> counts = configuration(*config);
    return {.bus_damaged = counts.empty() || (affinity && !is_affinity(*affinity, counts)) ||
                           (latency && !is_matrix(*latency)) ||
                           (bandwidth && !is_matrix(*bandwidth))};
}

} // namespace

std::string starpu_host()
{
    if (const char* forced = std::getenv("STARPU_HOSTNAME"); forced && *forced)
        return std::string(forced).substr(0, 63);
    char name[65] = {};
    gethostname(name, sizeof name - 1);
    return std::string(name).substr(0, std::string(name).find('.'));
}

fs::path models_in(const fs::path& folder) { return folder / models_folder; }

std::vector<ModelEntry> read_models(const fs::path& folder, const std::string& host)
{
    std::error_code none;
    std::vector<ModelEntry> all;
    for (const auto& file : fs::directory_iterator(models_in(folder), none)) {
        if (file.path().extension() != '.' + host) continue;
        const auto text = read_file(file.path());
        for (ModelEntry& e :
             (text ? parse_model(*text) : std::nullopt).value_or(std::vector<ModelEntry>{})) {
            e.symbol = file.path().stem().string();
            all.push_back(std::move(e));
        }
    }
    return all;
}

SamplesVerdict judge_samples(const fs::path& folder, const std::string& host)
{
    std::error_code none;
    const fs::path bus = folder / "bus", models = models_in(folder);
    if (models.string().size() + longest_name + host.size() > longest_path)
        return {.usable = false, .file = {}, .problem = "its name is too long for StarPU"};
    for (const fs::path& part : {bus, models})
        if (!can_keep_files(part))
            return {.usable = false, .file = {}, .problem = "files cannot be kept there"};
    for (const auto& entry : fs::directory_iterator(models, none)) {
        const fs::path& file = entry.path();
        if (file.extension() != '.' + host) continue;
        const auto text = read_file(file);
        if (!text) return unusable(file, "cannot be read and written");
        if (!parse_model(*text)) return unusable(file, "is damaged");
    }
    return judge_bus(bus, host);
}

} // namespace qcd
