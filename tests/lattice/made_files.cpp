#include "tests/lattice/made_files.hpp"

#include "lattice/files/gauge_file.hpp"
#include "lattice/link.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace qcd::test
{

namespace
{

std::string integer_bytes(std::uint64_t value, int bytes, Order order)
{
    std::string out;
    for (int i = 0; i < bytes; ++i) {
        const int shift = 8 * (order == Order::big ? bytes - 1 - i : i);
        out += char(value >> shift & 0xff);
    }
    return out;
}

std::uint32_t rotate_left(std::uint32_t word, unsigned by)
{
    return by == 0 ? word : word << by | word >> (32 - by);
}

/// Sum of 32-bit words.
std::uint32_t word_sum(const std::string& data, Order order)
{
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const unsigned place = order == Order::big ? 3 - i % 4 : i % 4;
        sum += std::uint32_t(static_cast<unsigned char>(data[i])) << 8 * place;
    }
    return sum;
}

} // namespace

Field load(GaugeSource& source)
{
    Field field{source.extents(), {}, {}, {}};
    GaugeMeasurement measurement(field.lattice);
    std::vector<double> slice(source.slice_reals());
    for (int t = 0; t < field.lattice[3]; ++t) {
        source.read_slice(t, slice);
        measurement.add_slice(t, slice);
        field.links.insert(field.links.end(), slice.begin(), slice.end());
    }
    field.observables = measurement.result();
    source.finish(field.observables);
    field.notes = source.notes();
    return field;
}

Field load_spec(const std::string& spec, const Extents& lattice)
{
    return load(*open_gauge(spec, lattice));
}

Field load_bytes(const std::string& bytes, const std::optional<Extents>& lattice)
{
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    auto memory = memory_bytes("made", std::vector<std::byte>(begin, begin + bytes.size()));
    return load(*open_gauge_file(std::move(memory), lattice));
}

double unitarity_violation(const Field& field)
{
    double largest = 0;
    for (std::size_t i = 0; i < field.links.size(); i += links::reals_per_link)
        largest = std::max(largest, links::unitarity_violation(links::load(&field.links[i])));
    return largest;
}

std::string encode(const std::vector<double>& numbers, int bits, Order order)
{
    std::string out;
    for (const double number : numbers)
        out += bits == 32 ? integer_bytes(std::bit_cast<std::uint32_t>(float(number)), 4, order)
                          : integer_bytes(std::bit_cast<std::uint64_t>(number), 8, order);
    return out;
}

std::vector<double> two_rows(const std::vector<double>& links)
{
    std::vector<double> out;
    for (std::size_t i = 0; i < links.size(); i += 18)
        out.insert(out.end(), links.begin() + i, links.begin() + i + 12);
    return out;
}

std::vector<double> rounded(const std::vector<double>& links)
{
    std::vector<double> out(links.size());
    std::transform(links.begin(), links.end(), out.begin(),
                   [](double x) { return double(float(x)); });
    return out;
}

