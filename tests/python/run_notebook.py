"""Runs the code of a notebook, headless, in an empty folder: run_notebook.py NOTEBOOK NEEDED-MODULE..."""

import importlib.util
import json
import os
import sys
import tempfile
import time

notebook, needed = os.path.realpath(sys.argv[1]), sys.argv[2:]
missing = [name for name in needed if importlib.util.find_spec(name) is None]
if missing:
    print(f"SKIPPED: {os.path.basename(notebook)}: no {', '.join(missing)} (Debian: python3-{missing[0]})")
    sys.exit(77)
os.environ["MPLBACKEND"] = "Agg"
with open(notebook, encoding="utf-8") as file:
    cells = json.load(file)["cells"]
names = {"__name__": "__main__"}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.environ["MPLCONFIGDIR"] = folder
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], f"cell {number} has outputs, which change with each run"
        begin = time.monotonic()
        exec(compile("".join(cell["source"]), f"{os.path.basename(notebook)}, cell {number}", "exec"), names)
        print(f"-- cell {number}: {time.monotonic() - begin:.2f} s", flush=True)
    pictures = [name for name in os.listdir(".") if name.endswith(".png") and os.path.getsize(name) > 5000]
    assert pictures, "no picture was drawn"
    os.chdir("/")
