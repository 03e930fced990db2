#include "lattice/files/checkpoint_file.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/checksum.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/running_xxh64.hpp"
#include "lattice/files/xml_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace qcd
{

namespace
{

constexpr const char *header_type = "qcd-checkpoint", *scalars_type = "qcd-scalars",
                     *residuals_type = "qcd-residuals", *before_type = "qcd-residuals-before",
                     *vector_type = "qcd-vector", *checksums_type = "qcd-checksums";
constexpr std::uint64_t most_scalars = 1000, checksum_digits = 17; // with the line's end
constexpr std::size_t most_records = 20000;

std::uint64_t vector_bytes(const CheckpointProblem& p)
{
    return std::uint64_t(volume(p.lattice)) / (p.even_odd ? 2 : 1) * 24 * p.bits / 8;
}

/// The records, in their order.
class Records
{
public:
    explicit Records(const FileBytes& bytes) : bytes_(bytes)
    {
        LimeReader reader(bytes);
        while (const auto record = reader.next()) {
            if (all_.size() == most_records) throw error("too many records");
            all_.push_back(*record);
        }
        if (all_.empty() || all_.back().type != checksums_type)
            throw error(fmt::format("truncated: no {} record at its end", checksums_type));
        read_checksums();
    }

    /// The next one, which must be of this type.
    const LimeRecord& next(const char* type)
    {
        const LimeRecord& record = all_[at_];
        if (record.type != type)
            throw error(
                fmt::format("record {} where {} is expected", qcd::quoted(record.type), type));
        ++at_;
        return record;
    }
    std::uint64_t checksum() const { return checksums_[at_ - 1]; } ///< of that one

    /// The text of the next record, which must be short enough for memory and have its checksum.
    std::string text(const char* type, std::uint64_t most)
    {
        const LimeRecord& record = next(type);
        if (record.length > most)
            throw error(fmt::format("{} of {} bytes", record.type, record.length));
        const std::string data = bytes_.text(record.offset, record.length);
        require_checksum(data);
        return data;
    }
    void require_text(const char* type) { text(type, 1 << 16); }
    std::vector<double> reals(const char* type, std::uint64_t most)
    {
        const std::string data = text(type, most * sizeof(double));
        if (data.size() % sizeof(double) != 0)
            throw error(fmt::format("{} of {} bytes", type, data.size()));
        std::vector<double> out(data.size() / sizeof(double));
        std::copy_n(data.data(), data.size(), reinterpret_cast<char*>(out.data()));
        for (const double number : out)
            if (!std::isfinite(number)) throw error(fmt::format("{}: not finite", type));
        return out;
    }
    void require_end()
    {
        next(checksums_type);
        if (at_ != all_.size()) throw error("records behind its checksums");
    }
    Error error(const std::string& problem) const
    {
        return Error("{}: checkpoint: {}", bytes_.name(), problem);
    }

private:
    void require_checksum(const std::string& data) const
    {
        if (xxh64(std::as_bytes(std::span(data))) != checksum())
            throw error(fmt::format("damaged: wrong checksum of {}", all_[at_ - 1].type));
    }
    void read_checksums()
    {
        const std::uint64_t count = all_.size() - 1;
        const LimeRecord& record = all_.back();
        const auto bad = [&] { return error(fmt::format("{}: not one for each", checksums_type)); };
        if (record.length != count * checksum_digits) throw bad();
        const std::string text = bytes_.text(record.offset, record.length);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto value = parse_digest(std::string_view(text).substr(i * checksum_digits, 16));
            if (!value || text[(i + 1) * checksum_digits - 1] != '\n') throw bad();
            checksums_.push_back(*value);
        }
    }

    const FileBytes& bytes_;
    std::vector<LimeRecord> all_;
    std::vector<std::uint64_t> checksums_;
    std::size_t at_ = 0;
};

std::vector<double> take_residuals(Records& records, const char* type)
{
    constexpr std::uint64_t most = 1000000001; // as iterations
    return records.reals(type, most);
}

/// Writes records one after the other and notes their checksums.
class RecordWriter
{
public:
    explicit RecordWriter(AtomicFile& file) : file_(file) {}
    void add(const char* type, std::span<const std::byte> data, bool last = false)
    {
        add(
            type, data.size(), [&](const auto& put) { put(data); }, last);
    }
    void add(const char* type, std::uint64_t bytes, const VectorPieces& data, bool last = false)
    {
        file_.append(lime_header(type, bytes, size_ == 0, last));
        RunningXxh64 sum;
        data([&](std::span<const std::byte> piece) {
            file_.append(piece);
            sum.add(piece);
        });
        constexpr std::array<std::byte, 8> zeros{};
        const std::uint64_t padding = lime_padding(bytes);
        file_.append(std::span(zeros).first(padding));
        constexpr std::uint64_t header_bytes = 144;
        size_ += header_bytes + bytes + padding;
        sums_ += fmt::format("{:016x}\n", sum.value());
    }
    std::uint64_t finish()
    {
        const std::string sums = sums_;
        add(checksums_type, std::as_bytes(std::span(sums)), true);
        return size_;
    }

private:
    AtomicFile& file_;
    std::string sums_;
    std::uint64_t size_ = 0;
};

} // namespace

