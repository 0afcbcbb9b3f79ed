"""The line on which a key of a TOML file stands."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from polars_fairness.question.policy import line_of

TEXT = '''\
# name = "in a comment"
title = """
name = 1
[table]
"""   # a text of several lines
other = \'\'\'
name = 2\'\'\'
name = "a [b] # c"

[table."quoted.key"]   # dots in quotes
inner = {a = 1, b = [2, 3]}
dotted . key = 3
list = [
  "one",   # name = 4

  "two", "three",
  [
    4,
    5,
  ],
]

[[rows]]
a = 1
[[rows]]
a = 2
'''


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("path", "line"),
    [
        (["title"], 2),
        (["name"], 8),
        (["table"], 10),
        (["table", "quoted.key"], 10),
        (["table", "quoted.key", "inner", "b", 1], 11),
        (["table", "quoted.key", "dotted", "key"], 12),
        (["table", "quoted.key", "list"], 13),
        (["table", "quoted.key", "list", 0], 14),
        (["table", "quoted.key", "list", 2], 16),
        (["table", "quoted.key", "list", 3], 17),
        (["rows", 1, "a"], 26),
        (["nothing"], None),
        (["name", "inner"], None),
    ],
)
def test_a_key_is_found_on_its_line(path: list[str | int], line: int | None, ending: str) -> None:
    assert line_of(TEXT.replace("\n", ending), path) == line


def test_a_long_file_is_read_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 100,000 lines takes a third of a second each time."""
    read: list[str] = []
    loads = tomllib.loads

    def counted(text: str) -> dict[str, Any]:
        read.append(text)
        return loads(text)

    monkeypatch.setattr(tomllib, "loads", counted)
    long = "[bands]\n" + "".join(f"k{i} = 1\n" for i in range(1_000)) + "mistaken = 2\n"
    assert line_of(long, ["bands", "mistaken"]) == 1_002
    assert len(read) == 1
    assert line_of(long.replace("mis", r'"mis').replace("ken", r'\u006ben"'), ["bands", "mistaken"])
