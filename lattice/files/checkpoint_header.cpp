#include "lattice/files/checkpoint_header.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/xml.hpp"
#include "lattice/files/xml_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

namespace qcd
{

namespace
{

constexpr std::size_t most_vectors = 8, most_right_hand_sides = 1000;
constexpr std::array solvers{"cr", "cg", "bicgstab"};

const char* boundary(bool antiperiodic) { return antiperiodic ? "antiperiodic" : "periodic"; }
const char* on_or_off(bool on) { return on ? "on" : "off"; }

/// The elements that describe the problem and the state.
class Elements
{
public:
    explicit Elements(XmlFields fields) : fields_(std::move(fields)) {}

    /// One of two words.
    bool take_word(const char* name, const char* yes, const char* no)
    {
        const std::string text = fields_.take(name);
        if (text != yes && text != no)
            throw fields_.bad_value(name, text, fmt::format("{} or {}", yes, no));
        return text == yes;
    }
    double take_real(const char* name) { return real(name, fields_.take(name)); }
    double real(const char* name, std::string_view text)
    {
        const auto value = parse_number<double>(text);
        if (!value || !std::isfinite(*value)) throw fields_.bad_value(name, text, "a number");
        return *value;
    }
    Theta take_theta()
    {
        const std::string text = fields_.take("theta");
        const auto numbers = split(text, ',');
        Theta theta{};
        if (numbers.size() != theta.size()) throw fields_.bad_value("theta", text, "four numbers");
        for (std::size_t mu = 0; mu < theta.size(); ++mu) theta[mu] = real("theta", numbers[mu]);
        return theta;
    }
    std::vector<std::uint64_t> take_digests(const char* name)
    {
        std::vector<std::uint64_t> all;
        const std::string text = fields_.take(name);
        for (const std::string_view digest : split(text, ',')) {
            const auto value = parse_digest(digest);
            if (!value) throw fields_.bad_value(name, text, "16 hexadecimal digits");
            all.push_back(*value);
        }
        if (all.empty() || all.size() > most_right_hand_sides)
            throw fields_.bad_value(name, text, "as many as there are right-hand sides");
        return all;
    }
    std::string take_solver(const char* name)
    {
        const std::string text = fields_.take(name);
        if (std::find(solvers.begin(), solvers.end(), text) == solvers.end())
            throw fields_.bad_value(name, text, fmt::format("one of {}", fmt::join(solvers, ", ")));
        return text;
    }
    /// Takes as many counts as are expected.
    std::vector<long> take_counts(const char* name, std::size_t expected)
    {
        std::vector<long> all;
        const std::string text = fields_.take(name);
        for (const std::string_view word : split(text, ',')) {
            const auto count = parse_number<std::uint64_t>(word);
            if (!count) throw fields_.bad_value(name, text, "a whole number");
            if (*count > std::uint64_t(1) << 60) throw fields_.bad_value(name, text, "fewer");
            all.push_back(long(*count));
        }
        if (all.size() != expected)
            throw fields_.bad_value(name, text, fmt::format("{} numbers", expected));
        return all;
    }
    long take_count(const char* name) { return take_counts(name, 1).front(); }
    XmlFields& fields() { return fields_; }

private:
    XmlFields fields_;
};

CheckpointProblem take_problem(Elements& e)
{
    CheckpointProblem p;
    p.lattice = e.fields().take_extents();
    p.antiperiodic = e.take_word("boundary", boundary(true), boundary(false));
    p.theta = e.take_theta();
    p.kappa = e.take_real("kappa");
    p.mubar = e.take_real("mubar");
    p.csw = e.take_real("csw");
    p.solver = e.take_solver("solver");
    p.even_odd = e.take_word("evenOdd", on_or_off(true), on_or_off(false));
    p.bits = e.fields().take_bits();
    p.links = int(e.take_count("links"));
    p.tolerance = e.take_real("tolerance");
    const std::string links = e.fields().take("linksDigest");
    const auto digest = parse_digest(links);
    if (!digest) throw e.fields().bad_value("linksDigest", links, "16 hexadecimal digits");
    p.links_digest = *digest;
    p.source_digests = e.take_digests("sourceDigest");
    return p;
}

} // namespace

void require_checkpoint_version(XmlFields& fields)
{
    const std::string version = fields.take("version");
    if (version != "1")
        throw fields.error(fmt::format("version {}, of a newer program: this one reads version 1",
                                       qcd::quoted(version)));
}

CheckpointHeader take_checkpoint_header(XmlFields fields)
{
    Elements e(std::move(fields));
    CheckpointHeader h;
    h.program = one_line(e.fields().take("program"));
    h.problem = take_problem(e);
    h.method = e.take_solver("method");
    const std::size_t rhs = h.problem.source_digests.size();
    h.sides.resize(rhs);
    const auto take = [&](const char* name, const auto& put) {
        const std::vector<long> counts = e.take_counts(name, rhs);
        for (std::size_t i = 0; i < rhs; ++i) put(h.sides[i], counts[i]);
    };
    using Side = CheckpointHeader::Side;
    take("applications", [](Side& s, long n) { s.done.applications = n; });
    take("applicationsAtStart", [](Side& s, long n) { s.applications_at_start = n; });
    const bool before = e.fields().has("applicationsBefore");
    if (before)
        take("applicationsBefore", [](Side& s, long n) {
            s.before = CheckpointHeader::Done{n, {}};
        });
    if (h.method != h.problem.solver || before)
        if (h.method != "cg" || h.problem.solver != "cr" || !before)
            throw e.fields().error(
                fmt::format("method {} does not follow on {}", h.method, h.problem.solver));
    const std::string names = e.fields().take("vectors");
    for (const std::string_view name : split(names, ',')) h.vectors.emplace_back(trim(name));
    if (h.vectors.size() > most_vectors)
        throw e.fields().error(fmt::format("{} vectors", h.vectors.size()));
    e.fields().require_all_taken();
    return h;
}

double CheckpointHeader::residual() const
{
    double largest = 0;
    for (const Side& s : sides) {
        const Done& last = s.done.residuals.empty() && s.before ? *s.before : s.done;
        if (!last.residuals.empty() && !(last.residuals.back() <= largest))
            largest = last.residuals.back();
    }
    return largest;
}

int CheckpointHeader::iterations() const
{
    int most = 0;
    for (const Side& s : sides) most = std::max(most, s.iterations());
    return most;
}

long CheckpointHeader::applications() const
{
    long all = 0;
    for (const Side& s : sides) all += s.applications();
    return all;
}

std::string checkpoint_xml(const CheckpointHeader& h)
{
    const CheckpointProblem& p = h.problem;
    const auto& [lx, ly, lz, lt] = p.lattice;
    std::string xml =
        fmt::format("{}\n<{}>\n<version>1</version>\n", xml_declaration, checkpoint_root);
    const auto add = [&](const char* name, const auto& value) {
        xml += fmt::format("<{}>{}</{}>\n", name, value, name);
    };
    add("program", h.program);
    add("lx", lx);
    add("ly", ly);
    add("lz", lz);
    add("lt", lt);
    add("boundary", boundary(p.antiperiodic));
    add("theta", fmt::format("{}", fmt::join(p.theta, ",")));
    add("kappa", p.kappa);
    add("mubar", p.mubar);
    add("csw", p.csw);
    add("solver", p.solver);
    add("evenOdd", on_or_off(p.even_odd));
    add("precision", p.bits);
    add("links", p.links);
    add("tolerance", p.tolerance);
    add("linksDigest", fmt::format("{:016x}", p.links_digest));
    add("sourceDigest", fmt::format("{:016x}", fmt::join(p.source_digests, ",")));
    add("method", h.method);
    const auto add_each = [&](const char* name, const auto& number_of) {
        std::vector<long> numbers;
        for (const CheckpointHeader::Side& s : h.sides) numbers.push_back(number_of(s));
        add(name, fmt::format("{}", fmt::join(numbers, ",")));
    };
    using Side = CheckpointHeader::Side;
    add_each("applications", [](const Side& s) { return s.done.applications; });
    add_each("applicationsAtStart", [](const Side& s) { return s.applications_at_start; });
    if (h.sides.front().before)
        add_each("applicationsBefore", [](const Side& s) { return s.before->applications; });
    add("vectors", fmt::format("{}", fmt::join(h.vectors, ",")));
    return xml + fmt::format("</{}>\n", checkpoint_root);
}

std::string difference(const CheckpointProblem& there, const CheckpointProblem& here,
                       bool links_are_known)
{
    std::string first;
    const auto compare = [&](const char* what, const auto& a, const auto& b) {
        if (first.empty() && a != b) first = fmt::format("{} {} there, {} here", what, a, b);
    };
    const auto digest = [](std::uint64_t d) { return fmt::format("{:016x}", d); };
    compare("lattice", to_string(there.lattice), to_string(here.lattice));
    compare("solver", there.solver, here.solver);
    compare("even-odd", std::string_view(on_or_off(there.even_odd)), on_or_off(here.even_odd));
    compare("bits of a real", there.bits, here.bits);
    compare("links", there.links, here.links);
    compare("boundary", std::string_view(boundary(there.antiperiodic)),
            boundary(here.antiperiodic));
    compare("theta", fmt::format("{}", fmt::join(there.theta, ",")),
            fmt::format("{}", fmt::join(here.theta, ",")));
    compare("kappa", there.kappa, here.kappa);
    compare("mubar", there.mubar, here.mubar);
    compare("csw", there.csw, here.csw);
    compare("tolerance", there.tolerance, here.tolerance);
    compare("right-hand sides:", there.source_digests.size(), here.source_digests.size());
    for (std::size_t i = 0; first.empty() && i < here.source_digests.size(); ++i)
        compare("digest of the source", digest(there.source_digests[i]),
                digest(here.source_digests[i]));
    if (links_are_known)
        compare("digest of the links", digest(there.links_digest), digest(here.links_digest));
    return first;
}

} // namespace qcd