bool is_checkpoint(const FileBytes& bytes)
{
    constexpr std::uint64_t type_offset = 16;
    const std::string magic = "\x45\x67\x89\xab", type = std::string(header_type) + '\0';
    return bytes.text(0, magic.size()) == magic && bytes.text(type_offset, type.size()) == type;
}

CheckpointFile::CheckpointFile(std::unique_ptr<FileBytes> bytes) : bytes_(std::move(bytes))
{
    if (!is_checkpoint(*bytes_)) throw Error("{}: not a checkpoint of a solve", bytes_->name());
    XmlFields fields(*bytes_, LimeReader(*bytes_).next().value(), checkpoint_root);
    require_checkpoint_version(fields);
    Records records(*bytes_);
    records.require_text(header_type);
    header_ = take_checkpoint_header(std::move(fields));
    require_lattice(header_.problem.lattice, bytes_->name());
    for (CheckpointHeader::Side& side : header_.sides) {
        side.scalars = records.reals(scalars_type, most_scalars);
        side.done.residuals = take_residuals(records, residuals_type);
        if (side.before) side.before->residuals = take_residuals(records, before_type);
        // One that has ended before may have no part in the method.
        const bool has_part = header_.sides.size() == 1 || !side.before;
        const auto* empty = side.before && side.before->residuals.empty() ? before_type
                            : has_part && side.done.residuals.empty()     ? residuals_type
                                                                          : nullptr;
        if (empty) throw records.error(fmt::format("{}: empty", empty));
        for (const std::string& name : header_.vectors) {
            const LimeRecord& record = records.next(vector_type);
            vectors_.push_back({record.offset, record.length, records.checksum()});
            const std::uint64_t expected = vector_bytes(header_.problem);
            if (vectors_.back().length != expected)
                throw records.error(fmt::format("wrong size: vector {} has {} bytes, not {}",
                                                qcd::quoted(name), vectors_.back().length,
                                                expected));
        }
    }
    records.require_end();
}

std::vector<char> CheckpointFile::read_vector(std::size_t number, std::size_t rhs) const
{
    return read_vector(number, {{}, header_.problem.lattice}, rhs);
}

std::vector<char> CheckpointFile::read_vector(std::size_t number, const Box& box,
                                              std::size_t rhs) const
{
    const Extents& l = header_.problem.lattice;
    if (!lies_in(l, box) || box.extents[0] != l[0])
        throw Error("{}: checkpoint: asked for a box {}, the lattice is {}", name(), to_string(box),
                    to_string(l));
    const Vector& vector = vectors_.at(rhs * header_.vectors.size() + number);
    const std::size_t row = vector.length / std::size_t(volume(l) / l[0]);
    std::vector<char> slice(row * l[1] * l[2]), reals;
    reals.reserve(row * std::size_t(volume(box) / l[0]));
    RunningXxh64 sum;
    for (int t = 0; t < l[3]; ++t) {
        const auto bytes = std::as_writable_bytes(std::span(slice));
        bytes_->read(vector.offset + t * slice.size(), bytes);
        sum.add(bytes);
        if (t < box.lower[3] || t >= box.lower[3] + box.extents[3]) continue;
        for (int z = box.lower[2]; z < box.lower[2] + box.extents[2]; ++z) {
            const auto rows = slice.begin() + std::ptrdiff_t(row * (z * l[1] + box.lower[1]));
            reals.insert(reals.end(), rows, rows + std::ptrdiff_t(row * box.extents[1]));
        }
    }
    if (sum.value() != vector.checksum)
        throw Error("{}: checkpoint: damaged: wrong checksum of vector {}", name(),
                    qcd::quoted(header_.vectors[number]));
    return reals;
}

std::uint64_t write_checkpoint(const std::string& path, const CheckpointHeader& h,
                               const std::vector<std::span<const std::byte>>& vectors)
{
    std::vector<VectorPieces> pieces;
    for (const std::span<const std::byte> vector : vectors) {
        if (vector.size() != vector_bytes(h.problem))
            throw Error("checkpoint: vector of {} bytes, not {}", vector.size(),
                        vector_bytes(h.problem));
        pieces.push_back([vector](const auto& put) { put(vector); });
    }
    return write_checkpoint(path, h, pieces);
}

std::uint64_t write_checkpoint(const std::string& path, const CheckpointHeader& h,
                               const std::vector<VectorPieces>& vectors)
{
    AtomicFile file(path);
    RecordWriter records(file);
    const std::string xml = checkpoint_xml(h);
    records.add(header_type, std::as_bytes(std::span(xml)));
    for (std::size_t i = 0; i < h.sides.size(); ++i) {
        const CheckpointHeader::Side& side = h.sides[i];
        records.add(scalars_type, std::as_bytes(std::span(side.scalars)));
        records.add(residuals_type, std::as_bytes(std::span(side.done.residuals)));
        if (side.before) records.add(before_type, std::as_bytes(std::span(side.before->residuals)));
        for (std::size_t v = 0; v < h.vectors.size(); ++v)
            records.add(vector_type, vector_bytes(h.problem), vectors.at(i * h.vectors.size() + v));
    }
    const std::uint64_t size = records.finish();
    file.commit();
    return size;
}

} // namespace qcd
