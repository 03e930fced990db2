// A row for each worker and each pair of memories, a box for each task and copy. Zoom, pan, hover. What is narrower
// than a pixel is drawn as a column: of the operation that takes most of it, as high as the share that is busy. So a
// picture has at most so many boxes as pixels, and drawing a view takes one look at the tasks in it.

/** The tasks as arrays that are quick to walk through: by worker, each worker's in the order of their starts. */
const tasks = {
    size: data.tasks.started_ns.length,
    operation: Int32Array.from(data.tasks.operation),
    tile: Int32Array.from(data.tasks.tile),
    iteration: Int32Array.from(data.tasks.iteration),
    worker: Int32Array.from(data.tasks.worker),
    started: Float64Array.from(data.tasks.started_ns),
    ended: Float64Array.from(data.tasks.ended_ns),
};

function rows_of_workers() {
    const rows = data.names.workers.map((w) => ({ name: w.name, first: 0, last: 0 }));
    for (let i = 0; i < tasks.size; ++i) {
        const row = rows[tasks.worker[i]];
        if (row.last === 0) row.first = i;
        row.last = i + 1;
    }
    return rows.map((row) => ({ ...row, started: tasks.started, ended: tasks.ended, kind: tasks.operation,
                                colours: data.names.colours, tip: tip_of_task }));
}

function rows_of_copies() {
    const copies = data.transfers, links = new Map();
    copies.from.forEach((from, i) => {
        const key = `${data.names.memories[from]} → ${data.names.memories[copies.to[i]]}`;
        if (!links.has(key)) links.set(key, []);
        links.get(key).push(i);
    });
    return [...links].map(([name, which]) => ({
        name, first: 0, last: which.length, colours: ["#7a5c99"], kind: new Int32Array(which.length),
        started: Float64Array.from(which, (i) => copies.began_ns[i]),
        ended: Float64Array.from(which, (i) => copies.ended_ns[i]),
        tip: (i) => `${name}\n${bytes(copies.bytes[which[i]])}, ` +
                    `${time(copies.ended_ns[which[i]] - copies.began_ns[which[i]])} ` +
                    `from ${time(copies.began_ns[which[i]])}` }));
}

function tip_of_task(i) {
    const lasted = tasks.ended[i] - tasks.started[i], moved = data.tasks.bytes[i], batch = data.tasks.batch[i];
    const where = [tasks.tile[i] >= 0 ? `tile ${tasks.tile[i]}` : "no tile",
                   tasks.iteration[i] >= 0 ? `iteration ${tasks.iteration[i]}` : "outside of iterations"];
    if (batch >= 0) where.push(`batch ${batch}`);
    const waited = tasks.started[i] - data.tasks.ready_ns[i];
    return [data.names.operations[tasks.operation[i]], where.join(", "),
            `${time(lasted)} from ${time(tasks.started[i])} on, ready ${time(waited)} before`,
            moved > 0 && lasted > 0 ? `${bytes(moved)}, ${digits(moved / lasted, 3)} GB/s` : "no bytes"].join("\n");
}

/** The first of a row that ends after this time. */
function first_after(row, ns) {
    let low = row.first, high = row.last;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (row.ended[middle] > ns) high = middle;
        else low = middle + 1;
    }
    return low;
}

/** Boxes of a row between x = left and left + width, for the time from..to. */
function draw_row(context, row, view, left, width, top, height) {
    const scale = width / (view.to - view.from), weight = new Float64Array(row.colours.length);
    let column = -1, busy = 0;
    const flush = () => {
        if (busy > 0) {
            const most = weight.indexOf(Math.max(...weight)), high = Math.max(1, height * Math.min(1, busy));
            context.fillStyle = row.colours[most];
            context.fillRect(left + column, top + height - high, 1, high);
        }
        weight.fill(0);
        busy = 0;
    };
    for (let i = first_after(row, view.from); i < row.last && row.started[i] < view.to; ++i) {
        const x0 = Math.max(0, (row.started[i] - view.from) * scale);
        const x1 = Math.min(width, (row.ended[i] - view.from) * scale);
        if (x1 - x0 >= 1.5) {
            context.fillStyle = row.colours[row.kind[i]];
            context.fillRect(left + x0, top, x1 - x0 > 4 ? x1 - x0 - 0.7 : x1 - x0, height);
            continue;
        }
        if (Math.floor(x0) !== column) {
            flush();
            column = Math.floor(x0);
        }
        weight[row.kind[i]] += x1 - x0;
        busy += x1 - x0;
    }
    flush();
}

function draw_axis(context, view, left, width, bottom) {
    const step = nice_step(1e-6 * (view.to - view.from), Math.max(2, width / 110));
    const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    context.fillStyle = "#5b6875";
    context.strokeStyle = "#d8dee4";
    context.textAlign = "center";
    for (let i = Math.ceil(1e-6 * view.from / step); i * step <= 1e-6 * view.to; ++i) {
        const x = left + (1e6 * i * step - view.from) / (view.to - view.from) * width;
        context.fillRect(x, bottom - 5, 1, 5);
        const text = (i * step).toFixed(places), half = context.measureText(text).width / 2;
        if (x - half >= left - 20 && x + half <= left + width) context.fillText(text, x, bottom - 13);
    }
    context.textAlign = "right";
    context.fillText("ms", left - 26, bottom - 13);
}

