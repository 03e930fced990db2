#!/usr/bin/env python3
"""Does a browser draw the page of --report, and with the numbers of --json?   tests/report_chromium.py PATH/qcd_starpu
Solves with several plans, opens each page in Chromium without a window at two widths, and fails on anything that its
console says, on a view that is not there, and on a number that differs from the JSON's. Then turns the wheel, drags and
pinches the timeline of one. Exit status 77: no Chromium."""

import html.parser
import json
import os
import shutil
import subprocess
import sys
import tempfile

from devtools import Browser

COMMON = ("summary", "timeline", "profile", "workers", "copies", "tiles", "bound")
CHARTS = {"solve": ("roofline", "residual"), "generate": ("history",)}  # of the command, besides timeline and tiles
CORES = "--cuda 0 --opencl 0 --quiet --cpus "
RUNS = {  # what is solved, and is a bound known?
    "graph": ("--lattice 8x8x8x16 --tiles 1x1x1x4 --plan graph " + CORES + "2", True),
    "batch": ("--lattice 4x4x8x8 --iterations 30 --plan batch " + CORES + "1", True),
    "mixed": ("--lattice 8x8x8x16 --tiles 1x1x1x4 --iterations 10 --plan graph --cuda 0 --quiet --cpus 1 --opencl 1", True),
    "memory": ("--lattice 16x16x16x32 --links 18 --iterations 3 --cuda 0 --quiet --cpus 0 --opencl 1 --gpu-memory 100M", True),
    "ensemble": ("generate --lattice 8x8x8x8 --beta 6 --sweeps 5 --tiles 1x1x1x4 --plan graph " + CORES + "2", True),
    "repeated": ("--lattice 4x4x8x8 --tiles 1x1x2x2 --repeat 3 --plan graph " + CORES + "2", False),
}


class Page(html.parser.HTMLParser):
    """What a browser has made of it."""

    def __init__(self, text):
        super().__init__()
        self.values, self.inside, self.section, self.classes = {}, {}, None, set()
        self.drawn, self.data, self.in_data = False, "", False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.drawn |= a.get("data-drawn") == "yes"
        self.classes |= set((a.get("class") or "").split())
        self.in_data = a.get("id") == "data"
        if tag == "section":
            self.section = a["id"]
        self.inside.setdefault(self.section, []).append(tag)
        if "data-key" in a:
            self.values[a["data-key"]] = json.loads(a["data-value"])

    def handle_endtag(self, tag):
        self.in_data = False
        if tag == "section":
            self.section = None

    def handle_data(self, text):
        if self.in_data:
            self.data += text


def fail(what):
    sys.exit("report_chromium: " + what)


def look_up(value, path):
    for key in path.split("."):
        value = value[int(key) if isinstance(value, list) else key]
    return value


def opened(file, width, folder):
    """The page after its scripts; what the console said is an error."""
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--window-size={width},1500",
         f"--user-data-dir={folder}/profile", "--virtual-time-budget=5000", "--dump-dom", "file://" + file],
        capture_output=True, timeout=240, check=False)
    said = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    if said:
        fail(f"{file}, {width} pixels: the console says {said[0]}")
    return Page(done.stdout.decode())


def check(page, expected, has_bound, where):
    charts = CHARTS["generate" if "sweeps" in expected else "solve"]
    if not page.drawn or "failed" in page.classes:
        fail(f"{where}: not all is drawn")
    for view in COMMON + charts:
        if len(page.inside.get(view, [])) < 3:
            fail(f"{where}: nothing in {view}")
    for view in ("timeline", "tiles") + charts:
        if "canvas" not in page.inside[view]:
            fail(f"{where}: no picture in {view}")
    if any(chart in page.inside for charts_of in CHARTS.values() for chart in charts_of if chart not in charts):
        fail(f"{where}: a view of another command")
    data = json.loads(page.data)
    if data["run"] != expected:
        fail(f"{where}: its data are not those of --json")
    if len(page.values) < 40 or (data["bound"] is not None) != has_bound:
        fail(f"{where}: {len(page.values)} numbers, bound {data['bound']}")
    for path, value in page.values.items():
        if value != look_up(data, path):
            fail(f"{where}: {path} is {value} in the page, {look_up(data, path)} in its data")
    tasks = data["tasks"]
    if not len(tasks["started_ns"]) == len(tasks["ended_ns"]) == data["trace"]["tasks"]:
        fail(f"{where}: {len(tasks['started_ns'])} tasks of {data['trace']['tasks']}")
    for number, worker in enumerate(data["trace"]["workers"]):
        busy = sum(e - s for w, s, e in zip(tasks["worker"], tasks["started_ns"], tasks["ended_ns"]) if w == number)
        if abs(1e-6 * busy - worker["busy_ms"]) > 1e-6 * (1 + worker["tasks"]):
            fail(f"{where}: the tasks of {worker['name']} take {1e-6 * busy} ms, and it is busy for {worker['busy_ms']}")
    return len(page.values)


