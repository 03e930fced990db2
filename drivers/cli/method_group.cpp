#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"

#include <algorithm>

namespace qcd::cli
{

namespace
{

const Words<Method> methods{
    {"cr", Method::cr}, {"cg", Method::cg}, {"bicgstab", Method::bicgstab}, {"gcr", Method::gcr}};
const Words<Precision> precisions{{"double", Precision::f64}, {"single", Precision::f32}};
const Words<std::optional<Precision>> sloppy_precisions{
    {"off", std::nullopt}, {"single", Precision::f32}, {"half", Precision::f16}};
const Words<std::optional<LinkStorage>> storages{{"auto", std::nullopt},
                                                 {"18", LinkStorage::full},
                                                 {"12", LinkStorage::two_rows},
                                                 {"8", LinkStorage::minimal}};
const Words<bool> on_off{{"on", true}, {"off", false}};

} // namespace

std::string_view to_string(Method m) { return word_of(methods, m); }
std::string_view to_string(Precision p)
{
    return p == Precision::f16 ? word_of(sloppy_precisions, std::optional(p))
                               : word_of(precisions, p);
}

void add_fields(Parser& app, Precision& precision, std::optional<LinkStorage>& links)
{
    app.option_defaults()->group("Method");
    add_choice(app, "--precision,--prec", precision, precisions, "of fields and arithmetic");
    add_choice(app, "--links,--recon", links, storages,
               "reals that a link is stored in; 12, 8: less to read, links "
               "must be in SU(3); auto: 12 where that changes no bit, else 18");
}

void add_method(Parser& app, SolveOptions& o)
{
    app.option_defaults()->group("Method");
    add_choice(
        app, "--solver", o.method, methods,
        "conjugate residuals on gamma5 D, conjugate gradients on D^dagger D, BiCGstab on D, or "
        "generalised conjugate residuals on D");
    add_preconditioner(app, o);
    app.option_defaults()->group("Method");
    add_choice(app, "--even-odd", o.even_odd, on_off,
               "solve on the even sites, reconstruct the odd ones");
    add_fields(app, o.precision, o.links);
    add_choice(app, "--sloppy", o.sloppy, sloppy_precisions,
               "lower precision for the iterations, half: 16 bits of fixed point; the residual is "
               "kept in double");
    app.add_option("--sloppy-drop", o.sloppy_drop,
                   "compute the residual in double where it has fallen by this factor")
        ->type_name("D")
        ->check(real([](double d) { return d > 1e-6 && d < 1; }, "a number between 1e-6 and 1"))
        ->default_str(fmt::format("{}, in half {}", default_sloppy_drop(Precision::f32),
                                  default_sloppy_drop(Precision::f16)));
    CLI::Option* tolerance =
        app.add_option("--tol", o.tolerance,
                       "|b - D x|/|b| to reach, recomputed from x in double on all sites")
            ->type_name("TOL")
            ->check(real([](double t) { return t > 0 && t < 1; }, "a number between 0 and 1"))
            ->default_str("1e-10, in single precision 1e-4");
    CLI::Option* limit =
        app.add_option("--max-iterations", o.max_iterations, "give up after N iterations")
            ->type_name("N")
            ->transform(whole(1, most_repetitions))
            ->capture_default_str();
    app.add_option("--iterations,--niter", o.iterations,
                   "exactly N iterations, no convergence test: for timing")
        ->type_name("N")
        ->transform(whole(1, most_repetitions))
        ->excludes(tolerance)
        ->excludes(limit);
}

void add_rhs(Parser& app, int& rhs)
{
    app.option_defaults()->group("Method");
    app.add_option(
           "--rhs", rhs,
           "right-hand sides solved together: of seeds one after the other, or the components "
           "of point:x,y,z,t or wall:t")
        ->type_name("N")
        ->transform(whole(1, most_rhs))
        ->capture_default_str();
}

const StudyVersion* parse_stencil(const std::string& text)
{
    if (text == "auto") return nullptr;
    std::vector<std::string_view> names{"auto"};
    for (const StudyVersion& v : study_versions) {
        if (v.name == text) return &v;
        names.push_back(v.name);
    }
    throw Error(
        fmt::format("--stencil: {} is none of {}", qcd::quoted(text), fmt::join(names, ", ")));
}

int parse_multiple(const std::string& text)
{
    const std::optional<int> n = parse_number<int>(text);
    if (!n ||
        std::find(study_multiples.begin(), study_multiples.end(), *n) == study_multiples.end())
        throw Error(fmt::format("--multiple: {} is none of {}", qcd::quoted(text),
                                fmt::join(study_multiples, ", ")));
    return *n;
}

void add_stencil(Parser& app, SolveOptions& o)
{
    app.option_defaults()->group("Method");
    app.add_option_function<std::string>(
           "--stencil", [&o](const std::string& text) { o.stencil = parse_stencil(text); },
           "the solver of the study of 2013 with a version of its kernels; auto: today's")
        ->type_name("auto|VERSION")
        ->default_str("auto");
    app.add_option_function<std::string>(
           "--multiple", [&o](const std::string& text) { o.multiple = parse_multiple(text); },
           "sites of a work group on devices, in versions 1.2 and later")
        ->type_name(fmt::format("{}", fmt::join(study_multiples, "|")))
        ->default_str(std::to_string(default_multiple));
}

namespace
{

/// In double alone there is something to be had from iterations in single.
void finish_sloppy(const SolveOptions& o)
{
    if (!o.sloppy) {
        if (o.sloppy_drop)
            throw Error("--sloppy-drop: of iterations in lower precision: see --sloppy");
        return;
    }
    if (o.precision != Precision::f64)
        throw Error("--sloppy: the solve itself is in single precision: use --precision double");
    if (o.engine != Engine::starpu)
        throw Error(
            fmt::format("--sloppy: the engine {} computes in one precision", to_string(o.engine)));
    if (o.sloppy == Precision::f16 && o.links == LinkStorage::minimal)
        throw Error("--sloppy half: links of 8 reals are none in 16 bits: use --links 12 or 18");
}

/// What has one right-hand side alone.
void finish_rhs(const Parser& app, const SolveOptions& o)
{
    if (o.rhs == 1) return;
    if (o.engine != Engine::starpu)
        throw Error(
            fmt::format("--rhs: --engine {} solves for one right-hand side", to_string(o.engine)));
    if (o.stencil)
        throw Error(
            fmt::format("--rhs: version {} solves for one right-hand side", o.stencil->name));
    if (o.method == Method::gcr) throw Error("--rhs: solver gcr has one right-hand side");
    if (o.sloppy && o.iterations)
        throw Error("--rhs: in two precisions it is to a tolerance, not for --iterations");
    if (o.plan && o.plan->kind == PlanKind::linked)
        throw Error("--rhs: linked workers have one right-hand side");
    for (const char* option : {"--guess", "--save-solution", "--checkpoint", "--resume", "--split"})
        if (app.given(option))
            throw Error(fmt::format("--rhs: {} is of one right-hand side", option));
}

/// A version has its own links, and no even-odd preconditioning.
void finish_stencil(const Parser& app, SolveOptions& o)
{
    if (!o.stencil) {
        if (o.multiple) throw Error("--multiple: of versions of the study: see --stencil");
        return;
    }
    if (o.problem.csw != 0)
        throw Error(fmt::format("--csw: version {} has no clover term", o.stencil->name));
    if (app.given("--even-odd") && o.even_odd)
        throw Error(fmt::format("--even-odd: version {} acts on all sites: use --even-odd off",
                                o.stencil->name));
    if (o.links && *o.links != LinkStorage::full)
        throw Error(
            fmt::format("--links: version {} stores all 18 reals of a link", o.stencil->name));
    o.even_odd = false;
    o.links = LinkStorage::full;
}

} // namespace

void finish_method(const Parser& app, SolveOptions& o)
{
    if (o.problem.csw != 0 && o.engine != Engine::starpu)
        throw Error(fmt::format("--csw: --engine {} has no clover term", to_string(o.engine)));
    finish_stencil(app, o);
    finish_sloppy(o);
    finish_rhs(app, o);
    finish_preconditioner(o);
    if (!app.given("--tol")) o.tolerance = o.precision == Precision::f64 ? 1e-10 : 1e-4;
    if (o.method == Method::cr && o.even_odd && o.problem.mubar != 0)
        throw Error(
            "--mubar: solver cr needs A - A^dagger = c 1, which gamma5 Dhat with mubar != 0 "
            "has not: use --even-odd off, or --solver cg, bicgstab or gcr");
    if (o.method == Method::bicgstab && !o.even_odd && o.problem.source.starts_with("point:"))
        throw Error(
            "--source: BiCGstab breaks down on a single point where D acts on all sites (b is "
            "orthogonal to the residual after one step): use --even-odd on, or --solver cr "
            "or cg");
}

} // namespace qcd::cli
