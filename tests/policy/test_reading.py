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