class Timeline:
    """That of an open page: what is shown of it, in nanoseconds."""

    def __init__(self, browser):
        self.browser = browser
        browser.wait_for("document.documentElement?.dataset.drawn === 'yes' && "
                         "document.querySelector('#timeline canvas')?.dataset.to !== undefined")
        browser.value("document.querySelector('#timeline canvas').scrollIntoView({block: 'center'}), true")
        browser.settle()
        box = browser.value("JSON.stringify(document.querySelector('#timeline canvas').getBoundingClientRect())")
        self.box = json.loads(box)
        self.y = self.box["top"] + self.box["height"] / 2
        self.begin = self.box["left"] + self.look()["left"]
        self.middle = self.begin + self.look()["width"] / 2

    def look(self):
        data = self.browser.value("JSON.stringify({...document.querySelector('#timeline canvas').dataset})")
        return {key: float(value) for key, value in json.loads(data).items()}

    def range(self):
        look = self.look()
        return look["to"] - look["from"]

    def time_at(self, x):
        look = self.look()
        return look["from"] + (x - self.begin) / look["width"] * (look["to"] - look["from"])

    def pixel(self):
        return self.range() / self.look()["width"]


def near(value, expected, within, what):
    if abs(value - expected) > within:
        fail(f"{what}: {value:.1f} where {expected:.1f} is right, within {within:.1f}")


def check_pointers(file, folder):
    with Browser(folder, 1280, 1000) as browser:
        browser.open(file)
        timeline = Timeline(browser)
        whole, x = timeline.range(), timeline.middle + 100
        browser.wheel(x, timeline.y, -400, ctrl=False)
        near(timeline.range(), whole, 0, "the wheel alone scrolls the page, and the range stays")
        timeline = Timeline(browser)  # where it is now
        held = timeline.time_at(x)
        browser.wheel(x, timeline.y, -400, ctrl=True)
        near(timeline.range(), whole * 1.0015 ** -400, 1e-3 * whole, "range after Ctrl and wheel")
        near(timeline.time_at(x), held, 2 * timeline.pixel(), "time below the pointer after Ctrl and wheel")
        held, zoomed = timeline.time_at(x), timeline.range()
        browser.drag(x, timeline.y, x - 60)
        near(timeline.time_at(x - 60), held, 2 * timeline.pixel(), "time below the pointer after dragging")
        near(timeline.range(), zoomed, 1e-6 * whole, "range after dragging")
        held = timeline.time_at(timeline.middle)
        browser.pinch(timeline.middle, timeline.y, 100, 200)
        near(timeline.range(), zoomed / 2, 0.05 * zoomed, "range after pinching to twice the distance")
        near(timeline.time_at(timeline.middle), held, 0.05 * zoomed, "time between the fingers")
        browser.value("document.querySelector('#timeline button[aria-label=\"show all\"]').click(), true")
        browser.settle()
        near(timeline.range(), whole, 1, "range after the button all")


def main():
    if not shutil.which("chromium"):
        print("SKIPPED: report_chromium: chromium is not installed (package chromium)")
        sys.exit(77)
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        numbers = 0
        os.mkdir(folder + "/a<")  # its name ends a script element, and is in the data
        for name, (arguments, has_bound) in RUNS.items():
            report, result = f"{folder}/a</script><!--{name}.html", f"{folder}/{name}.json"
            subprocess.run([program, *arguments.split(), "--report", report, "--json", result], check=True, timeout=240)
            with open(result, encoding="utf-8") as file:
                expected = json.load(file)
            os.rename(report, f"{folder}/{name}.html")
            for width in (1280, 420):
                page = opened(f"{folder}/{name}.html", width, folder)
                numbers += check(page, expected, has_bound, f"{name}, {width} pixels")
        check_pointers(f"{folder}/graph.html", folder)
        print(f"report_chromium: ok: {len(RUNS)} pages, {numbers} numbers, nothing on the console; wheel, drag and pinch")


main()
