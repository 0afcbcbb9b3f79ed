"""Policies read from files, and the lines of mistakes in them."""

from __future__ import annotations

import subprocess
from math import inf
from pathlib import Path

import pytest

import polars_fairness as pf

COMPLETE = """\
# A policy of a bank.
name = "Consumer credit"
version = "3"
metrics = ["di", "rd", "mh_ratio"]
confidence = 0.9
minimum_count = 30
p_values = "holm"
facets = ["sex", "race"]
rule = "point"

[favored]
sex = "M"
race = ["White", "Asian"]

[bands]
disparate_impact = [0.8, 1.25]
"rd" = [-inf, 0.05]
ci = "none"

[rules]
di = "significant"

[gate]
fail_on = "unfair"
allow_undefined = true
"""


def read(text: str, folder: Path, name: str = "fairness.toml") -> pf.Policy:
    file = folder / name
    file.write_bytes(text.encode())
    return pf.Policy.read(file)


def test_every_key_is_read(tmp_path: Path) -> None:
    policy = read(COMPLETE, tmp_path)
    assert policy == pf.Policy(
        name="Consumer credit",
        version="3",
        metrics=["di", "rd", "mh_ratio"],
        confidence=0.9,
        minimum_count=30,
        p_values="holm",
        facets=["sex", "race"],
        rule="point",
        favored={"sex": "M", "race": ["White", "Asian"]},
        bands={"di": (0.8, 1.25), "rd": (-inf, 0.05), "ci": None},
        rules={"di": "significant"},
        fail_on="unfair",
        allow_undefined=True,
    )
    assert policy.bands == {"di": (0.8, 1.25), "rd": (-inf, 0.05), "ci": None}


def test_a_name_is_enough(tmp_path: Path) -> None:
    assert read('name = "Hiring"', tmp_path) == pf.Policy(name="Hiring")


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ('sex = {reference = "highest"}', pf.HIGHEST),
        (
            'sex = {reference = "highest", minimum_count = 30, minimum_share = 0.02}',
            pf.HIGHEST(minimum_count=30, minimum_share=0.02),
        ),
        ('sex.reference = "largest"', pf.LARGEST),
        ('[favored.sex]\nreference = "overall"', pf.OVERALL),
    ],
)
def test_a_table_names_a_reference(text: str, reference: object, tmp_path: Path) -> None:
    policy = read(f'name = "Hiring"\n[favored]\n{text}', tmp_path)
    assert policy == pf.Policy(name="Hiring", favored={"sex": reference})
    assert policy.favored == {"sex": reference}


@pytest.mark.parametrize(
    "text",
    [
        'name = "Hiring"\ngate.fail_on = "uncertain"\nbands.di = [0.9, 1.1]',
        'name = "Hiring"\ngate = {fail_on = "uncertain"}\nbands = {"di" = [0.9, 1.1]}',
        '\r\n"name" = """Hiring"""\r\n[bands]\r\ndi = [\r\n0.9, # low\r\n1.1]\r\n'
        "[gate]\r\nfail_on='uncertain'",
    ],
)
def test_toml_may_be_written_in_any_form(text: str, tmp_path: Path) -> None:
    expected = pf.Policy(name="Hiring", fail_on="uncertain", bands={"di": (0.9, 1.1)})
    assert read(text, tmp_path) == expected


def test_a_project_file_has_a_table_for_the_policy(tmp_path: Path) -> None:
    text = (
        '[project]\nname = "bank"\n[tool.ruff]\nbnds = 1\n'
        '[tool.polars-fairness]\nname = "Hiring"\n[tool.polars-fairness.bands]\ndi = [0.9, 1.1]\n'
    )
    policy = read(text, tmp_path, "pyproject.toml")
    assert policy == pf.Policy(name="Hiring", bands={"di": (0.9, 1.1)})
    with pytest.raises(pf.FairnessError, match=r"^pyproject.toml, line 8: bands: 'di' takes"):
        read(text.replace("1.1", "'x'"), tmp_path, "pyproject.toml")
    for without in ("[tool.ruff]\n", "[tool]\npolars-fairness = 1", "tool = 1", ""):
        with pytest.raises(pf.FairnessError, match=r"^pyproject.toml: there is no table \[tool.p"):
            read(without, tmp_path, "pyproject.toml")


