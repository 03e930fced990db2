#include "runtime/energy.hpp"

#include "base/text.hpp"
#include "runtime/session.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

/// What a file begins with, if it is a number.
std::optional<unsigned long long> number_in(const fs::path& file)
{
    unsigned long long number = 0;
    if (std::ifstream(file) >> number) return number;
    return std::nullopt;
}

std::string line_in(const fs::path& file)
{
    std::string line;
    std::ifstream in(file);
    std::getline(in, line);
    return one_line(line);
}

/// How deep a zone is: "intel-rapl:0" is a package, "intel-rapl:0:1" a part of it. Others in the
/// folder (intel-rapl-mmio) have the same energy once more.
long depth_of(const std::string& zone)
{
    return zone.starts_with("intel-rapl:") ? std::count(zone.begin(), zone.end(), ':') : 0;
}

} // namespace

class EnergyCounter::Meter
{
public:
    explicit Meter(std::string name) : name_(std::move(name)) {}
    virtual ~Meter() = default;
    virtual void look() = 0;
    EnergyUsed used() const { return {name_, joules_}; }

protected:
    std::string name_;
    double joules_ = 0;
};

class EnergyCounter::Package : public Meter
{
public:
    Package(std::string name, const fs::path& zone, unsigned long long now)
        : Meter(std::move(name)), file_(zone / "energy_uj"),
          range_(number_in(zone / "max_energy_range_uj").value_or(0)), last_(now)
    {
    }
    void look() override
    {
        const auto now = number_in(file_);
        if (!now) return;
        if (*now >= last_)
            joules_ += 1e-6 * double(*now - last_);
        else if (range_ >= last_) // it has begun anew
            joules_ += 1e-6 * double(range_ - last_ + *now);
        last_ = *now;
    }

private:
    fs::path file_;
    unsigned long long range_, last_;
};

/// The functions of NVML that are needed, by its stable binary interface: 0 is success.
class EnergyCounter::Nvml
{
public:
    using Device = void*;
    explicit Nvml(const std::string& library) : library_(dlopen(library.c_str(), RTLD_NOW))
    {
        if (!library_) return;
        find(init_, "nvmlInit_v2");
        find(shutdown_, "nvmlShutdown");
        find(by_bus_, "nvmlDeviceGetHandleByPciBusId_v2");
        find(name_, "nvmlDeviceGetName");
        find(energy_, "nvmlDeviceGetTotalEnergyConsumption");
        works_ = init_ && shutdown_ && by_bus_ && name_ && energy_ && init_() == 0;
    }
    ~Nvml()
    {
        if (works_) shutdown_();
        if (library_) dlclose(library_);
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    std::optional<Device> device(const std::string& bus) const
    {
        Device device = nullptr;
        if (works_ && by_bus_(bus.c_str(), &device) == 0) return device;
        return std::nullopt;
    }
    std::string name(Device device) const
    {
        char name[96] = "";
        return name_(device, name, sizeof name) == 0 ? one_line(name) : "GPU";
    }
    /// Millijoules since the driver was loaded.
    std::optional<unsigned long long> energy(Device device) const
    {
        unsigned long long mj = 0;
        if (energy_(device, &mj) == 0) return mj;
        return std::nullopt;
    }

private:
    template <class Function>
    void find(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(dlsym(library_, name));
    }

    void* library_;
    bool works_ = false;
    int (*init_)() = nullptr;
    int (*shutdown_)() = nullptr;
    int (*by_bus_)(const char*, Device*) = nullptr;
    int (*name_)(Device, char*, unsigned) = nullptr;
    int (*energy_)(Device, unsigned long long*) = nullptr;
};

class EnergyCounter::Gpu : public Meter
{
public:
    Gpu(std::string name, const Nvml& nvml, Nvml::Device device, unsigned long long now)
        : Meter(std::move(name)), nvml_(nvml), device_(device), first_(now)
    {
    }
    void look() override
    {
        const auto now = nvml_.energy(device_);
        if (now && *now >= first_) joules_ = 1e-3 * double(*now - first_);
    }

private:
    const Nvml& nvml_;
    Nvml::Device device_;
    unsigned long long first_;
};

EnergyCounter::EnergyCounter(const EnergyMeters& m) : looked_(std::chrono::steady_clock::now())
{
    add_packages(m.powercap);
    if (!m.gpus.empty()) nvml_ = std::make_unique<Nvml>(m.nvml);
    for (const std::string& bus : m.gpus) {
        const auto device = nvml_->device(bus);
        const auto now = device ? nvml_->energy(*device) : std::nullopt;
        if (!now) continue;
        const std::string name = fmt::format("{} at {}", nvml_->name(*device), bus);
        meters_.push_back(std::make_unique<Gpu>(name, *nvml_, *device, *now));
    }
}

EnergyCounter::~EnergyCounter() = default;

/// A package's counter has all of its parts but memory in it.
void EnergyCounter::add_packages(const fs::path& powercap)
{
    std::error_code none;
    std::map<std::string, fs::path> zones; // in the order of their names
    for (fs::directory_iterator i(powercap, none), end; !none && i != end; i.increment(none))
        if (depth_of(i->path().filename()) > 0) zones[i->path().filename()] = i->path();
    for (const auto& [zone, path] : zones) {
        std::string name = line_in(path / "name");
        const auto now = number_in(path / "energy_uj");
        if (!now || name.empty()) continue;
        if (depth_of(zone) == 2) {
            if (name != "dram") continue;
            const auto package = zones.find(zone.substr(0, zone.rfind(':')));
            if (package != zones.end()) name += " of " + line_in(package->second / "name");
        } else if (depth_of(zone) != 1 || name == "psys") { // the whole board, packages and all
            continue;
        }
        meters_.push_back(std::make_unique<Package>(name, path, *now));
    }
}

void EnergyCounter::look()
{
    looked_ = std::chrono::steady_clock::now();
    for (const auto& meter : meters_) meter->look();
}

void EnergyCounter::look_again()
{
    if (meters_.empty()) return;
    if (std::chrono::steady_clock::now() - looked_ >= std::chrono::seconds(10)) look();
}

std::vector<EnergyUsed> EnergyCounter::used()
{
    look();
    std::vector<EnergyUsed> all;
    for (const auto& meter : meters_) all.push_back(meter->used());
    return all;
}

EnergyMeters meters_of([[maybe_unused]] const Session& session)
{
    EnergyMeters meters;
#ifdef QCD_WITH_CUDA
    for (const int worker : session.worker_ids(STARPU_CUDA_WORKER)) {
        char bus[32] = "";
        if (cudaDeviceGetPCIBusId(bus, sizeof bus, starpu_worker_get_devid(worker)) == cudaSuccess)
            meters.gpus.emplace_back(bus);
    }
#endif
    return meters;
}

} // namespace qcd
