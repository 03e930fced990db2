// Roofline, residual, and the history of an ensemble, by uPlot.

/** uPlot in a place, as wide as that. */
function chart(place, height, options, columns) {
    const made = new uPlot({ width: Math.max(200, place.clientWidth), height, ...options }, columns, place);
    new ResizeObserver(() => requestAnimationFrame(() => {
        if (place.clientWidth > 0) made.setSize({ width: place.clientWidth, height });
    })).observe(place);
    return made;
}

// Logarithmic axes have decimal logarithms on a plain one: uPlot's own do not reach residuals of 1e-17.
const log = (x) => x > 0 ? Math.log10(x) : null;
/** Whole decades about these logarithms. */
function decades(logs) {
    const seen = logs.filter((x) => x !== null);
    const low = Math.floor(Math.min(...seen)), high = Math.ceil(Math.max(...seen));
    return [low, Math.max(high, low + 1)];
}
const powers = {
    splits: (self, i, low, high) => {
        const step = Math.max(1, Math.ceil((high - low) / 8)), all = [];
        for (let p = Math.ceil(low); p <= high; p += step) all.push(p);
        return all;
    },
    values: (self, splits) => splits.map((p) => p >= -2 && p <= 3 ? String(digits(10 ** p, 1)) : `1e${p}`),
};
const axis = (label, ticks) => ({ label, ...ticks, labelSize: 20, size: 34, font: "12px system-ui", labelFont: "12px system-ui",
                                   stroke: "#5b6875", grid: { stroke: "#edf0f3" }, ticks: { stroke: "#d8dee4" } });

function draw_residual() {
    const history = data.run.residual_history, requested = data.run.residual.requested;
    if (!history.length) {
        section("residual", element("p", {}, "No history."));
        return;
    }
    const place = element("div", { class: "picture" });
    section("residual", element("p", {}, "The iterated |b − D x|/|b| after each iteration" +
            (data.run.solves.length > 1 ? " of the last solve" : "") + "; recomputed from x it is ",
            number("run.residual.true", (x) => x.toExponential(3)), "."), place);
    const series = [{ label: "iteration" },
                    { label: "iterated |b − D x|/|b|", stroke: "#1f6fb4", width: 1.5, points: { show: history.length < 60 },
                      value: (self, x) => x === null || x === undefined ? "–" : (10 ** x).toExponential(3) }];
    const columns = [history.map((_, i) => i), history.map(log)];
    if (requested !== null) {
        series.push({ label: "requested", stroke: "#c0392b", dash: [6, 4], points: { show: false },
                      value: () => requested.toExponential(1) });
        columns.push(history.map(() => log(requested)));
    }
    const range = decades(columns.slice(1).flat());
    chart(place, 300, { scales: { x: { time: false }, y: { range } }, series, cursor: { drag: { y: false } },
                        axes: [axis("iteration"), { ...axis("residual", powers), size: 60 }] }, columns);
}

function draw_history() {
    const rows = data.run.history, shown = { show: rows.length < 60 };
    if (rows.length < 2) {
        section("history", element("p", {}, "Fewer than two measurements."));
        return;
    }
    const of = (key) => rows.map((row) => row[key]);
    const curves = (label, lines) => {
        const place = element("div", { class: "picture" });
        section("history", place);
        const series = lines.map(([name, colour]) => ({ label: name, stroke: colour, width: 1.5, points: shown,
            value: (self, x) => x === null || x === undefined ? "–" : x.toFixed(6) }));
        chart(place, 260, { scales: { x: { time: false } }, series: [{ label: "sweep" }, ...series],
                            axes: [axis("sweep"), { ...axis(label), size: 60 }] }, [of("sweep"), ...lines.map(([, , values]) => values)]);
    };
    section("history", element("p", {}, "Plaquettes, (1/3) Re tr U averaged over the planes of space and over those with t, and " +
            "the Polyakov loop P, (1/3) tr of the links t along t averaged over space, after each measured sweep."));
    curves("plaquette", [["space", "#1f6fb4", of("plaquette_space")], ["time", "#e69f00", of("plaquette_time")]]);
    curves("P", [["Re P", "#1f6fb4", of("polyakov_re")], ["Im P", "#e69f00", of("polyakov_im")],
                 ["|P|", "#009e73", rows.map((row) => Math.hypot(row.polyakov_re, row.polyakov_im))]]);
}