/** Where iterations begin, as far as there is space. */
function draw_marks(context, view, left, width, top, bottom) {
    const seen = data.names.marks.filter((m) => 1e6 * m.ms >= view.from && 1e6 * m.ms <= view.to);
    if (seen.length === 0 || width / seen.length < 7) return;
    context.textAlign = "left";
    let free = left;
    for (const m of seen) {
        const x = left + (1e6 * m.ms - view.from) / (view.to - view.from) * width;
        context.fillStyle = "#1c273355";
        context.fillRect(x, top, 1, bottom - top);
        const text = String(m.iteration), wide = context.measureText(text).width;
        if (x < free || x + wide + 3 > left + width) continue;
        context.fillStyle = "#5b6875";
        context.fillText(text, x + 3, top + 7);
        free = x + wide + 12;
    }
}

function draw_timeline() {
    const rows = [...rows_of_workers(), ...rows_of_copies()];
    if (tasks.size === 0) {
        section("timeline", element("p", {}, "No task was executed."));
        return;
    }
    let whole = 0;
    for (const row of rows)
        for (let i = row.first; i < row.last; ++i) whole = Math.max(whole, row.ended[i]);
    const view = { from: 0, to: whole };
    const canvas = element("canvas", { class: "drag", tabindex: 0, "aria-label": "timeline of the tasks" });
    const tip = element("div", { class: "tip" }), head = 46, pitch = rows.length > 40 ? 14 : 24;
    const height = head + pitch * rows.length + 4;
    let left = 0, width = 0, asked = false;

    const draw = () => {
        asked = false;
        const canvas_context = context_of(canvas, height);
        if (!canvas_context) return;
        const context = canvas_context.context;
        left = Math.min(150, Math.max(64, 0.14 * canvas_context.width));
        width = canvas_context.width - left;
        // For programs that look at the page.
        Object.assign(canvas.dataset, { from: view.from, to: view.to, left, width });
        draw_axis(context, view, left, width, 26);
        rows.forEach((row, i) => {
            const top = head + i * pitch;
            context.fillStyle = data.names.idle_colour;
            context.fillRect(left, top, width, pitch - 4);
            context.fillStyle = "#1c2733";
            context.textAlign = "right";
            context.fillText(fit(context, row.name, left - 8), left - 8, top + (pitch - 4) / 2);
            draw_row(context, row, view, left, width, top, pitch - 4);
        });
        draw_marks(context, view, left, width, 28, height - 4);
        context.textAlign = "right";
        context.fillStyle = "#5b6875";
        context.fillText(fit(context, "iteration", left - 8), left - 8, 35);
    };
    const redraw = () => {
        if (!asked) requestAnimationFrame(draw);
        asked = true;
    };
    const go = (from, to) => {
        const range = Math.min(whole, Math.max(200, to - from)); // ns
        view.from = Math.max(0, Math.min(from, whole - range));
        view.to = view.from + range;
        redraw();
    };
    const time_at = (x) => view.from + (x - left) / width * (view.to - view.from);
    const zoom = (factor, around) => go(around - (around - view.from) * factor, around + (view.to - around) * factor);
    const middle = () => (view.from + view.to) / 2;
    const pan = (share) => go(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
    const hover = (x, y) => {
        const row = rows[Math.floor((y - head) / pitch)], ns = time_at(x);
        const near = 3 * (view.to - view.from) / Math.max(1, width);
        const i = row && x >= left ? first_after(row, ns - near) : -1;
        show_tip(tip, row && i >= 0 && i < row.last && row.started[i] <= ns + near ? row.tip(i) : "", x, y);
    };
    const move = (ns) => go(view.from + ns, view.to + ns);
    follow_pointers(canvas, { zoom, move, hover, time_at, leave: () => show_tip(tip, "") });
    canvas.addEventListener("keydown", (event) => {
        const actions = { ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), "+": () => zoom(0.5, middle()),
                          "-": () => zoom(2, middle()), 0: () => go(0, whole) };
        if (!actions[event.key]) return;
        actions[event.key]();
        event.preventDefault();
    });
    const button = (text, label, action) => {
        const b = element("button", { type: "button", "aria-label": label }, text);
        b.addEventListener("click", action);
        return b;
    };
    const shown = data.trace.tasks > tasks.size ? ` The first ${count(tasks.size)} of ${count(data.trace.tasks)} tasks.` : "";
    section("timeline", element("p", {}, "Each worker's tasks; time since the first start. Narrower than a pixel: the " +
            "operation that takes most of it, as high as the share that is busy." + shown),
        element("div", { class: "tools" }, button("+", "zoom in", () => zoom(0.5, middle())),
                button("−", "zoom out", () => zoom(2, middle())), button("◀", "earlier", () => pan(-0.4)),
                button("▶", "later", () => pan(0.4)), button("all", "show all", () => go(0, whole)),
                element("span", {}, "drag to move, Ctrl and wheel or pinch to zoom")),
        element("div", { class: "picture" }, canvas, tip),
        legend([...data.names.operations.map((name, i) => [data.names.colours[i], name]),
                ...(data.transfers.from.length ? [["#7a5c99", "copy between memories"]] : []),
                [data.names.idle_colour, "idle"]]));
    new ResizeObserver(redraw).observe(canvas.parentElement);
}
