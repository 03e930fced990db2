"""Keywords from the rows of the program's command line, which the library lists (qcd_options)."""

import inspect
import json
import keyword
import os

import numpy

from ._errors import BadInput
from ._library import library

COMMANDS = json.loads(library.qcd_options().decode())["commands"]


def keyword_of(name):
    """--sloppy-drop is sloppy_drop; IN, which is a word of Python, is in_."""
    word = name.lstrip("-").replace("-", "_").lower()
    return word + "_" if keyword.iskeyword(word) else word


class Options:
    """The rows that one call takes."""

    def __init__(self, rows):
        self.rows = {keyword_of(row["name"]): row for row in rows}
        self._aliases = {
            keyword_of(name): keyword_of(row["name"]) for row in rows for name in row["names"][1:]
            if name.startswith("--")
        }

    def __iter__(self):
        return iter(self.rows)

    def named(self, typed, who):
        """{keyword: value} by the rows' own names, without what is None. Raises TypeError as Python does."""
        values = {}
        for word, value in typed.items():
            name = self._aliases.get(word, word)
            if name not in self.rows:
                raise TypeError(f"{who}() has no keyword {word!r}{_elsewhere(word)}; it has {', '.join(self)}")
            if value is None:
                continue
            if name in values:
                raise TypeError(f"{who}(): {name} is given twice, also as {word}")
            values[name] = value
        return values

    def words(self, values):
        """--name=value, a word each."""
        words = []
        for name, value in values.items():
            row = self.rows[name]
            text = text_of(row, value)
            if text is None:
                continue
            if row["flag"]:
                words.append(row["name"])
            elif row["name"].startswith("-"):
                words.append(f"{row['name']}={text}")
            else:
                words.append(text)
        return words

    def text(self, values):
        """The same in one text, as the library reads it, which separates words at blanks."""
        words = self.words(values)
        for word in words:
            if len(word.split()) != 1:
                raise BadInput(f"{word.replace('=', ': ', 1)!r} has blanks in it")
        return " ".join(words)

    def help(self):
        """A line or two for each, in the words of the program's help."""
        lines = []
        for name, row in self.rows.items():
            default = f" ({row['default']})" if row["default"] and not row["flag"] else ""
            kind = "True" if row["flag"] else row["type"]
            also = [keyword_of(n) for n in row["names"][1:] if n.startswith("--")]
            lines.append(f"    {', '.join([name, *also])}: {kind}\n        {row['help']}{default}")
        return "\n".join(lines)


def rows_of(word, command="solve"):
    """Those that this call of the library reads."""
    return [row for row in COMMANDS[command]["options"] if word in row["of"]]


def _elsewhere(word):
    """Where such a keyword is one, for the message."""
    for row in COMMANDS["solve"]["options"]:
        if keyword_of(row["name"]) == word:
            places = {"session": "Session", "operator": "Dirac", "solve": "solve", "gauge": "GaugeField.read",
                      "source": "read_source"}
            readers = [places[of] for of in row["of"]] or ["run"]
            return f", which is one of {' and of '.join(readers)}"
    return ""


def text_of(row, value):
    """A value of Python as it would be typed; None: it is not."""
    if row["flag"]:
        if not isinstance(value, (bool, numpy.bool_)):
            raise BadInput(f"{row['name']}: {value!r} is neither True nor False")
        return "" if value else None
    if isinstance(value, (bool, numpy.bool_)):
        if "on|off" in row["type"]:
            return "on" if value else "off"
        raise BadInput(f"{row['name']}: {value!r} is no {row['type']}")
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        return repr(float(value))
    if isinstance(value, (tuple, list, numpy.ndarray)):
        extents = "XxYxZxT" in row["type"] and all(isinstance(v, (int, numpy.integer)) for v in value)
        parts = [text_of({**row, "type": row["type"].replace(",...", "")}, v) for v in value]
        return ("x" if extents else ",").join(parts)
    raise BadInput(f"{row['name']}: {value!r} is no {row['type']}")


def documented(options, says="Keywords, in the words of the program's help (the default in brackets):"):
    """Of a function with **options: its help() has the rows as keywords."""

    def decorate(function):
        signature = inspect.signature(function)
        kept = [p for p in signature.parameters.values() if p.kind != inspect.Parameter.VAR_KEYWORD]
        there = {p.name for p in kept}
        kept += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in options
            if name not in there
        ]
        function.__signature__ = signature.replace(parameters=kept)
        function.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n{says}\n{options.help()}\n"
        return function

    return decorate
