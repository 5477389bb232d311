"""One function for each tool of plugin.toml. It is given the input as a dictionary and returns the
content, or the content and a line for people. What it raises is the error of the call.

Host calls are functions of `wit_world.imports`, for each interface that plugin.toml wants.
"""


def count(input):
    return counted(input["text"], "the text")


def count_file(input):
    from wit_world.imports import fs

    path = input["path"]
    return counted(fs.read_text(path, 1 << 20).text, path)


def counted(text, place):
    words = len(text.split())
    return {"words": words}, f"{words} words in {place}"
