#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"

namespace qcd::cli
{

namespace
{

const Words<Method> methods{{"cr", Method::cr}, {"cg", Method::cg}, {"bicgstab", Method::bicgstab}};
const Words<Precision> precisions{{"double", Precision::f64}, {"single", Precision::f32}};
const Words<std::optional<LinkStorage>> storages{{"auto", std::nullopt},
                                                 {"18", LinkStorage::full},
                                                 {"12", LinkStorage::two_rows},
                                                 {"8", LinkStorage::minimal}};
const Words<bool> on_off{{"on", true}, {"off", false}};

} // namespace

std::string_view to_string(Method m) { return word_of(methods, m); }
std::string_view to_string(Precision p) { return word_of(precisions, p); }

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
        "conjugate residuals on gamma5 D, conjugate gradients on D^dagger D, or BiCGstab on D");
    add_choice(app, "--even-odd", o.even_odd, on_off,
               "solve on the even sites, reconstruct the odd ones");
    add_fields(app, o.precision, o.links);
    CLI::Option* tolerance =
        app.add_option("--tol", o.tolerance, "relative residual |b - D x|/|b| to reach")
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

void finish_method(const Parser& app, SolveOptions& o)
{
    if (!app.given("--tol")) o.tolerance = o.precision == Precision::f64 ? 1e-10 : 1e-4;
    if (o.method == Method::cr && o.even_odd && o.problem.mubar != 0)
        throw Error(
            "--mubar: solver cr needs A - A^dagger = c 1, which gamma5 Dhat with mubar != 0 "
            "has not: use --even-odd off, or --solver cg or bicgstab");
    if (o.method == Method::bicgstab && !o.even_odd && o.problem.source.starts_with("point:"))
        throw Error(
            "--source: BiCGstab breaks down on a single point where D acts on all sites (b is "
            "orthogonal to the residual after one step): use --even-odd on, or --solver cr "
            "or cg");
}

} // namespace qcd::cli
