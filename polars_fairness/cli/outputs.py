"""Where a command writes its answers and its pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.files import TABLES, files_beside
from polars_fairness.cli.formats import as_json, as_markdown
from polars_fairness.cli.interrupts import temporary_file, unfinished
from polars_fairness.errors import FairnessError, listed, reason_of
from polars_fairness.question.arguments import Argument
from polars_fairness.question.audit_arguments import NOTES, OF_PAGE, Texts
from polars_fairness.reporting.outputs.pdf import pdf_of, require_charts, require_printer
from polars_fairness.reporting.written_report import checked_texts


def output_of(
    arguments: Mapping[str, Any], option: str, files: Sequence[str]
) -> AbstractContextManager[Path | None]:
    """A temporary file for the output, checked to be writable; None without an output.

    It is no file that is read: none of ``files``, which have the rows, nor one beside them.
    """
    if option not in arguments:
        return nullcontext()
    inputs = [*files, *files_beside(arguments)]
    return _written(option, arguments[option], inputs, overwrite=arguments.get("overwrite", False))


@contextmanager
def _written(argument: str, path: str, inputs: Sequence[str], *, overwrite: bool) -> Iterator[Path]:
    """A temporary file in the output's folder, which replaces the output when it is complete.

    The temporary file is made at once, so an error shows before the counting if the folder is not
    writable. After a failure the output is unchanged.
    """
    target = Path(os.path.realpath(path))  # the target of a link
    _check(argument, path, target, inputs, overwrite=overwrite)
    with temporary_file(target.parent, target) as temporary:
        try:
            temporary.touch(exist_ok=False)
        except OSError as error:
            raise FairnessError(
                f"--{argument}: cannot write {path!r}: {error.strerror}; choose another folder"
            ) from error
        try:
            yield temporary
        except (FileNotFoundError, PermissionError):  # of what is read
            raise
        except OSError as error:
            raise FairnessError(
                f"--{argument}: cannot write all of {path!r}: {reason_of(error)}; free space, or "
                "choose another folder"
            ) from error
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)


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
            f"--{argument}: there is no folder {str(Path(path).parent)!r} for {path!r}; make it"
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


Writer = Callable[[pl.DataFrame, Path], object]


def writer_of(arguments: Mapping[str, Any], answer: str) -> Writer | None:
    """The function that writes the answer of this name to the typed output, by its ending."""
    if "output" not in arguments:
        return None
    path = arguments["output"]
    ending = Path(path).suffix.lower()
    if write_table := TABLES.get(ending):
        return lambda frame, file: write_table(flat(frame), file)
    if write_text := _TEXTS.get(ending):
        return lambda frame, file: file.write_text(f"{write_text(flat(frame), answer)}\n", "utf-8")
    if ending == ".html":
        require_charts()
        return lambda frame, file: file.write_text(_page_of(frame), "utf-8")
    if ending == ".pdf":
        require_printer()
        return lambda frame, file: file.write_bytes(pdf_of(_page_of(frame)))
    known = listed([*TABLES, *_TEXTS, ".html", ".pdf"])
    raise FairnessError(f"--output: {path!r} has no known format; end the name in one of {known}")


_TEXTS: Final = {".json": as_json, ".md": as_markdown}


def _page_of(frame: pl.DataFrame) -> str:
    return str(pf.table(frame).as_raw_html(make_page=True))


def flat(answer: pl.DataFrame) -> pl.DataFrame:
    """The answer without structs, which a table in text has not."""
    structs = [name for name, dtype in answer.schema.items() if isinstance(dtype, pl.Struct)]
    prefixed = [pl.col(name).name.prefix_fields(f"{name} ") for name in structs]
    return answer.with_columns(prefixed).unnest(structs)


def texts_of_page(arguments: Mapping[str, Any], of_report: Iterable[Argument]) -> Texts:
    """What was typed about the page of a report, checked, with its notes read from their file.

    No argument of a report goes without one.
    """
    typed = [row.name for row in of_report if row.name in arguments]
    if typed and not {"html", "pdf", "json"} & arguments.keys():
        raise FairnessError(
            f"{typed[0]}: is about a report, which was not requested; add --html, --pdf or --json"
        )
    if "html" in arguments:
        require_charts()
    if "pdf" in arguments:
        require_printer()
    given = {row.name: arguments[row.name] for row in OF_PAGE if row.name in arguments}
    if path := given.get(NOTES.name):
        try:
            given[NOTES.name] = Path(path).read_text("utf-8-sig")
        except OSError as error:
            raise FairnessError(
                f"notes: cannot read {path!r}: {error.strerror}; give a file with Markdown"
            ) from error
        except UnicodeDecodeError as error:
            raise FairnessError(
                f"notes: {path!r} is not text in UTF-8; write it as UTF-8"
            ) from error
    return checked_texts(given)