std::uint32_t crc32(const std::string& bytes)
{
    std::uint32_t crc = 0xffffffff;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

std::string& NerscFile::operator[](const std::string& key)
{
    for (auto& [name, value] : header)
        if (name == key) return value;
    return header.emplace_back(key, "").second;
}

void NerscFile::remove(const std::string& key)
{
    std::erase_if(header, [&](const auto& line) { return line.first == key; });
}

std::string NerscFile::bytes() const
{
    std::string out = "BEGIN_HEADER\n";
    for (const auto& [key, value] : header) out += key + " = " + value + "\n";
    return out + end + data;
}

NerscFile nersc_file(const Field& field, int rows, int bits, Order order,
                     const std::string& floating_point)
{
    NerscFile file;
    file.data = encode(rows == 2 ? two_rows(field.links) : field.links, bits, order);
    file["DATATYPE"] = rows == 2 ? "4D_SU3_GAUGE" : "4D_SU3_GAUGE_3x3";
    for (int mu = 0; mu < 4; ++mu)
        file[fmt::format("DIMENSION_{}", mu + 1)] = std::to_string(field.lattice[mu]);
    file["ENSEMBLE_LABEL"] = "made for a test";
    file["CHECKSUM"] = fmt::format("{:x}", word_sum(file.data, order));
    file["LINK_TRACE"] = fmt::format("{:.10g}", field.observables.link_trace);
    file["PLAQUETTE"] = fmt::format("{:.10g}", field.observables.plaquette_total);
    file["FLOATING_POINT"] = floating_point;
    return file;
}

LimeRecord& LimeFile::operator[](const std::string& type)
{
    for (LimeRecord& record : records)
        if (record.type == type) return record;
    throw std::out_of_range(type);
}

void LimeFile::remove(const std::string& type)
{
    std::erase_if(records, [&](const LimeRecord& record) { return record.type == type; });
}

std::string lime_record_bytes(const LimeRecord& record)
{
    std::string out = integer_bytes(0x456789ab, 4, Order::big) + integer_bytes(1, 2, Order::big) +
                      integer_bytes(record.flags, 2, Order::big) +
                      integer_bytes(record.data.size(), 8, Order::big) + record.type;
    out.resize(144, '\0');
    out += record.data;
    while (out.size() % 8 != 0) out += '\0';
    return out;
}

std::string LimeFile::bytes() const
{
    std::string out;
    for (const LimeRecord& record : records) out += lime_record_bytes(record);
    return out;
}

std::string ildg_format_text(const Extents& lattice, int bits)
{
    return fmt::format("<?xml version=\"1.0\"?>\n<ildgFormat>\n  <version>1.0</version>\n"
                       "  <field>su3gauge</field>\n  <precision>{}</precision>\n  <lx>{}</lx>\n"
                       "  <ly>{}</ly>\n  <lz>{}</lz>\n  <lt>{}</lt>\n</ildgFormat>\n",
                       bits, lattice[0], lattice[1], lattice[2], lattice[3]);
}

std::string scidac_checksum_text(const std::string& data, std::size_t site_bytes)
{
    std::uint32_t suma = 0, sumb = 0;
    for (std::size_t site = 0; site * site_bytes < data.size(); ++site) {
        const std::uint32_t crc = crc32(data.substr(site * site_bytes, site_bytes));
        suma ^= rotate_left(crc, site % 29);
        sumb ^= rotate_left(crc, site % 31);
    }
    return fmt::format("<scidacChecksum><version>1.0</version><suma>{:x}</suma><sumb>{:x}</sumb>"
                       "</scidacChecksum>",
                       suma, sumb);
}

LimeFile ildg_file(const Field& field, int bits)
{
    const std::string data = encode(field.links, bits, Order::big);
    return {{{"xlf-info", "plaquette = 0.5", 0xc000},
             {"ildg-format", ildg_format_text(field.lattice, bits), 0x8000},
             {"ildg-binary-data", data, 0},
             {"ildg-data-lfn", "lfn://none/made", 0},
             {"scidac-checksum", scidac_checksum_text(data, 72 * bits / 8), 0x4000}}};
}

std::string scidac_file_text(const Extents& lattice)
{
    std::string dims;
    for (const int extent : lattice) dims += std::to_string(extent) + " ";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacFile><version>1.1</version>"
           "<spacetime>4</spacetime><dims>" +
           dims + "</dims><volfmt>0</volfmt></scidacFile>";
}

std::string scidac_record_text(const std::string& datatype, int bits, int typesize, int datacount)
{
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacRecord>"
                       "<version>1.1</version><date>Fri Oct 23 05:37:48 2020 UTC</date>"
                       "<recordtype>0</recordtype><datatype>{}</datatype>"
                       "<precision>{}</precision><colors>3</colors><spins>4</spins>"
                       "<typesize>{}</typesize><datacount>{}</datacount></scidacRecord>",
                       datatype, bits == 32 ? "F" : "D", typesize, datacount);
}

LimeFile scidac_file(const Field& field, int bits)
{
    const std::string data = encode(field.links, bits, Order::big);
    const std::string datatype = bits == 32 ? "QDP_F3_ColorMatrix" : "QDP_D3_ColorMatrix";
    return {{{"scidac-private-file-xml", scidac_file_text(field.lattice), 0x8000},
             {"scidac-file-xml", "<?xml version=\"1.0\"?><gauge><id>0</id></gauge>", 0x4000},
             {"scidac-private-record-xml", scidac_record_text(datatype, bits, 18 * bits / 8, 4),
              0x8000},
             {"scidac-record-xml", "not even XML", 0},
             {"scidac-binary-data", data, 0},
             {"scidac-checksum", scidac_checksum_text(data, 72 * bits / 8), 0x4000}}};
}

std::string MilcFile::bytes() const
{
    std::string out = integer_bytes(magic, 4, order);
    for (const std::uint32_t extent : extents) out += integer_bytes(extent, 4, order);
    std::string padded = date;
    padded.resize(64, '\0');
    return out + padded + integer_bytes(sites_order, 4, order) + integer_bytes(sum29, 4, order) +
           integer_bytes(sum31, 4, order) + data;
}

