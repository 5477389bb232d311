"""Compares two text files with difflib of Python's own library."""

import difflib

from wit_world.imports import fs

MAX_BYTES = 1 << 20


class TooLarge(Exception):
    code = "limit"


def compare(input):
    old, new = lines_of(input["old"]), lines_of(input["new"])
    context = input.get("context", 3)
    patch = list(difflib.unified_diff(old, new, input["old"], input["new"], lineterm="", n=context))
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in patch)
    removed = sum(line.startswith("-") and not line.startswith("--- ") for line in patch)
    alike = round(difflib.SequenceMatcher(None, old, new).ratio(), 3)
    content = {"patch": "\n".join(patch), "added": added, "removed": removed, "alike": alike}
    return content, f"{added} lines added, {removed} removed"


def lines_of(path):
    file = fs.read_text(path if ":" in path else f"work:{path}", MAX_BYTES)
    if file.truncated:
        raise TooLarge(f"{path} has more than 1 MiB")
    return file.text.splitlines()
