// Tables with bars: kernels, workers, copies, bound.

/** heads: [name, is it a number?]; a cell may be a bar. */
function table(heads, rows) {
    const head = heads.map(([name, numeric]) => element("th", { class: numeric ? "number" : undefined }, name));
    const body = rows.map((row) => element("tr", {}, ...row.map((cell, i) =>
        cell.bar !== undefined
            ? element("td", { class: "bar" }, element("i", { style: { width: percent(Math.min(1, Math.max(0, cell.bar))),
                                                                     background: cell.colour } }))
            : element("td", { class: heads[i][1] ? "number" : undefined }, cell))));
    return element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)),
                                                       element("tbody", {}, ...body)));
}

function named(colour, name) {
    return element("span", {}, swatch(colour), name);
}

function colour_of(operation) {
    return data.names.colours[data.names.operations.indexOf(operation)] || "#888888";
}

function draw_profile() {
    const trace = data.trace, workers = trace.workers.length, wall = trace.to_ms - trace.from_ms;
    const rows = trace.kernels.map((k, i) => {
        const key = (name, text) => number(`trace.kernels.${i}.${name}`, text);
        return [named(colour_of(k.name), k.name), key("share", percent), { bar: k.share, colour: colour_of(k.name) },
                k.worker, key("count", count), key("mean_us", fixed(2)), key("median_us", fixed(2)),
                key("total_ms", fixed(3))];
    });
    rows.push([named(data.names.idle_colour, "no task"), percent(trace.idle_share), { bar: trace.idle_share, colour: "#b8bfc6" },
               "", "", "", "", fixed(3)(trace.idle_share * workers * wall)]);
    section("profile", element("p", {}, `Of ${count(trace.tasks)} executions; a batch's operations count one by one. ` +
            `Share: of the time of all workers, ${workers} × ${wall.toFixed(3)} ms from the first start to the last end.`),
        table([["kernel"], ["share", 1], [""], ["worker"], ["calls", 1], ["mean µs", 1], ["median µs", 1], ["total ms", 1]],
              rows));
}

function draw_workers() {
    const trace = data.trace, wall = trace.to_ms - trace.from_ms;
    const rows = trace.workers.map((w, i) => {
        const key = (name) => number(`trace.workers.${i}.${name}`, fixed(3));
        const share = wall > 0 ? w.busy_ms / wall : 0;
        return [named(worker_colour(i), w.name), percent(share), { bar: share, colour: worker_colour(i) },
                number(`trace.workers.${i}.tasks`, count), key("busy_ms"), key("overhead_ms"), key("waiting_ms"), key("idle_ms"),
                w.device];
    });
    section("workers", element("p", {}, "Busy: within tasks. Overhead: StarPU chooses, begins and ends tasks. Data: waiting " +
            "until they are there. Both are what StarPU's profiling counts, no more than the time outside of tasks. Idle: the " +
            `rest. In each row they add up to ${wall.toFixed(3)} ms.`),
        table([["worker"], ["busy", 1], [""], ["tasks", 1], ["busy ms", 1], ["overhead ms", 1], ["data ms", 1], ["idle ms", 1],
               ["device"]], rows));
}

function draw_copies() {
    const { moved, evicted } = data.trace;
    if (!moved.length)
        section("copies", element("p", {}, "None: all workers used one memory, or kernels wrote into each other's."));
    else
        section("copies", element("p", {}, "Copies that StarPU made meanwhile, 1 MB = 10⁶ bytes; the timeline has " +
                "them below the workers."), table_of_copies(moved));
    if (evicted.length)
        section("copies", element("p", {}, "Evictions: buffers that gave way to others, because the memory was full. What " +
                "only they held was copied to the host before."),
            table([["memory"], ["evictions", 1], ["MB", 1]], evicted.map((e, i) => [
                e.memory, number(`trace.evicted.${i}.count`, count), number(`trace.evicted.${i}.bytes`, megabytes)])));
    else if (moved.length)
        section("copies", element("p", {}, "No evictions: there was room for all data."));
}

const megabytes = (x) => (1e-6 * x).toFixed(3);

function table_of_copies(moved) {
    const most = Math.max(...moved.map((m) => m.bytes));
    return table([["from"], ["to"], ["copies", 1], ["MB", 1], [""]], moved.map((m, i) => [
        m.from, m.to, number(`trace.moved.${i}.count`, count), number(`trace.moved.${i}.bytes`, megabytes),
        { bar: m.bytes / most, colour: "#7a5c99" }]));
}

const loss_words = {
    transfers: "transfers: the next task waited for its data",
    reductions: "idle at reductions: nothing could run before a sum over all tiles",
    idle: "idle otherwise: nothing could run",
    runtime: "runtime: a task could run, or was not submitted yet",
    kernels: "slower kernels: than the fastest call of the same kind",
    placement: "tasks on slower workers",
};

/** Of several kinds of workers: who has the arithmetic. */
function shares_of(bound) {
    return bound.shares.length === 0 ? "" : " Flop: " + bound.shares.map((s) =>
        `${s.workers} ${percent(s.measured)}, in the bound ${percent(s.bound)}`).join("; ") + ".";
}

function draw_bound() {
    const bound = data.bound;
    if (!bound || !bound.run) {
        section("bound", element("p", {}, !bound
            ? "Not known here: it is made of one solve, on devices of one whose tasks are single operations (plan graph or " +
              "pinned). qcd_starpu compare has it of any."
            : "Not known here: there were more tasks than are recorded for it, or the bus was faster than StarPU measured it."));
        return;
    }
    const all = bound.run.seconds;
    const row = (name, path, seconds, colour) => [named(colour, name), number(path, (s) => (1e3 * s).toFixed(3)),
                                                  percent(seconds / all), { bar: seconds / all, colour }];
    const losses = Object.entries(bound.run.losses).sort((a, b) => b[1] - a[1]).filter(([, s]) => s / all >= 0.0005);
    const part = (name, key) => bound[key] === null ? `${name} not known`
                                                    : `${name} ${time(1e9 * bound[key])}`;
    section("bound", element("p", {}, "Bound: no schedule of these tasks on these workers takes less, each as fast as the " +
            `fastest call of its kind in this run. It is the largest of ${part("all tasks shared out evenly", "area")}, ` +
            `${part("the longest chain of tasks that wait for each other", "path")} and ${part("the bus", "bus")}. ` +
            `Losses add up to the rest of the ${is_ensemble ? "sweeps" : "solve"}, ${time(1e9 * all)}` +
            (bound.run.counts ? "." : ", which on devices recording has made longer.") + shares_of(bound)),
        table([["part"], ["ms", 1], [is_ensemble ? "of the sweeps" : "of the solve", 1], [""]],
              [row("bound", "bound.seconds", bound.seconds, "#00795a"),
               ...losses.map(([key, s]) => row(loss_words[key], `bound.run.losses.${key}`, s, "#c77d1e"))]));
}
