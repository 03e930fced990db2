"""What the documentation shows in Python is run: test_documents.py FILE...

Lines that begin with >>> print what stands below them; blocks that are fenced as Python end without an exception.
"""

import doctest
import re
import sys

failed = 0
for file in sys.argv[1:]:
    found = doctest.testfile(file, module_relative=False, encoding="utf-8")
    with open(file, encoding="utf-8") as text:
        blocks = re.findall(r"^```python\n(.*?)^```", text.read(), re.MULTILINE | re.DOTALL)
    for block in blocks:
        exec(compile(block, file, "exec"), {})
    print(f"{file}: {found.attempted} lines, {found.failed} failed; {len(blocks)} blocks")
    failed += found.failed or not (found.attempted or blocks)
sys.exit(bool(failed))
