// What fingers, mouse and wheel do to a picture of time.

/**
 * Drag with one pointer, pinch with two, Ctrl and wheel, double click. act: zoom(factor, around), move(ns),
 * hover(x, y), leave(), and time_at(x).
 */
function follow_pointers(canvas, act) {
    const held = new Map(); // by pointer: where it is, and the time that it holds
    const x_of = (event) => event.clientX - canvas.getBoundingClientRect().left;
    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        held.set(event.pointerId, { x: x_of(event), ns: act.time_at(x_of(event)) });
    });
    for (const end of ["pointerup", "pointercancel"])
        canvas.addEventListener(end, (event) => held.delete(event.pointerId));
    canvas.addEventListener("pointerleave", act.leave);
    canvas.addEventListener("pointermove", (event) => {
        const pointer = held.get(event.pointerId);
        if (!pointer) {
            act.hover(x_of(event), event.clientY - canvas.getBoundingClientRect().top);
            return;
        }
        act.leave();
        pointer.x = x_of(event);
        const [a, b] = held.values();
        if (!b)
            act.move(a.ns - act.time_at(a.x));
        else if (Math.abs(b.x - a.x) > 8)
            pinch(a, b, act);
    });
    canvas.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
        event.preventDefault();
        act.zoom(1.0015 ** event.deltaY, act.time_at(x_of(event)));
    }, { passive: false });
    canvas.addEventListener("dblclick", (event) => act.zoom(0.5, act.time_at(x_of(event))));
}

/** The times that two fingers hold are to be below them. */
function pinch(a, b, act) {
    const now = (act.time_at(b.x) - act.time_at(a.x)) / (b.x - a.x), wanted = (b.ns - a.ns) / (b.x - a.x);
    if (wanted <= 0) return;
    act.zoom(wanted / now, act.time_at(a.x));
    act.move(a.ns - act.time_at(a.x));
}