/** Of each kind of worker what was measured: GB/s of the triad and the peak in GFLOPS, of all of a kind. */
function roofs_of(run) {
    const of_kind = new Map();
    for (const k of run.kernels)
        if (k.percent_of_triad > 0) of_kind.set(k.worker, { kind: k.worker, gb: 100 * k.gb_per_s / k.percent_of_triad });
    run.peaks.forEach((p, i) => {
        const roof = of_kind.get(p.worker) || { kind: p.worker };
        of_kind.set(p.worker, { ...roof, peak: p[run.precision], path: `run.peaks.${i}.${run.precision}` });
    });
    return [...of_kind.values()];
}
const logs_of_roof = (roof) => ({ gb: log(roof.gb || 0), peak: log(roof.peak || 0) });
/** Of the GFLOPS that a roof allows; null where nothing was measured. */
function under(roof, flop_per_byte) {
    const { gb, peak } = logs_of_roof(roof);
    return gb === null ? peak : peak === null ? flop_per_byte + gb : Math.min(peak, flop_per_byte + gb);
}

function draw_rates(kernels) {
    const rows = kernels.map((k) => {
        const i = data.run.kernels.indexOf(k), key = (name, text) => number(`run.kernels.${i}.${name}`, text);
        return [named(colour_of(k.name), k.name), k.worker, k.gflops > 0 ? digits(k.gflops / k.gb_per_s, 3) : "–",
                key("gflops", (x) => x > 0 ? x.toFixed(2) : "–"), key("gb_per_s", fixed(2)),
                key("percent_of_triad", (x) => x.toFixed(1) + "%"), key("mean_us", fixed(2))];
    });
    return table([["kernel"], ["worker"], ["flop/byte", 1], ["GFLOPS", 1], ["GB/s", 1], [data.run.triad_in_cache ? "of triad in cache" : "of triad", 1], ["mean µs", 1]], rows);
}

function draw_roofline() {
    const run = data.run, kernels = run.kernels, on_roof = kernels.filter((k) => k.gflops > 0 && k.gb_per_s > 0);
    const roofs = roofs_of(run), place = element("div", { class: "picture" });
    const measured = roofs.flatMap((roof, i) => [i ? "; " : "", `${roof.kind} `,
        roof.gb ? `${digits(roof.gb, 4)} GB/s` : "no triad", ", ",
        ...(roof.path ? [number(roof.path, (x) => digits(x, 4)), " GFLOPS"] : ["no peak"])]);
    section("roofline", element("p", {}, "Arithmetic and bytes by the contract of each operation, over the mean time of its " +
            "calls that did something, all workers of a kind together. The roof is what this run measured: the bandwidth of " +
            `the triad y ← x + βy on its lattice${run.triad_in_cache ? " (in cache: memory is slower)" : ""}, ` +
            "and the peak of a loop of fma in its precision: ",
            ...(measured.length ? measured : ["nothing"]), ". What lies in a cache may be above the slope. " +
            "Operations that compute nothing are in the table alone."), place);
    if (on_roof.length) roofline_chart(place, on_roof, roofs);
    section("roofline", draw_rates(kernels));
}

function roofline_chart(place, kernels, roofs) {
    const intensity = kernels.map((k) => log(k.gflops / k.gb_per_s));
    const ridges = roofs.map(logs_of_roof).filter((r) => r.gb !== null && r.peak !== null).map((r) => r.peak - r.gb);
    const x = decades([...intensity, ...ridges]);
    const points = [...new Set([...intensity, ...ridges, ...x])].sort((a, b) => a - b);
    const series = [{ label: "flop/byte" }], columns = [points];
    for (const roof of roofs) {
        series.push({ label: `roof, ${roof.kind}`, stroke: "#5b6875", width: 1.5, points: { show: false } });
        columns.push(points.map((flop_per_byte) => under(roof, flop_per_byte)));
    }
    kernels.forEach((k, i) => {
        series.push({ label: k.name, stroke: colour_of(k.name), paths: () => null,
                      points: { show: true, size: 11, fill: colour_of(k.name) } });
        columns.push(points.map((p) => p === intensity[i] ? log(k.gflops) : null));
    });
    const y = decades(columns.slice(1).flat());
    chart(place, 320, { scales: { x: { time: false, range: x }, y: { range: y } }, series,
                        legend: { show: false }, cursor: { show: false },
                        axes: [axis("flop/byte", powers), { ...axis("GFLOPS", powers), size: 52 }] }, columns);
}
