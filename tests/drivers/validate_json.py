#!/usr/bin/python3
"""Are JSON files as a schema of docs/schema says?

  validate_json.py SCHEMA FILE...

Says in one line what is wrong with each FILE. Exit status: 0 nothing, 1 something, 2 bad usage, 77 Debian's
python3-jsonschema is not installed.
"""

import json
import pathlib
import sys
import warnings

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    with warnings.catch_warnings():  # later versions have another way to find files, which Debian's has not
        warnings.simplefilter("ignore", DeprecationWarning)
        from jsonschema import RefResolver
except ImportError as problem:
    print(f"python3-jsonschema: {problem}", file=sys.stderr)
    sys.exit(77)


def validator(schema_file):
    path = pathlib.Path(schema_file).resolve()
    for file in path.parent.glob("*.schema.json"):
        Draft202012Validator.check_schema(json.loads(file.read_text(encoding="utf-8")))
    schema = json.loads(path.read_text(encoding="utf-8"))
    return Draft202012Validator(schema, resolver=RefResolver(path.as_uri(), schema))


def refuse_constant(word):
    raise ValueError(f"{word} is no JSON")


def fault(document_file, against):
    try:
        document = json.loads(pathlib.Path(document_file).read_text(encoding="utf-8"), parse_constant=refuse_constant)
    except (OSError, ValueError) as problem:
        return str(problem)
    worst = best_match(against.iter_errors(document))
    return worst and f"{worst.json_path}: {worst.message}"


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    against = validator(sys.argv[1])
    faults = 0
    for file in sys.argv[2:]:
        if problem := fault(file, against):
            faults += 1
            print(f"{file}: {' '.join(problem.split())[:300]}")
    sys.exit(1 if faults else 0)


main()