def test_the_hash_is_the_one_that_sha256sum_prints(tmp_path: Path) -> None:
    text = 'name = "Prüfung"\r\n# two spaces  \r\n'
    policy = read(text, tmp_path)
    printed = subprocess.run(
        ["sha256sum", tmp_path / "fairness.toml"], capture_output=True, text=True, check=True
    ).stdout
    assert printed.split()[0] == policy.hash
    assert str(policy) == f"Prüfung (sha256 {policy.hash[:12]})"
    assert str(pf.Policy(name="A", version="2")).startswith("A, version 2 (sha256 ")
    assert read(text + " ", tmp_path).hash != policy.hash
    assert pf.Policy(name="A").hash == pf.Policy(name="A").hash != pf.Policy(name="B").hash


MISTAKES: list[tuple[str, str]] = [
    ("bnds = 1", "there is no key 'bnds'; did you mean 'bands'?"),
    ("text = 'a'", "there is no key 'text'; there are 'name', .* and 'gate'"),
    ("fail_on = 'unfair'", "there is no key 'fail_on'; "),
    ("[gate]\nfail_onn = 'unfair'", "there is no key 'fail_onn' in gate; did you mean 'fail_on'?"),
    (
        "gate = 3",
        "gate: takes a table with the keys 'fail_on', 'allow_undefined' and "
        "'maximum_fair_p_value', got 3",
    ),
    ("[gate]\nfail_on = 'never'", "fail_on: takes 'unfair', 'uncertain' or 'worse', got 'never'"),
    ("[gate]\nfail_on = ['unfair', 3]", "fail_on: takes 'unfair', 'uncertain' or 'worse', got 3"),
    ("[gate]\nfail_on = []", r"fail_on: takes 'unfair', 'uncertain' or 'worse', got \[\]"),
    ("[gate]\nallow_undefined = 1", "allow_undefined: takes True or False, got 1"),
    ("[gate]\nallow_undefined = true", "allow_undefined: is about the gate of fail_on, which is"),
    ("version = 3", 'version: takes text in quotes, such as "3", got 3'),
    ("metrics = 'di'", "metrics: takes a list of names, got 'di'"),
    ("metrics = ['di',\n # and\n 'dii']", "metrics: no metric 'dii'; did you mean 'di'"),
    ("metrics = [\n 'di',\n 3]", "metrics: takes names, each once, got 3"),
    ("metrics = ['di', 'di']", "metrics: takes names, each once, got 'di'"),
    ("facets = [1]", "facets: takes names, each once, got 1"),
    ("confidence = 95", "confidence: takes a number between 0 and 1, .*got 95"),
    ("confidence = '0.95'", "confidence: takes a number, got '0.95'"),
    ("minimum_count = 30.5", r"minimum_count: takes a whole number, at least 0, got 30\.5"),
    ("minimum_count = true", "minimum_count: takes a whole number"),
    ("p_values = 'yes'", "p_values: takes 'exact', 'holm' or 'bh', got 'yes'"),
    ("rule = 'points'", "rule: takes 'interval', 'point' or 'significant', got 'points'"),
    ("rule = {di = 'point'}", "rule: takes 'interval', 'point' or 'significant', got {'di'"),
    ("[rules]\ndi = 'p'", "rules: 'di' takes 'interval', 'point' or 'significant', got 'p'"),
    ("[rules]\ndii = 'point'", "rules: no metric 'dii'; did you mean 'di'"),
    ("rules = 'point'", "rules: takes a table with names of metrics, got 'point'"),
    ("[bands]\ndii = [0, 1]", "bands: no metric 'dii'; did you mean 'di'"),
    (
        "[bands]\ndi = [1.25, 0.8]",
        r"bands: 'di' takes \[low, high\] or \"none\", got \[1.25, 0.8\]",
    ),
    ("[bands]\ndi = 0.8", r"bands: 'di' takes \[low, high\] or \"none\", got 0.8"),
    ("[bands]\ndi = [0.8]", r"bands: 'di' takes \[low, high\]"),
    ("[bands]\ndi = [0.8,\n'1.25']", r"bands: 'di' takes \[low, high\]"),
    ("[bands]\ndi = [nan, 1.0]", r"bands: 'di' takes \[low, high\]"),
    ("[bands]\ndi = [1.1, 1.5]", "bands: 1.1 to 1.5 does not hold the ideal value of 'di'"),
    ("[bands]\ndi = {}", r"bands: 'di' takes \[low, high\]"),
    (
        "[bands]\ndi = [0.8, 1.25]\ndisparate_impact = [0.8, 1.25]",
        "bands: 'disparate_impact' is 'di', which is given twice; remove one",
    ),
    ("bands = 3", "bands: takes a table with names of metrics, got 3"),
    ("favored = 'M'", "favored: takes a table with the values of facets, got 'M'"),
    ("[favored]\nsex = {}", "favored: 'sex' takes reference = 'highest', 'largest' or 'overall', "),
    ("[favored]\nsex.reference = 'best'", "favored: 'sex' takes reference = .*got 'best'"),
    (
        "[favored]\nsex = {reference = 'largest', minimum_count = 3}",
        "favored: 'sex' takes nothing beside reference = 'largest', got 'minimum_count'",
    ),
    (
        "[favored]\nsex = {reference = 'highest', least = 3}",
        "favored: there is no key 'least' for 'sex'; there are 'minimum_count' and 'minimum_share'",
    ),
    (
        "[favored]\nsex = {reference = 'highest', minimum_share = 3}",
        "minimum_share: takes a share between 0 and 1, got 3",
    ),
    ("[favored]\nsex = []", r"favored: 'sex' takes a value or a list of values, got \[\]"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[text for text, _ in MISTAKES])
def test_a_mistake_is_refused_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    before = '# A policy.\nname = """Hiring\nof all"""\n'
    # The mistake stands on the last line; of an array that is no band at all, on its first.
    lines = text.count("\n") + 4 - text.startswith("[bands]\ndi = [0.8,\n")
    with pytest.raises(pf.FairnessError, match=rf"^fairness\.toml, line {lines}: {message}"):
        read(before + text, tmp_path)
    after = "\n[favored]\n" if "favored" not in text else "\n# the end"
    with pytest.raises(pf.FairnessError, match=rf"^fairness\.toml, line {lines}: "):
        read(before + text + after, tmp_path)


def test_a_file_that_is_no_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pf.FairnessError, match=r"^fairness\.toml: name: a policy needs a name; "):
        read("version = '3'", tmp_path)
    with pytest.raises(pf.FairnessError, match=r"^fairness\.toml, line 1: name: takes text"):
        read("name = ''", tmp_path)
    with pytest.raises(pf.FairnessError, match=r"^fairness\.toml: this is not TOML: .*line 2"):
        read("a = 1\nb b", tmp_path)
    with pytest.raises(pf.FairnessError, match=r"^fairness\.toml: this is n"):
        read(f"a = {'[' * 5_000}{']' * 5_000}", tmp_path)
    with pytest.raises(pf.FairnessError, match=r"^policy: cannot read .*No such file"):
        pf.Policy.read(tmp_path / "none.toml")
    with pytest.raises(pf.FairnessError, match=r"^policy: cannot read .*Is a directory"):
        pf.Policy.read(tmp_path)
    (tmp_path / "fairness.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(pf.FairnessError, match=r"^policy: .*is not text in UTF-8"):
        pf.Policy.read(tmp_path / "fairness.toml")


def test_a_policy_in_python_is_checked_too() -> None:
    with pytest.raises(pf.FairnessError, match=r"^metrics: no metric 'dii'"):
        pf.Policy(name="Hiring", metrics=["dii"])
