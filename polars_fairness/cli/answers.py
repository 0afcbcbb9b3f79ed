"""A command at work: the files that it reads and writes, its answer and its report, its end."""

from __future__ import annotations

import os
import tomllib
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.commands import COMMANDS
from polars_fairness.cli.files import (
    TABLES,
    files_beside,
    files_of,
    opened,
    refuse_files_of_cells,
)
from polars_fairness.cli.formats import WRITERS, as_json, as_markdown
from polars_fairness.cli.options import FILES
from polars_fairness.cli.own_words import name_options
from polars_fairness.cli.printed import complain, say, time_shown, width
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import Argument
from polars_fairness.question.audit_arguments import NOTES, OF_PAGE, WORDS, Texts
from polars_fairness.reporting.document import WrittenReport, checked_texts
from polars_fairness.reporting.outputs.files import replacing, unfinished
from polars_fairness.reporting.outputs.pdf import (
    pdf_of,
    require_charts,
    require_pages,
    require_printer,
)
from polars_fairness.reporting.parts import Table
from polars_fairness.reporting.tables import terminal_text

Output = Callable[[bytes], object]


@dataclass(frozen=True)
class Work:
    """What was typed, and the files that are read and written; each output is checked already."""

    arguments: Mapping[str, Any]
    files: Sequence[str]
    texts: Mapping[str, Any]
    written: Callable[[pl.DataFrame], bytes] | None
    output: Output | None
    reports: Mapping[str, Output]

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

    def rows(self, decided: Mapping[str, Any] = MappingProxyType({})) -> pl.LazyFrame:
        """The rows of the files, as the typed arguments and those of a policy read them."""
        arguments = {**decided, **self.arguments}
        rows = opened(self.files, arguments)
        refuse_files_of_cells(rows, arguments)
        return rows

    def show(self, answer: pl.DataFrame, table: Callable[[], str], name: str = "") -> None:
        """Write the answer to its file, or print it; a function writes the table of a terminal."""
        if self.written is not None and self.output is not None:
            self.output(self.written(answer))
        elif self.format == "table":
            say(table())
        else:
            say(WRITERS[self.format](_flat(answer), name or self.name))

    def report(self, make: Callable[[], WrittenReport]) -> None:
        """Make the report once and write it to its files, if there are any."""
        if self.reports:
            with time_shown():
                made = make()
                for kind, write in self.reports.items():
                    write(made.written(kind, **self.texts))


@contextmanager
def work_of(typed: Namespace) -> Iterator[Work]:
    """What a command needs around its answer; its outputs replace their files at the end."""
    arguments, command = vars(typed), COMMANDS[typed.command]
    texts: Texts = {}
    if kinds := [each.name for each in FILES if each in command.answer]:
        kind = Path(arguments.get("output", "")).suffix.lower().removeprefix(".")
        if kind in {*kinds} - arguments.keys():
            arguments[kind] = arguments.pop("output")
        of_page = [
            each for each in command.own if each.option and each.option.heading == "document"
        ]
        texts = _texts_of_page(arguments, of_page, kinds)
    if is_page := command.answer[0].is_required:
        require_charts()
    written = None if is_page else _written_as(arguments, typed.command.replace("-", "_"))
    files = files_of(typed.paths)
    with ExitStack() as outputs:
        output, *others = (
            outputs.enter_context(output_of(arguments, name, files)) for name in ("output", *kinds)
        )
        reports = {kind: each for kind, each in zip(kinds, others, strict=True) if each is not None}
        yield Work(arguments, files, texts, written, output, reports)


def ended(complaint: str | None) -> int:
    """The exit code of a command whose gate has this complaint, which is printed; or none."""
    if complaint is None:
        return 0
    complain(name_options(complaint))
    return 1


def fit_to_terminal(*tables: Table) -> str:
    """Tables as wide as the terminal, below each other."""
    return terminal_text(tables, width())


@contextmanager
def output_of(
    arguments: Mapping[str, Any], option: str, files: Sequence[str]
) -> Iterator[Output | None]:
    """What writes the output, which replaces an old one at the end; None without an output.

    It must not be a file that is read: one of ``files``, which have the rows, or one beside them.
    """
    if option not in arguments:
        yield None
        return
    path = arguments[option]
    target = Path(os.path.realpath(path))  # the target of a link
    inputs = [*files, *files_beside(arguments)]
    _check(option, path, target, inputs, overwrite=arguments.get("overwrite", False))
    with replacing(path, f"--{option}") as write:
        yield write


