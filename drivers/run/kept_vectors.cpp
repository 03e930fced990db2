#include "drivers/run/kept_vectors.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "program/complain.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;
constexpr const char* kind = "multigrid test vectors";

/// The matrix whose modes they are, without its links.
Json matrix_of(const ProblemSpec& p)
{
    return {{"kappa", kappa_of(p)},
            {"mubar", p.mubar()},
            {"csw", p.csw()},
            {"antiperiodic", p.antiperiodic()},
            {"theta", p.theta()}};
}

/// What a file says of its vectors. Throws Error where it is of something else.
Json description_in(const SpinorFile& file)
{
    const Json j = Json::parse(file.info(), nullptr, false);
    if (!j.is_object() || j.value("kind", Json()) != kind || !j.contains("matrix") ||
        !j.contains("links_digest") || !j["links_digest"].is_string())
        throw Error("--mg-load: {}: not written by --mg-save", file.description());
    return j;
}

} // namespace

KeptVectors::KeptVectors(const RunSpec& s, ObservedGauge& gauge)
    : spec_(s), gauge_(gauge), vectors_(problem_of(s).preconditioning->multigrid->vectors),
      bits_(s.method.sloppy().value_or(s.method.precision()) == Precision::f64 ? 64 : 32)
{
    gauge.compute_digest();
    if (!s.method.mg_load().empty()) {
        loaded_ = open_spinor_file(s.method.mg_load(), gauge.extents());
        description_in(*loaded_);
        if (loaded_->spinors() != vectors_)
            throw Error("--mg-load: {}: {}, not the {} of --mg-vectors", loaded_->description(),
                        counted(loaded_->spinors(), "vector"), vectors_);
        for (const std::string& line : loaded_->verify()) note(line, s.output.quiet());
    }
    if (!s.output.mg_save().empty())
        make_spinor_writer(s.output.mg_save(), {.lattice = gauge.extents()});
}

std::optional<bool> KeptVectors::fit() const
{
    if (!loaded_) return std::nullopt;
    return description_in(*loaded_)["matrix"] == matrix_of(spec_.problem);
}

std::vector<std::unique_ptr<SpinorSource>> KeptVectors::kept()
{
    std::vector<std::unique_ptr<SpinorSource>> all;
    if (!loaded_) return all;
    const std::string there = description_in(*loaded_)["links_digest"],
                      here = fmt::format("{:016x}", gauge_.digest());
    if (there != here)
        throw Error("--mg-load: {}: of other links: their digest is {} there, {} here",
                    loaded_->description(), qcd::quoted(there), here);
    for (int i = 0; i < vectors_; ++i) all.push_back(loaded_->spinor(i));
    return all;
}

void KeptVectors::keep(const SpinorField& field, int rhs)
{
    if (spec_.output.mg_save().empty() || !failure_.empty()) return;
    try {
        if (!writer_)
            writer_ = make_spinor_writer(
                spec_.output.mg_save(),
                {.lattice = gauge_.extents(),
                 .bits = bits_,
                 .spinors = vectors_,
                 .info = Json{{"kind", kind},
                              {"links_digest", fmt::format("{:016x}", gauge_.digest())},
                              {"matrix", matrix_of(spec_.problem)}}
                             .dump()});
        field.visit([&](const Coord&, const double* v) { writer_->add_site(v); }, rhs);
        if (++written_ < vectors_) return;
        writer_->finish();
    } catch (const Error& e) {
        failure_ = e.what();
    }
    writer_.reset();
}

std::shared_ptr<KeptVectors> open_test_vectors(const RunSpec& s, ObservedGauge& gauge)
{
    if (s.method.mg_load().empty() && s.output.mg_save().empty()) return nullptr;
    return std::make_shared<KeptVectors>(s, gauge);
}

} // namespace qcd
