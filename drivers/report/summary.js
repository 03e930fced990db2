// What ran, and the answer: of a solve, or of an ensemble.

/** Is the page of `generate`? */
const is_ensemble = data.run.beta !== undefined;

function outcome(run) {
    return run.ending + (run.verified ? ", verified" : ", not verified");
}

function figure(label, ...value) {
    return element("div", { class: "figure" }, element("b", {}, ...value), element("span", {}, label));
}

function workers_of(run) {
    const kinds = [["cpu", "CPU"], ["cuda", "CUDA"], ["opencl", "OpenCL"]];
    return kinds.filter(([key]) => run.workers[key] > 0).map(([key, name]) => `${run.workers[key]} ${name}`).join(", ")
        || "none";
}

function what_ran(run) {
    const size = run.lattice.reduce((a, b) => a * b, 1);
    const plan = run.plan;
    return [
        ["problem", `D x = b on ${run.lattice.join("x")} = ${count(size)} sites, ${run.boundary} in t; kappa ` +
                    `${digits(run.kappa, 10)}, mass ${digits(run.mass, 10)}, mubar ${digits(run.mubar, 10)}`],
        ["gauge field", `${run.gauge.source}; plaquette ${run.gauge.plaquette.total.toFixed(12)}`],
        ["source", run.source],
        ["method", `${run.solver} on ${run.operator}, ${run.precision} precision, ${run.links} reals per link`],
        ["plan", plan ? plan.text + (plan.why ? `; ${plan.why}` : "") : "none"],
        ["tiles", run.tiles ? `${run.tiles.join("x")} = ${count(run.tiles.reduce((a, b) => a * b, 1))}` : "–"],
        ["workers", `${workers_of(run)}; scheduler ${run.scheduler}; load average ${run.load_average.toFixed(2)}`],
        ["machine", [run.cpu, ...run.gpus].join("; ")],
        ["program", `${run.version}, StarPU ${run.starpu.version}`],
        ["date", run.date],
        ["same run", element("code", {}, run.command)],
        ["|x|²", number("run.solution.norm2", (x) => x.toExponential(15))],
        ["digest of x", number("run.solution.digest", String)],
    ];
}

function definitions(rows) {
    return element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function draw_ensemble() {
    const run = data.run, size = run.lattice.reduce((a, b) => a * b, 1), lattice = run.lattice.join("x");
    const ending = `${count(run.sweeps)} sweeps` + (run.interrupted ? `, interrupted: ${count(run.sweeps_asked)} were asked for` : "");
    document.title = `qcd_starpu: ensemble at beta ${digits(run.beta, 6)} on ${lattice}, ${ending}`;
    section("head", element("h1", {}, `SU(3) at beta ${digits(run.beta, 6)} on ${lattice}`),
            element("div", {}, element("span", { class: "outcome" + (run.interrupted ? "" : " good"), id: "outcome" }, ending)));
    const per_sweep = 1e9 * run.seconds.sweeps / Math.max(1, run.sweeps - run.sweeps_before);
    const mean = (key, name) => figure(`${name}, mean of ${count(run.averaged)} measurements after sweep ${count(run.thermalize)}`,
        number(`run.means.${key}.mean`, fixed(6)), " ± ", number(`run.means.${key}.error`, (x) => digits(x, 2)));
    section("summary", element("h2", {}, "What ran"), definitions([
            ["ensemble", `Wilson's action, beta ${digits(run.beta, 10)}, ${lattice} = ${count(size)} sites, start ${run.start}, seed ${run.seed}`],
            ["sweep", `heat bath, ${run.overrelaxations} of overrelaxation; reunitarized after every ${run.reunitarize}`],
            ["plan", run.plan],
            ["tiles", `${run.tiles.join("x")} = ${count(run.tiles.reduce((a, b) => a * b, 1))}`],
            ["workers", `${workers_of(run)}; scheduler ${run.scheduler}`],
            ["machine", [run.cpu, ...run.gpus].join("; ")],
            ["program", `${run.version}, StarPU ${run.starpu.version}`],
            ["date", run.date],
            ["same run", element("code", {}, run.command)],
            ["digest of the links", number("run.digest", String)]]),
        element("div", { class: "figures" },
            figure("sweeps", number("run.sweeps", count)),
            ...(run.averaged ? [mean("plaquette", "plaquette"), mean("polyakov_abs", "|Polyakov loop|")] : []),
            figure("a sweep", time(per_sweep)),
            figure("million link updates a second", number("run.link_updates_per_s", (x) => digits(1e-6 * x, 4))),
            figure("of all measurements", number("run.seconds.measurements", (s) => time(1e9 * s))),
            figure("tasks", number("run.tasks", count)),
            figure("of the workers' time outside tasks", number("trace.idle_share", percent))));
}

function draw_summary() {
    if (is_ensemble) {
        draw_ensemble();
        return;
    }
    const run = data.run;
    const good = run.verified && (run.converged || run.residual.requested === null);
    document.title = `qcd_starpu: ${run.solver} on ${run.lattice.join("x")}, ${outcome(run)}`;
    section("head", element("h1", {}, "D x = b on ", run.lattice.join("x")),
            element("div", {}, element("span", { class: "outcome" + (good ? " good" : ""), id: "outcome" }, outcome(run))));
    const residual = number("run.residual.true", (x) => x.toExponential(3));
    const requested = run.residual.requested === null ? "convergence was not asked for"
                                                      : `requested ${run.residual.requested.toExponential(1)}`;
    section("summary", element("h2", {}, "What ran"), definitions(what_ran(run)),
        element("div", { class: "figures" },
            figure("iterations", number("run.iterations", count)),
            figure(`true |b − D x|/|b|, in double; ${requested}`, residual),
            figure(run.solves.length > 1 ? `solve, median of ${run.solves.length}` : "solve",
                   number("run.seconds.solve", (s) => time(1e9 * s))),
            figure(data.run.csw ? "1320 flop per site of a hopping term, 504 of a clover matrix" : "1320 flop per site of a hopping term", number("run.gflops", fixed(2)), " GFLOPS"),
            figure("tasks of a solve", number("run.tasks", count)),
            figure("moved between memories in a solve", number("run.bytes_moved", bytes)),
            figure("of the workers' time outside tasks", number("trace.idle_share", percent)),
            ...run.energy.map((e, i) => figure(`of ${e.meter} in a solve`, number(`run.energy.${i}.joules`, (x) => digits(x, 4)),
                                               " J"))));
}
