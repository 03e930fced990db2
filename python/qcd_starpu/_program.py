"""The program as functions: what the library does not do, in a process of its own."""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile

from ._errors import BadInput, error_of
from ._library import FOLDER
from ._options import COMMANDS, Options, documented

_OPTIONS = {command: Options(facts["options"]) for command, facts in COMMANDS.items()}


def program():
    """The program's file."""
    named = os.environ.get("QCD_STARPU_PROGRAM") or os.path.join(FOLDER, "bin", "qcd_starpu")
    if not os.access(named, os.X_OK):
        raise BadInput(f"the program is not there: {named}. The wheel has it; QCD_STARPU_PROGRAM names another one")
    return named


def _environment():
    environment = dict(os.environ)
    plugins = os.path.join(FOLDER, "lib", "hwloc")
    if os.path.isdir(plugins):
        environment.setdefault("HWLOC_PLUGINS_PATH", plugins)
    return environment


def program_command():
    """What the command `qcd_starpu` of the wheel does: it becomes the program."""
    os.execve(program(), ["qcd_starpu", *sys.argv[1:]], _environment())


def _communicate(words):
    """Status, stdout and stderr; an interrupted program is left time to end as after Ctrl-C."""
    with subprocess.Popen([program(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=_environment()) as process:
        try:
            out, err = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGINT)
            process.communicate()
            raise
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


class Run:
    """What a command of the program has given. json: its result, with the keys of docs/json.md. text: what it
    prints. status: its exit status. words: what was typed."""

    def __init__(self, words, status, document, text):
        self.words, self.status, self.json, self.text = words, status, document, text

    def __repr__(self):
        return f"Run({' '.join(self.words)!r}, status={self.status})"


def _sentence(text):
    lines = [line for line in text.splitlines() if line.startswith("qcd_starpu: ")]
    said = [line for line in lines if not line.startswith("qcd_starpu: note: ")] or text.splitlines() or [""]
    return said[-1].removeprefix("qcd_starpu: ")


def run(command="solve", **options):
    """A command of the program in a process of its own: run("solve", lattice=(8, 8, 8, 16), trace="t").

    Every option of `qcd_starpu COMMAND --help` is a keyword, without dashes in front, with _ for - inside; what
    stands there without dashes (DIR, FILE, IN, OUT) is one in small letters (dir, file, in_, out). Returns a Run;
    raises what the exit status says, with the Run as `result`.
    """
    if command not in _OPTIONS:
        raise BadInput(f"run: there is no command {command!r}: it is one of {', '.join(_OPTIONS)}")
    known = _OPTIONS[command]
    values = known.named(options, command)
    wants_json = "json" in known and "json" not in values and not values.get("dry_run")
    words = [command, *known.words(values), *(["--json=-"] if wants_json else [])]
    status, out, err = _communicate(words)
    document = None
    if wants_json and out.strip():
        try:
            document = json.loads(out)
        except ValueError:
            pass
    result = Run(words, status, document, err if wants_json else out + err)
    if status != 0:
        line = _sentence(err) if status > 0 else f"the program ended by signal {-status}"
        raise error_of(status if status > 0 else 4, line, result)
    return result


def _rows(path):
    """Of comma-separated values: a dict a line, with numbers as numbers."""

    def value(text):
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        return text or None

    with open(path, encoding="utf-8", newline="") as file:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(file)]


class Comparison(Run):
    """A ranking. cases: a dict for each, the fastest first; runs: one for each measured solve (rounds from 1 on
    count, round 0 warms up). Both are what pandas.DataFrame takes. digest: that all have alike."""

    def __init__(self, run, runs):
        super().__init__(run.words, run.status, run.json, run.text)
        self.runs = runs
        self.digest = run.json["digest"]
        self.cases = [_case(case) for case in run.json["ranking"]["cases"]]


def _case(case):
    row = {"name": case["name"], **{f["key"]: f["value"] for f in case["factors"]}, "rounds": case["rounds"]}
    seconds, best = case["seconds"] or {}, case["to_best"] or {}
    for key in ("mean", "median", "best", "deviation"):
        row[key] = seconds.get(key)
    row["low"], row["high"] = seconds.get("interval") or (None, None)
    row["ratio"], row["p"], row["differs"] = best.get("ratio"), best.get("p_corrected"), best.get("differs")
    row["failure"] = case["failure"]
    return row


@documented(_OPTIONS["compare"])
def compare(**options):
    """Ways of running one solve, in shuffled rounds, with statistics (docs/compare.md).

    compare(lattice=(16, 16, 16, 32), sched=["lws", "eager"], repeat=10). Without `out` the folder of what is
    measured is a temporary one. No session of this process should be open: both would have the same cores.
    """
    with tempfile.TemporaryDirectory(prefix="qcd_starpu-") as folder:
        options = {**options, "out": options.get("out") or os.path.join(folder, "compare")}
        result = run("compare", **options)
        return Comparison(result, _rows(os.path.join(options["out"], "runs.csv")))


class Trace(Run):
    """What was recorded. tasks: a dict for each operation on a tile (docs/traces.md), what pandas.DataFrame takes.
    json: the summary of `qcd_starpu trace`. folder: where it is."""

    def __init__(self, run, folder):
        super().__init__(run.words, run.status, run.json, run.text)
        self.folder = folder
        self.tasks = _rows(os.path.join(folder, "tasks.csv"))

    def svg(self):
        """The picture, as text, by gnuplot."""
        with tempfile.TemporaryDirectory(prefix="qcd_starpu-") as folder:
            file = os.path.join(folder, "trace.svg")
            run("trace", dir=self.folder, svg=file)
            with open(file, encoding="utf-8") as picture:
                return picture.read()


@documented(_OPTIONS["solve"], "Keywords of the solve that is recorded:")
def trace(folder, **options):
    """Reads a trace; with keywords, first records that solve into the folder (docs/traces.md)."""
    folder = os.fspath(folder)
    if options:
        run("solve", **{**options, "trace": folder})
    return Trace(run("trace", dir=folder), folder)