def _check(
    argument: str, path: str, target: Path, inputs: Sequence[str], *, overwrite: bool
) -> None:
    """Raise if the output cannot be written, or would replace a file that must stay."""
    if target in unfinished.values():
        raise FairnessError(f"--{argument}: {path!r} is another output too; give another name")
    if target.is_dir():
        raise FairnessError(f"--{argument}: {path!r} is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise FairnessError(
            f"--{argument}: there is no folder {str(Path(path).parent)!r} for {path!r}; create it"
        )
    if not target.exists():
        return
    if not target.is_file():
        raise FairnessError(f"--{argument}: {path!r} is not a regular file; give the name of one")
    for file in inputs:
        if "://" not in file and target.samefile(file):
            raise FairnessError(
                f"--{argument}: {path!r} is the input {file!r}, which would be lost; give another "
                "name"
            )
    if not overwrite:
        raise FairnessError(f"--{argument}: {path!r} exists already; add --overwrite to replace it")


def _written_as(
    arguments: Mapping[str, Any], answer: str
) -> Callable[[pl.DataFrame], bytes] | None:
    """The function that writes the answer of this name as the typed output, by its ending."""
    if "output" not in arguments:
        return None
    path = arguments["output"]
    ending = Path(path).suffix.lower()
    if write_table := TABLES.get(ending):

        def as_table(frame: pl.DataFrame) -> bytes:
            # In memory: polars calls a full disk a Parquet file out of specification.
            content = BytesIO()
            write_table(_flat(frame), content)
            return content.getvalue()

        return as_table
    if write_text := _TEXTS.get(ending):
        return lambda frame: f"{write_text(_flat(frame), answer)}\n".encode()
    if ending == ".html":
        require_charts()
        return lambda frame: _page_of(frame).encode()
    if ending == ".pdf":
        require_printer()
        return lambda frame: pdf_of(_page_of(frame))
    known = listed([*TABLES, *_TEXTS, ".html", ".pdf"])
    raise FairnessError(f"--output: {path!r} has no known format; end the name in one of {known}")


_TEXTS: Final = {".json": as_json, ".md": as_markdown}


def _page_of(frame: pl.DataFrame) -> str:
    return str(pf.table(frame).as_raw_html(make_page=True))


def _flat(answer: pl.DataFrame) -> pl.DataFrame:
    """The answer without structs, for which a text table has no place."""
    structs = [name for name, dtype in answer.schema.items() if isinstance(dtype, pl.Struct)]
    prefixed = [pl.col(name).name.prefix_fields(f"{name} ") for name in structs]
    return answer.with_columns(prefixed).unnest(structs)


def _texts_of_page(
    arguments: Mapping[str, Any], of_report: Iterable[Argument], kinds: Sequence[str]
) -> dict[str, Any]:
    """The typed texts of the page of a report, checked, with its notes read from their file.

    An argument of a report is refused without a report of one of these kinds.
    """
    typed = [row.name for row in of_report if row.name in arguments]
    if typed and not {*kinds} & arguments.keys():
        options = listed([f"--{kind}" for kind in kinds], "or", write=str)
        raise FairnessError(
            f"{typed[0]}: is about a report, which was not requested; add {options}"
        )
    if "html" in arguments:
        require_pages()
    if "pdf" in arguments:
        require_printer()
    given = {row.name: arguments[row.name] for row in OF_PAGE if row.name in arguments}
    for name in (NOTES.name, WORDS.name):
        if path := given.get(name):
            given[name] = _text_of(name, path)
    texts: dict[str, Any] = {**checked_texts(given)}
    if WORDS.name in given:
        try:
            texts[WORDS.name] = tomllib.loads(given[WORDS.name])
        except tomllib.TOMLDecodeError as error:
            raise FairnessError(f"words: the file is not TOML: {error}") from error
    return texts


def _text_of(argument: str, path: str) -> str:
    try:
        return Path(path).read_text("utf-8-sig")
    except OSError as error:
        raise FairnessError(
            f"{argument}: cannot read {path!r}: {error.strerror}; give a file with text"
        ) from error
    except UnicodeDecodeError as error:
        raise FairnessError(
            f"{argument}: {path!r} is not text in UTF-8; write it as UTF-8"
        ) from error
