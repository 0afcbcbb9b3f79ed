"""Shells complete commands, options, metrics and files by the scripts that the program prints."""

from __future__ import annotations

import shutil
import subprocess
from argparse import _SubParsersAction
from pathlib import Path

import pytest

import polars_fairness as pf
from polars_fairness.cli.arguments import parser
from polars_fairness.cli.completion import SHELLS
from tests.conftest import Run

FPR = {"fpr_difference", "fpr_gap", "fpr_ratio"}

# What is typed, up to the place of the TAB, and what the shell offers.
TYPED: list[tuple[str, set[str]]] = [
    ("audit --me", {"--metric", "--method"}),
    ("audit loans.parquet --metric fpr", FPR),
    ("audit loans.parquet --metric di --metric fpr", FPR),
    ("audit loans.parquet --metric di,fpr", {f"di,{name}" for name in FPR}),
    ("audit loans.parquet --metric disparate", {"disparate_impact"}),
    ("audit --nulls ", {"raise", "drop"}),
    ("audit loans.parquet --rule ", {"interval", "point", "significant"}),
    ("audit loans.parquet --reference ", {"highest", "largest", "overall"}),
    ("audit loans.parquet --threshold ", {"every"}),
    ("worst-groups loans.parquet --harm ", {"below", "above", "both"}),
    ("hiring loans.parquet --table ", {"impact_ratios", "adverse_impact"}),
    ("lending loans.parquet --fail-on ", {"flagged"}),
    ("audit loans.parquet --fail-on ", {"unfair", "uncertain", "worse"}),
    ("decompose loans.parquet --metric cddp", {"cddpl"}),
    ("choose loans.parquet --maximise a", {"accuracy"}),
    ("audit lo", {"loans.parquet"}),
    ("audit loans.parquet --html pa", {"page.html"}),
    ("cells loans.parquet --output pa", {"page.html"}),
    ("metrics di fps", {"fpsf"}),
    ("completion ", set(SHELLS)),
]

IN_BASH = """
source ./script
COMP_WORDS=(polars-fairness "$@")
COMP_CWORD=$#
_shtab_polars_fairness
printf '%s\\n' "${COMPREPLY[@]}"
"""

IN_FISH = "source ./script; complete -C 'polars-fairness {}'"


@pytest.fixture
def script(request: pytest.FixtureRequest, run: Run) -> None:
    code, out, err = run("completion", request.param)
    assert (code, err) == (0, "")
    Path("script").write_text(out, "utf-8")
    Path("page.html").touch()


def offered(*command: str) -> set[str]:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    return {line.partition("\t")[0] for line in ended.stdout.splitlines()}


@pytest.mark.extras
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("script", ["bash"], indirect=True)
@pytest.mark.usefixtures("script")
def test_bash_completes() -> None:
    for typed, expected in TYPED:
        assert offered("bash", "--norc", "-c", IN_BASH, "bash", *typed.split(" ")) == expected


@pytest.mark.extras
@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize("script", ["fish"], indirect=True)
@pytest.mark.usefixtures("script")
def test_fish_completes() -> None:
    for typed, expected in TYPED:
        assert offered("fish", "--no-config", "-c", IN_FISH.format(typed)) == expected


@pytest.mark.extras
@pytest.mark.parametrize("script", ["zsh"], indirect=True)
@pytest.mark.usefixtures("script")
def test_zsh_is_given_metrics_with_commas_and_repeated_arguments() -> None:
    lines = Path("script").read_text("utf-8").splitlines()
    metrics = " ".join(pf.CATALOGUE.names)
    assert lines[0] == "#compdef polars-fairness"
    for begins, ends in {
        '"*--metric[': f':NAME:_values -s , metric {metrics}"',
        '"--policy[': ':FILE:_files"',
        '"*:files, folders or patterns': ':_files"',
        '"*:a metric': f':({metrics})"',
    }.items():
        found = [line.strip() for line in lines if line.strip().startswith(begins)]
        assert found
        assert all(line.endswith(ends) for line in found)


@pytest.mark.extras
@pytest.mark.parametrize("script", SHELLS, indirect=True)
@pytest.mark.usefixtures("script")
def test_every_command_and_option_is_completed() -> None:
    text = Path("script").read_text("utf-8")
    [commands] = [a for a in parser()._actions if isinstance(a, _SubParsersAction)]
    for name, command in commands.choices.items():
        assert name in text
        for action in command._actions:
            for option in action.option_strings:
                assert option.lstrip("-") in text


def test_completion_without_its_extra_names_it(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    code, out, err = run("completion", "bash")
    assert (code, out) == (2, "")
    assert err == (
        "polars-fairness: completion: needs 'shtab', not installed here; "
        'pip install "polars-fairness[completion]"\n'
    )