MilcFile milc_file(const Field& field, Order order)
{
    MilcFile file;
    file.order = order;
    for (const int extent : field.lattice) file.extents.push_back(std::uint32_t(extent));
    file.date = "Sat Nov 21 12:00:00 2026";
    file.data = encode(field.links, 32, order);
    unsigned rank29 = 0, rank31 = 0;
    for (const double link : field.links) {
        const auto word = std::bit_cast<std::uint32_t>(float(link));
        file.sum29 ^= rotate_left(word, rank29);
        file.sum31 ^= rotate_left(word, rank31);
        rank29 = rank29 == 28 ? 0 : rank29 + 1;
        rank31 = rank31 == 30 ? 0 : rank31 + 1;
    }
    return file;
}

std::string OpenqcdFile::bytes() const
{
    std::string out;
    for (const std::uint32_t extent : extents) out += integer_bytes(extent, 4, Order::little);
    return out + encode({plaquette}, 64, Order::little) + data;
}

OpenqcdFile openqcd_file(const Field& field)
{
    const int lx = field.lattice[0], ly = field.lattice[1], lz = field.lattice[2],
              lt = field.lattice[3];
    OpenqcdFile file;
    for (const int extent : {lt, lx, ly, lz}) file.extents.push_back(std::uint32_t(extent));
    file.plaquette = 3 * field.observables.plaquette_total;
    std::vector<double> numbers;
    const auto add = [&](int x, int y, int z, int t, int mu) {
        const std::size_t site =
            (((t + lt) % lt * lz + (z + lz) % lz) * ly + (y + ly) % ly) * std::size_t(lx) +
            (x + lx) % lx;
        const auto link = field.links.begin() + long(site * 72 + mu * 18);
        numbers.insert(numbers.end(), link, link + 18);
    };
    for (int t = 0; t < lt; ++t)
        for (int x = 0; x < lx; ++x)
            for (int y = 0; y < ly; ++y)
                for (int z = 0; z < lz; ++z) {
                    if ((x + y + z + t) % 2 == 0) continue;
                    add(x, y, z, t, 3);
                    add(x, y, z, t - 1, 3);
                    add(x, y, z, t, 0);
                    add(x - 1, y, z, t, 0);
                    add(x, y, z, t, 1);
                    add(x, y - 1, z, t, 1);
                    add(x, y, z, t, 2);
                    add(x, y, z - 1, t, 2);
                }
    file.data = encode(numbers, 64, Order::little);
    return file;
}

std::string SzinFile::header() const
{
    std::vector<std::uint32_t> words{std::uint32_t(date.size()), std::uint32_t(banner.size()), 12};
    for (const char c : date + banner) words.push_back(std::uint32_t(c));
    words.push_back(version);
    const std::size_t end = words.size() + std::size_t(parameters);
    if (version >= 5) words.push_back(1); // type of the fermions
    words.insert(words.end(), {dimensions, colours});
    words.resize(end, 0x40c00000);
    words.insert(words.end(), extents.begin(), extents.end());
    words.resize(words.size() + 4 + 41 * 20, 11);
    std::string out;
    for (const std::uint32_t word : words) out += integer_bytes(word, 4, Order::big);
    return out;
}

SzinFile szin_file(const Field& field)
{
    const int lx = field.lattice[0], ly = field.lattice[1], lz = field.lattice[2],
              lt = field.lattice[3];
    SzinFile file;
    for (const int extent : field.lattice) file.extents.push_back(std::uint32_t(extent));
    std::vector<double> numbers;
    for (int mu = 0; mu < 4; ++mu)
        for (int parity = 0; parity < 2; ++parity)
            for (int site = 0; site < lx * ly * lz * lt; ++site) {
                const int x = site % lx, y = site / lx % ly, z = site / lx / ly % lz,
                          t = site / lx / ly / lz;
                if ((x + y + z + t) % 2 != parity) continue;
                for (int column = 0; column < 3; ++column)
                    for (int row = 0; row < 3; ++row)
                        for (int part = 0; part < 2; ++part)
                            numbers.push_back(field.links[std::size_t(
                                site * 72 + mu * 18 + row * 6 + column * 2 + part)]);
            }
    file.data = encode(numbers, 32, Order::big);
    return file;
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    return text.replace(text.find(from), from.size(), to); // throws if it is not there
}

} // namespace qcd::test
