#!/usr/bin/python3
"""What people read about behaviours is what behaviour_table.def says: in server/sim/behaviours/README.md, in the comments of
the .proto and in `steerctl profile define --help`. usage: behaviours.py ROOT [--fix]

Compares; with --fix it writes them anew. What is between a line with "behaviours: begin" and one with "behaviours: end" is
its own."""

import pathlib
import re
import sys
import textwrap

TABLE = "server/sim/behaviours/behaviour_table.def"
ROW = re.compile(r'^BEHAVIOUR\((\d+), (\w+), \d+, "([^"]*)"(.*)\)\s*$', re.S)
PARAM = re.compile(r'PARAM\((\w+), "([^"]*)", ([-\d.]+)f, ([-\d.]+)f, ([-\d.]+)f, "([^"]*)"\)')


def number(text):
    """As people write it: no zeros behind the point, thousands as they are."""
    return f"{float(text):.9g}"


def rows(root):
    """The table: (number, name, summary, [(name, unit, min, max, default, summary)])."""
    text = (root / TABLE).read_text(encoding="utf-8")
    found = []
    for part in re.split(r"^(?=BEHAVIOUR\(\d)", text, flags=re.M)[1:]:
        row = ROW.match(part.rstrip())
        if row is None:
            sys.exit(f"{TABLE}: not understood: {part.splitlines()[0]}")
        parameters = PARAM.findall(row.group(4))
        if len(parameters) != row.group(4).count("PARAM("):
            sys.exit(f"{TABLE}: a PARAM of {row.group(2)} is not understood")
        found.append((row.group(1), row.group(2), row.group(3), parameters))
    return found


def legal(parameter):
    """Name, range, unit and default of one parameter."""
    name, unit, low, high, default, _ = parameter
    return f"{name} {number(low)} to {number(high)}{' ' + unit if unit else ''}, {number(default)}"


def readme(table):
    """Rows of a Markdown table, a parameter a line."""
    yield "| | behaviour | parameters: legal range, default |"
    yield "| --- | --- | --- |"
    for row, name, summary, parameters in table:
        words = [f"`{p[0]}` {legal(p).split(' ', 1)[1]}: {p[5]}" for p in parameters]
        yield f"| {row} | `{name}` {summary} | {'<br>'.join(words)} |"


def proto(table):
    """Comment lines, an item a behaviour."""
    for _, name, summary, parameters in table:
        words = f"{name}: {summary}"
        words += ". Parameters (range, default): " + "; ".join(map(legal, parameters)) if parameters else ""
        for i, line in enumerate(textwrap.wrap(words, 104)):
            yield ("// - " if i == 0 else "//   ") + line


def help_text(table):
    """C strings, for a terminal of 80 columns."""
    for _, name, summary, parameters in table:
        lines = textwrap.wrap(f"{name}: {summary}", 76, initial_indent="  ", subsequent_indent="    ")
        if parameters:
            lines += textwrap.wrap("; ".join(map(legal, parameters)), 76, initial_indent="    ", subsequent_indent="    ")
        for line in lines:
            yield f'"{line}\\n"'


PLACES = {
    "server/sim/behaviours/README.md": readme,
    "proto/steerd/v1/steerd.proto": proto,
    "client-sample/ctl/behaviour_list.def": help_text,
}


def replaced(text, lines):
    """The text with its own part anew, or None when it has none."""
    own = re.compile(r"^([^\n]*behaviours: begin[^\n]*\n).*?^([^\n]*behaviours: end[^\n]*)$", re.M | re.S)
    match = own.search(text)
    if match is None:
        return None
    return text[: match.end(1)] + "\n".join(lines) + "\n" + text[match.start(2) :]


def main():
    root = pathlib.Path(sys.argv[1])
    table = rows(root)
    wrong = 0
    for place, write in PLACES.items():
        path = root / place
        text = path.read_text(encoding="utf-8")
        fresh = replaced(text, list(write(table)))
        if fresh is None:
            sys.exit(f"{place}: has no lines 'behaviours: begin' and 'behaviours: end'")
        if fresh == text:
            continue
        if "--fix" in sys.argv[2:]:
            path.write_text(fresh, encoding="utf-8")
            print(f"{place}: written anew")
        else:
            print(f"{place}: is not what {TABLE} says: tests/tidy/behaviours.py . --fix writes it anew")
            wrong += 1
    print(f"{len(table)} behaviours, {wrong} of {len(PLACES)} places are stale")
    return 0 if wrong == 0 and table else 1


sys.exit(main())
