"""What the documentation shows in Python is run, and prints what it shows: test_documents.py FILE..."""

import doctest
import sys

failed = 0
for file in sys.argv[1:]:
    found = doctest.testfile(file, module_relative=False, encoding="utf-8")
    print(f"{file}: {found.attempted} lines, {found.failed} failed")
    failed += found.failed or not found.attempted
sys.exit(bool(failed))
