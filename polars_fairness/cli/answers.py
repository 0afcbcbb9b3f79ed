"""A command at work: the files that it reads, where its answer and its report go, and its end."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from polars_fairness.cli.commands import COMMANDS
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.formats import WRITERS
from polars_fairness.cli.options import FILES
from polars_fairness.cli.outputs import Writer, flat, output_of, texts_of_page, writer_of
from polars_fairness.cli.own_words import in_own_words
from polars_fairness.cli.printed import complain, say, time_shown, width
from polars_fairness.cli.typed import question_of
from polars_fairness.question.arguments import Argument
from polars_fairness.question.audit_arguments import Texts
from polars_fairness.reporting.outputs import text_tables
from polars_fairness.reporting.shown.layouts import Layout
from polars_fairness.reporting.written_report import WrittenReport


@dataclass(frozen=True)
class Work:
    """What was typed, and the files that are read and written; each output is checked already."""

    arguments: Mapping[str, Any]
    files: Sequence[str]
    texts: Texts
    write: Writer | None
    file: Path | None
    reports: Mapping[str, Path | None]

    @property
    def format(self) -> str:
        """The format in which the answer is printed."""
        return str(self.arguments.get("format", "table"))

    @property
    def name(self) -> str:
        """The name of the command's answer."""
        return str(self.arguments["command"]).replace("-", "_")

    def typed(self, arguments: Iterable[Argument]) -> dict[str, Any]:
        """The values of those of the arguments that were typed."""
        given = self.arguments
        return {each.name: given[each.name] for each in arguments if each.name in given}

    def rows(self) -> pl.LazyFrame:
        """The rows of the files, as the typed arguments read them."""
        return opened(self.files, self.arguments)

    def answer(self, compute: Callable[..., pl.LazyFrame]) -> pl.DataFrame:
        """The answer of a function to the typed question about the rows."""
        rows = self.rows()
        question = question_of(self.arguments, rows.collect_schema())
        with time_shown():
            return compute(rows, **question).collect(engine="streaming")

    def show(self, answer: pl.DataFrame, table: Callable[[], str], name: str = "") -> None:
        """Write the answer to its file, or print it; a function writes the table of a terminal."""
        if self.write is not None and self.file is not None:
            self.write(answer, self.file)
        elif self.format == "table":
            say(table())
        else:
            say(WRITERS[self.format](flat(answer), name or self.name))

    def report(self, make: Callable[[], WrittenReport]) -> None:
        """Make the report once and write it to its files, if there are any."""
        if self.reports:
            with time_shown():
                made = make()
                for kind, path in self.reports.items():
                    getattr(made, f"write_{kind}")(path, **self.texts)


@contextmanager
def at_work(typed: Namespace) -> Iterator[Work]:
    """What a command needs around its answer; its outputs replace their files at the end."""
    arguments, command = vars(typed), COMMANDS[typed.command]
    texts: Texts = {}
    if {*FILES} <= {*command.answer}:
        kind = Path(arguments.get("output", "")).suffix.lower().removeprefix(".")
        if kind in {each.name for each in FILES} - arguments.keys():
            arguments[kind] = arguments.pop("output")
        of_page = [
            each for each in command.own if each.option and each.option.heading == "document"
        ]
        texts = texts_of_page(arguments, of_page)
    is_page = command.answer[0].is_required
    write = None if is_page else writer_of(arguments, typed.command.replace("-", "_"))
    files = files_of(typed.paths)
    with ExitStack() as outputs:
        file, *others = (
            outputs.enter_context(output_of(arguments, name, files))
            for name in ("output", *(each.name for each in FILES))
        )
        reports = dict(zip((each.name for each in FILES), others, strict=True))
        written = {kind: path for kind, path in reports.items() if path is not None}
        yield Work(arguments, files, texts, write, file, written)


def ended(complaint: str | None) -> int:
    """The exit code of a command whose gate has this complaint, which is printed; or none."""
    if complaint is None:
        return 0
    complain(in_own_words(complaint))
    return 1


def in_terminal(*layouts: Layout) -> str:
    """Tables as wide as the terminal, below each other."""
    return text_tables.in_terminal(layouts, width())
