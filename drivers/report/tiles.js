// The map of tiles and iterations: a cell for each, of the worker that computed most of it, or by how long it took.

/** Sums over cells; where there are more tiles or iterations than fit, a cell has several. */
function cells_of(columns_fit, rows_fit) {
    let tiles = 0, iterations = 0;
    for (let i = 0; i < tasks.size; ++i) {
        if (tasks.tile[i] < 0 || tasks.iteration[i] < 0) continue;
        tiles = Math.max(tiles, tasks.tile[i] + 1);
        iterations = Math.max(iterations, tasks.iteration[i] + 1);
    }
    if (tiles === 0) return null;
    const in_column = Math.ceil(iterations / columns_fit), in_row = Math.ceil(tiles / rows_fit);
    const columns = Math.ceil(iterations / in_column), rows = Math.ceil(tiles / in_row), size = columns * rows;
    const map = { tiles, iterations, in_column, in_row, columns, rows, longest: 0,
                  busy: new Float64Array(size), who: new Int32Array(size).fill(-1), most: new Float64Array(size),
                  first: new Float64Array(size).fill(Infinity), last: new Float64Array(size) };
    // Tasks are in the order of workers: of each in turn the sums, then the largest.
    let mine = new Float64Array(size), touched = [];
    const settle = (worker) => {
        for (const cell of touched) {
            if (mine[cell] > map.most[cell]) {
                map.most[cell] = mine[cell];
                map.who[cell] = worker;
            }
            mine[cell] = 0;
        }
        touched = [];
    };
    for (let i = 0; i < tasks.size; ++i) {
        if (i > 0 && tasks.worker[i] !== tasks.worker[i - 1]) settle(tasks.worker[i - 1]);
        if (tasks.tile[i] < 0 || tasks.iteration[i] < 0) continue;
        const cell = Math.floor(tasks.tile[i] / in_row) * columns + Math.floor(tasks.iteration[i] / in_column);
        const lasted = tasks.ended[i] - tasks.started[i];
        touched.push(cell);
        mine[cell] += lasted;
        map.busy[cell] += lasted;
        map.longest = Math.max(map.longest, map.busy[cell]);
        map.first[cell] = Math.min(map.first[cell], tasks.started[i]);
        map.last[cell] = Math.max(map.last[cell], tasks.ended[i]);
    }
    settle(tasks.worker[tasks.size - 1]);
    return map;
}

/** Light for short, dark for long. */
function shade(share) {
    return `hsl(210 65% ${Math.round(94 - 66 * share)}%)`;
}

function span(name, first, many, end) {
    const last = Math.min(first + many, end) - 1;
    return last > first ? `${name}s ${first} to ${last}` : `${name} ${first}`;
}

function tip_of_cell(map, column, row) {
    const cell = row * map.columns + column;
    const where = `${span("tile", row * map.in_row, map.in_row, map.tiles)}, ` +
                  span("iteration", column * map.in_column, map.in_column, map.iterations);
    if (map.who[cell] < 0) return `${where}\nnothing recorded`;
    return `${where}\n${data.names.workers[map.who[cell]].name}: ${percent(map.most[cell] / map.busy[cell])} of ` +
           `${time(map.busy[cell])}\nfrom ${time(map.first[cell])} to ${time(map.last[cell])}`;
}

/** Numbers along an axis, as many as there is space for. */
function draw_numbers(context, many, place, pixels) {
    const step = Math.max(1, nice_step(many, Math.max(1, pixels / 45)));
    for (let i = 0; i < many; i += step) place(i);
}

function draw_map(context, map, box, colour) {
    const wide = box.width / map.columns, high = box.height / map.rows, gap = Math.min(wide, high) > 6 ? 1 : 0;
    context.fillStyle = data.names.idle_colour;
    context.fillRect(box.left, box.top, box.width, box.height);
    for (let row = 0; row < map.rows; ++row)
        for (let column = 0; column < map.columns; ++column) {
            const cell = row * map.columns + column;
            if (map.who[cell] < 0) continue;
            context.fillStyle = colour(cell);
            context.fillRect(box.left + column * wide, box.top + row * high, wide - gap, high - gap);
        }
    context.fillStyle = "#5b6875";
    context.textAlign = "center";
    draw_numbers(context, map.iterations, (i) => context.fillText(String(i),
        box.left + (Math.floor(i / map.in_column) + 0.5) * wide, box.top + box.height + 11), box.width);
    context.fillText("iteration", box.left + box.width / 2, box.top + box.height + 28);
    context.textAlign = "right";
    draw_numbers(context, map.tiles, (i) => context.fillText(String(i), box.left - 6,
        box.top + (Math.floor(i / map.in_row) + 0.5) * high), 2 * box.height);
    context.save();
    context.translate(8, box.top + box.height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText("tile", 0, 0);
    context.restore();
}

function draw_tiles() {
    const most = cells_of(2000, 400);
    if (!most) {
        section("tiles", element("p", {}, "No task of a tile in an iteration was recorded."));
        return;
    }
    const canvas = element("canvas", { "aria-label": "who computed which tile in which iteration" });
    const tip = element("div", { class: "tip" }), below = element("div");
    const choice = element("select", { "aria-label": "colour of the cells" },
                           element("option", { value: "who" }, "who computed it"),
                           element("option", { value: "long" }, "how long it took"));
    const height = Math.min(400, Math.max(90, 22 * most.tiles));
    let map = most, box = null;
    const draw = () => {
        const made = context_of(canvas, height + 40);
        if (!made) return;
        box = { left: 46, top: 4, width: made.width - 52, height };
        map = cells_of(Math.max(1, Math.floor(box.width)), Math.floor(height));
        const who = choice.value === "who";
        draw_map(made.context, map, box, who ? (cell) => worker_colour(map.who[cell])
                                             : (cell) => shade(map.busy[cell] / map.longest));
        const some = [0, 0.25, 0.5, 0.75, 1];
        below.replaceChildren(who ? legend(data.names.workers.map((w, i) => [worker_colour(i), w.name]))
                                  : legend(some.map((s) => [shade(s), time(s * map.longest)])));
    };
    choice.addEventListener("change", draw);
    canvas.addEventListener("pointermove", (event) => {
        const frame = canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
        const column = Math.floor((x - box.left) / box.width * map.columns);
        const row = Math.floor((y - box.top) / box.height * map.rows);
        const inside = column >= 0 && column < map.columns && row >= 0 && row < map.rows;
        show_tip(tip, inside ? tip_of_cell(map, column, row) : "", x, y);
    });
    canvas.addEventListener("pointerleave", () => show_tip(tip, ""));
    const solves = is_ensemble ? 1 : data.run.solves.length;
    section("tiles", element("p", {}, "Who computed which tile in which iteration, and, by pointing at it, when. Of several " +
            "workers the one that worked on it longest." + (solves > 1 ? ` All ${solves} solves together.` : "")),
        element("div", { class: "tools" }, choice), element("div", { class: "picture" }, canvas, tip), below);
    new ResizeObserver(() => requestAnimationFrame(draw)).observe(canvas.parentElement);
}
