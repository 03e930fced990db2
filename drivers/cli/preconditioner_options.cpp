#include "drivers/cli/option_groups.hpp"
#include "solver/method.hpp"
#include "tasks/domains.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace qcd::cli
{

namespace
{

constexpr std::array<std::string_view, 6> words{"schwarz", "mr", "gcr", "bicgstab", "cr", "cg"};
constexpr int most_iterations = 1000;

PreconditionerChoice parse_preconditioner(const std::string& text)
{
    const std::size_t colon = text.find(':');
    PreconditionerChoice c{.method = text.substr(0, colon)};
    const std::optional<int> n = colon == text.npos
                                     ? c.iterations
                                     : parse_number<int>(std::string_view(text).substr(colon + 1));
    if (std::find(words.begin(), words.end(), c.method) == words.end() || !n || *n < 1 ||
        *n > most_iterations)
        throw Error(fmt::format("--precondition: {} is none of {}, with :N behind it for N "
                                "iterations, 1 to {}",
                                qcd::quoted(text), fmt::join(words, ", "), most_iterations));
    c.iterations = *n;
    return c;
}

void check_domain(const SolveOptions& o)
{
    const Extents& domain = *o.domain;
    if (std::any_of(domain.begin(), domain.end(), [](int l) { return l % 2 != 0; }))
        throw Error(fmt::format("--domain: {} has an odd extent", qcd::to_string(domain)));
    if (o.problem.lattice) Domains(*o.problem.lattice, domain);
    if (o.links == LinkStorage::minimal)
        throw Error("--domain: links between domains are 0, which 8 reals cannot hold: use --links "
                    "12 or 18");
}

void check_preconditioner(const SolveOptions& o)
{
    const std::string& method = o.precondition->method;
    if (method == "schwarz" && !o.domain) throw Error("--precondition: schwarz needs --domain");
    if (method == "schwarz" && o.problem.csw != 0)
        throw Error("--precondition: schwarz has no clover term: use mr with the same --domain");
    if (method == "cr" && o.even_odd && o.problem.mubar != 0)
        throw Error(
            "--precondition: cr needs A - A^dagger = c 1, which gamma5 Dhat with mubar != 0 "
            "has not: use --even-odd off, or another method");
}

} // namespace

void add_preconditioner(Parser& app, SolveOptions& o)
{
    app.option_defaults()->group("Method");
    app.add_option("--restart", o.restart, "of gcr: directions after which it begins anew")
        ->type_name("K")
        ->transform(whole(1, most_restart))
        ->default_str(std::to_string(default_restart));
    app.add_option_function<std::string>(
           "--precondition",
           [&o](const std::string& text) {
               if (text == "off")
                   o.precondition.reset();
               else
                   o.precondition = parse_preconditioner(text);
           },
           "of gcr: so many iterations of a method, in the precision of --sloppy; schwarz: steps "
           "of "
           "relaxation in domains")
        ->type_name(fmt::format("off|{}[:N]", fmt::join(words, "|")))
        ->default_str("off");
    app.add_option_function<std::string>(
           "--domain",
           [&o](const std::string& text) { o.domain = parse_extents(text, "--domain"); },
           "of the preconditioner: it acts in blocks of this size, each alone (additive Schwarz)")
        ->type_name("XxYxZxT")
        ->default_str("the lattice");
}

void finish_preconditioner(const SolveOptions& o)
{
    if (o.method != Method::gcr && (o.restart || o.precondition || o.domain))
        throw Error(fmt::format("{}: of --solver gcr, which is flexible, not of {}",
                                o.restart        ? "--restart"
                                : o.precondition ? "--precondition"
                                                 : "--domain",
                                to_string(o.method)));
    if (o.method != Method::gcr) return;
    if (o.engine != Engine::starpu)
        throw Error(fmt::format("--solver: the engine {} has no gcr", to_string(o.engine)));
    if (o.sloppy == Precision::f16)
        throw Error("--sloppy half: gcr has no 16 bits: use --sloppy single");
    if (o.domain && !o.precondition)
        throw Error("--domain: of a preconditioner: see --precondition");
    if (o.domain) check_domain(o);
    if (o.precondition) check_preconditioner(o);
    if (o.precondition && o.sloppy_drop)
        throw Error("--sloppy-drop: with --precondition only that is in lower precision");
}

} // namespace qcd::cli
