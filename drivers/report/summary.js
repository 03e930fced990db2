// What ran, and the answer.

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

function draw_summary() {
    const run = data.run;
    const good = run.verified && (run.converged || run.residual.requested === null);
    document.title = `qcd_starpu: ${run.solver} on ${run.lattice.join("x")}, ${outcome(run)}`;
    section("head", element("h1", {}, "D x = b on ", run.lattice.join("x")),
            element("div", {}, element("span", { class: "outcome" + (good ? " good" : ""), id: "outcome" }, outcome(run))));
    const residual = number("run.residual.true", (x) => x.toExponential(3));
    const requested = run.residual.requested === null ? "convergence was not asked for"
                                                      : `requested ${run.residual.requested.toExponential(1)}`;
    section("summary", element("h2", {}, "What ran"), element("dl", {},
            ...what_ran(run).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
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
