"""Policies read from files."""

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
fail_on = "outside"
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
        fail_on="outside",
        allow_undefined=True,
    )
    assert policy.bands == {"di": (0.8, 1.25), "rd": (-inf, 0.05), "ci": None}


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


def test_a_project_file_has_a_table_for_the_policy(tmp_path: Path) -> None:
    text = (
        '[project]\nname = "bank"\n[tool.ruff]\nbnds = 1\n'
        '[tool.polars-fairness]\nname = "Hiring"\n[tool.polars-fairness.bands]\ndi = [0.9, 1.1]\n'
    )
    policy = read(text, tmp_path, "pyproject.toml")
    assert policy == pf.Policy(name="Hiring", bands={"di": (0.9, 1.1)})
    with pytest.raises(pf.FairnessError, match=r"^pyproject.toml: bands: 'di' takes"):
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
