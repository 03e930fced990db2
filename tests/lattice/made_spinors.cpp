#include "tests/lattice/made_spinors.hpp"

#include "lattice/box.hpp"

#include <fmt/format.h>

#include <complex>
#include <numbers>
#include <random>

namespace qcd::test
{

SpinorFile open_spinors(const std::string& bytes, const SpinorReading& reading)
{
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    return open_spinor_file(
        memory_bytes("made", std::vector<std::byte>(begin, begin + bytes.size())),
        made_spinor_lattice, reading);
}

Numbers random_spinor(const Extents& lattice, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Numbers psi(std::size_t(volume(lattice)) * 24);
    for (double& x : psi) x = normal(random);
    return psi;
}

std::vector<Numbers> random_propagator(const Extents& lattice, std::uint64_t seed)
{
    std::vector<Numbers> all;
    for (std::uint64_t source = 0; source < 12; ++source)
        all.push_back(random_spinor(lattice, 100 * seed + source));
    return all;
}

Numbers turned(Numbers psi, const Theta& theta, int sign)
{
    std::size_t at = 0;
    for_each_site(made_spinor_lattice, [&](const Coord& x) {
        double angle = 0;
        for (int mu = 0; mu < 4; ++mu) angle += theta[mu] * x[mu] / made_spinor_lattice[mu];
        for (int component = 0; component < 12; ++component, at += 2) {
            const std::complex<double> out = std::complex(psi[at], psi[at + 1]) *
                                             std::polar(1.0, sign * std::numbers::pi * angle);
            psi[at] = out.real();
            psi[at + 1] = out.imag();
        }
    });
    return psi;
}

std::vector<LimeRecord> scidac_spinor_records(const Numbers& psi, int bits,
                                              const std::string& user_xml)
{
    const std::string data = encode(psi, bits, Order::big);
    const std::string datatype = bits == 32 ? "USQCD_F3_DiracFermion" : "USQCD_D3_DiracFermion";
    return {
        {"scidac-private-record-xml", scidac_record_text(datatype, bits, 24 * bits / 8, 1), 0x8000},
        {"scidac-record-xml", user_xml, 0},
        {"scidac-binary-data", data, 0},
        {"scidac-checksum", scidac_checksum_text(data, std::size_t(24) * bits / 8), 0x4000}};
}

LimeFile scidac_spinor_file(const std::vector<Numbers>& spinors, int bits,
                            const std::vector<std::string>& user_xml)
{
    LimeFile file{{{"scidac-private-file-xml", scidac_file_text(made_spinor_lattice), 0x8000},
                   {"scidac-file-xml", "<?xml version=\"1.0\"?><a><b>c</b></a>", 0x4000}}};
    for (std::size_t i = 0; i < spinors.size(); ++i) {
        const auto records = scidac_spinor_records(spinors[i], bits, user_xml.at(i));
        file.records.insert(file.records.end(), records.begin(), records.end());
    }
    return file;
}

LimeFile packed_spinors(const std::vector<Numbers>& spinors, int bits, const std::string& datatype)
{
    Numbers all;
    for (std::size_t site = 0; site < spinors[0].size(); site += 24)
        for (const Numbers& psi : spinors)
            all.insert(all.end(), psi.begin() + long(site), psi.begin() + long(site) + 24);
    LimeFile file = scidac_spinor_file({all}, bits, {"<x/>"});
    const int bytes = 24 * bits / 8, count = int(spinors.size());
    file["scidac-private-record-xml"].data = scidac_record_text(datatype, bits, bytes, count);
    file["scidac-checksum"].data = scidac_checksum_text(file["scidac-binary-data"].data,
                                                        std::size_t(bytes) * std::size_t(count));
    return file;
}

std::string usqcd_text(int source)
{
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?><usqcdPropInfo>"
                       "<version>1.0</version><spin>{}</spin><color>{}</color>"
                       "<info>any <b>thing</b></info></usqcdPropInfo>",
                       source / 3, source % 3);
}

LimeFile chroma_propagator(const std::vector<Numbers>& spinors, int bits)
{
    Numbers all;
    for (std::size_t site = 0; site < spinors[0].size() / 24; ++site)
        for (int spin = 0; spin < 4; ++spin)
            for (int source_spin = 0; source_spin < 4; ++source_spin)
                for (int colour = 0; colour < 3; ++colour)
                    for (int source_colour = 0; source_colour < 3; ++source_colour)
                        for (int part = 0; part < 2; ++part)
                            all.push_back(spinors[3 * source_spin + source_colour]
                                                 [24 * site + 6 * spin + 2 * colour + part]);
    LimeFile file = scidac_spinor_file({all}, bits, {"<PropInfo><x>1</x></PropInfo>"});
    file["scidac-private-record-xml"].data = scidac_record_text("Lattice", bits, 288 * bits / 8, 1);
    file["scidac-checksum"].data =
        scidac_checksum_text(file["scidac-binary-data"].data, std::size_t(288) * bits / 8);
    return file;
}

LimeFile etmc_file(const std::vector<Numbers>& spinors, int bits, const std::string& type)
{
    const auto [lx, ly, lz, lt] = made_spinor_lattice;
    LimeFile file{{{"propagator-type", type, 0xc000}, {"inverter-info", "solver = CG", 0xc000}}};
    for (const Numbers& psi : spinors) {
        const std::string data = encode(psi, bits, Order::big);
        file.records.push_back(
            {"etmc-propagator-format",
             fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<etmcFormat>\n"
                         "  <field>diracFermion</field>\n  <precision>{}</precision>\n"
                         "  <flavours>1</flavours>\n  <lx>{}</lx>\n  <ly>{}</ly>\n  <lz>{}</lz>\n"
                         "  <lt>{}</lt>\n</etmcFormat>",
                         bits, lx, ly, lz, lt),
             0xc000});
        file.records.push_back({"scidac-binary-data", data, 0x8000});
        file.records.push_back(
            {"scidac-checksum", scidac_checksum_text(data, std::size_t(24) * bits / 8), 0x4000});
    }
    return file;
}

} // namespace qcd::test
