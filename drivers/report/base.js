"use strict";
// The data, elements, and numbers as text.

const data = JSON.parse(document.getElementById("data").textContent);

/** A new element; attributes that are undefined are left out. */
function element(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
        if (name === "style") Object.assign(e.style, value);
        else if (value !== undefined) e.setAttribute(name, value);
    e.append(...children);
    return e;
}

function section(id, ...children) {
    document.getElementById(id).append(...children);
}

/** What is at "run.residual.true" in the data. */
function at(path) {
    return path.split(".").reduce((value, key) => value[key], data);
}

const digits = (x, n) => Number(x.toPrecision(n)).toString();
const count = (n) => n.toLocaleString("en-US");
const percent = (share) => (100 * share).toFixed(1) + "%";
const fixed = (n) => (x) => x.toFixed(n);
/** Three digits at least, in a unit that suits. */
function time(ns) {
    const size = Math.abs(ns);
    if (size >= 1e9) return digits(ns * 1e-9, 4) + " s";
    if (size >= 1e6) return digits(ns * 1e-6, 4) + " ms";
    if (size >= 1e3) return digits(ns * 1e-3, 4) + " µs";
    return Math.round(ns) + " ns";
}
function bytes(n) {
    return n >= 1e9 ? digits(n * 1e-9, 4) + " GB" : n >= 1e6 ? digits(n * 1e-6, 4) + " MB"
         : n >= 1e3 ? digits(n * 1e-3, 4) + " kB" : n + " bytes";
}

/** A number of the data as text, with itself for programs that read the page. */
function number(path, text) {
    const value = at(path);
    return element("span", { "data-key": path, "data-value": JSON.stringify(value) },
                   value === null ? "–" : text(value));
}

function swatch(colour) {
    return element("i", { class: "swatch", style: { background: colour } });
}
function legend(entries) {
    return element("div", { class: "legend" },
                   ...entries.map(([colour, name]) => element("span", {}, swatch(colour), name)));
}

/** Colours of workers: the first of these, or a wheel for many. */
const worker_colours = ["#1f6fb4", "#e69f00", "#009e73", "#c0392b", "#9b59b6", "#56b4e9", "#b0a41e", "#cc79a7"];
function worker_colour(worker) {
    const all = data.names.workers.length;
    return all <= worker_colours.length ? worker_colours[worker]
                                        : `hsl(${Math.round(360 * worker / all)} 65% ${worker % 2 ? 38 : 58}%)`;
}

/** A canvas as wide as its place and so many CSS pixels high, in the device's pixels; null where it has no width. */
function context_of(canvas, height) {
    const ratio = window.devicePixelRatio || 1, width = canvas.parentElement.clientWidth;
    if (width === 0) return null;
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    return { context, width };
}

/** Beside the pointer, within its picture. */
function show_tip(tip, text, x, y) {
    tip.style.display = text ? "block" : "none";
    if (!text) return;
    tip.textContent = text;
    const place = tip.parentElement;
    tip.style.left = Math.max(0, Math.min(x + 14, place.clientWidth - tip.offsetWidth)) + "px";
    tip.style.top = (y + 16) + "px";
}

/** 1, 2 or 5 times a power of ten: about `wanted` steps in this range. */
function nice_step(range, wanted) {
    const rough = range / wanted, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find((f) => f * power >= rough * (1 - 1e-9));
}

/** Text in a canvas, cut with "…" where it is too long. */
function fit(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    while (text.length > 1 && context.measureText(text + "…").width > width) text = text.slice(0, -1);
    return text + "…";
}
