#pragma once
// What a computation has cost in joules, where the machine says so.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace qcd
{

class Session;

/// What one meter has counted.
struct EnergyUsed {
    std::string meter; ///< "package-0", "dram of package-0", ...: RAPL's name; or a GPU's name
    double joules = 0;
};

/// Where energy is read. Tests have others.
struct EnergyMeters {
    /// Linux's folder of RAPL's counters, intel-rapl:0 and so on (AMD's processors have them by the
    /// same name): microjoules of a package, and those of its memory, where they may be read; often
    /// by root alone.
    std::filesystem::path powercap = "/sys/class/powercap";
    /// The library NVML, which counts millijoules of a GPU (Volta and later).
    std::string nvml = "libnvidia-ml.so.1";
    std::vector<std::string> gpus{}; ///< by PCI bus, as CUDA gives it
};

/// The meters of this machine, with the GPUs of the session's CUDA workers.
EnergyMeters meters_of(const Session&);

/// Counts from its beginning on; all that these meters meter counts, whoever caused it. A meter
/// that cannot be read is left out. Never fails.
class EnergyCounter
{
public:
    explicit EnergyCounter(const EnergyMeters&);
    ~EnergyCounter();
    EnergyCounter(const EnergyCounter&) = delete;
    EnergyCounter& operator=(const EnergyCounter&) = delete;

    /// Counters of packages begin anew after 60 kJ or more: to be called from time to time; does
    /// nothing where the last look was less than ten seconds ago.
    void look_again();
    /// Since the beginning, of each meter.
    std::vector<EnergyUsed> used();

private:
    class Meter;
    class Package;
    class Nvml;
    class Gpu;
    void add_packages(const std::filesystem::path& powercap);
    void look();

    std::unique_ptr<Nvml> nvml_; // before its GPUs
    std::vector<std::unique_ptr<Meter>> meters_;
    std::chrono::steady_clock::time_point looked_;
};

} // namespace qcd
