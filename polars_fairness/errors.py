"""The error that users see, and functions that write helpful messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.util import find_spec
from math import isnan, nan
from numbers import Integral, Real
from typing import Any, Final

HIGHEST_CONFIDENCE: Final = 1 - 1e-9

_LONGEST: Final = 80
"""The most characters of a value in a message."""

MOST_QUOTED: Final = 50
"""The most distinct values of a column that a message quotes: more may identify people."""


_CATEGORIES: Final = re.compile(r"Enum\(categories=\[.*?\]\)", re.DOTALL)


class FairnessError(ValueError):
    """A question that cannot be answered.

    The message names the argument, says what was found and what to do next. Mistakes that the
    schema shows are raised at the call. Mistakes that only the data show are raised when the query
    runs; a polars plan raises them as a `ComputeError`, whose message quotes no data.

    Attributes
    ----------
    argument
        The argument that the message is about, the first if there are several, or None.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> pl.LazyFrame({"sex": ["F"], "hired": [True]}).fairness.dppl(facet="sx", predicted="hired")
    Traceback (most recent call last):
    ...
    polars_fairness.errors.FairnessError: facet: no column 'sx'; did you mean 'sex'?
    """

    def __init__(self, message: str) -> None:
        # An Enum as polars writes it has all its categories.
        super().__init__(_CATEGORIES.sub("Enum", message))
        names = str(self).partition(": ")[0].split(", ")
        is_about_arguments = names[0] != str(self) and all(map(str.isidentifier, names))
        self.argument = names[0] if is_about_arguments else None


class OutsideBandError(FairnessError):
    """An audit that fails its gate; `polars_fairness.check` raises it.

    Parameters
    ----------
    message
        What failed, and by which metrics.
    audit
        The audit, a DataFrame.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F"] * 100 + ["M"] * 100, "hired": [0, 1] * 50 + [1] * 100})
    >>> try:
    ...     pf.check(hired, "di", facet="sex", predicted="hired")
    ... except pf.OutsideBandError as error:
    ...     print(error.audit["verdict"].item())
    outside
    """

    def __init__(self, message: str, audit: Any = None) -> None:
        super().__init__(message)
        self.audit = audit

    def __reduce__(self) -> tuple[type[OutsideBandError], tuple[str, Any]]:
        # Other processes raise it too, such as those of a scheduler.
        return OutsideBandError, (str(self), self.audit)


class MissingExtraError(FairnessError, ImportError):
    """A call that needs a library that is not installed."""


@contextmanager
def about(argument: str) -> Iterator[None]:
    """Raise users' errors as errors about this argument, or unchanged without one."""
    try:
        yield
    except FairnessError as error:
        if not argument:
            raise
        raise type(error)(f"{argument}: {error}") from error


def require_extra(argument: str, extra: str, *modules: str) -> None:
    """Raise unless the modules of an extra are installed, and say how to install them."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise MissingExtraError(
            f"{argument}: needs {listed(missing)}, not installed here; "
            f'pip install "polars-fairness[{extra}]"'
        )


def require_number(
    argument: str,
    value: Any,
    takes: str = "a number",
    least: float | None = None,
    most: float | None = None,
) -> float:
    """Return the value as a float; raise if it is not a number, too small or too large."""
    try:
        number = nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:  # a whole number of hundreds of digits
        number = nan
    if (
        isnan(number)
        or (least is not None and number < least)
        or (most is not None and number > most)
    ):
        raise FairnessError(f"{argument}: takes {takes}, got {shown(value)}")
    return number


def require_whole(argument: str, value: Any, least: int, takes: str = "a whole number") -> int:
    """Return the value as an int; raise if it is not a whole number or too small."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise FairnessError(f"{argument}: takes {takes}, at least {least}, got {shown(value)}")
    return int(value)


def require_flag(argument: str, value: Any, known: Sequence[bool | None] = (True, False)) -> None:
    """Raise unless the value is one of these; 1 and 0 do not pass for True and False."""
    for each in known:
        if value is each:
            return
    raise FairnessError(f"{argument}: takes {listed(known, 'or')}, got {shown(value)}")


def require_words(argument: str, given: Any, known: Sequence[str]) -> None:
    """Raise unless this is one of a few words, or a dictionary of metrics to these words."""
    words = listed(known, "or")
    if not isinstance(given, Mapping):
        if not isinstance(given, str) or given not in known:
            raise FairnessError(
                f"{argument}: takes {words}, or {{metric: {argument}}}, got {shown(given)}"
            )
        return
    for name, word in given.items():
        if not isinstance(word, str) or word not in known:
            raise FairnessError(f"{argument}: {name!r} takes {words}, got {shown(word)}")


def require_confidence(value: Any) -> None:
    """Raise unless the value is a confidence level, or None for no intervals."""
    if value is not None and not 0 < require_number("confidence", value) <= HIGHEST_CONFIDENCE:
        raise FairnessError(
            f"confidence: takes a number between 0 and 1, such as 0.95, or None, got {value!r}"
        )


# Where polars quotes what it could not convert, however many values the column has.
_LIST: Final = re.compile(r"(values?(?:\(s\))?): \[.*\]")
_VALUE: Final = re.compile(r"(could not|cannot) parse (?:`.*`|'.*') (as dtype|\()")


def reason_of(error: BaseException) -> str:
    """The first line of an error's message, without values; in polars, the plan follows it."""
    reason = str(error).partition("\n")[0] or type(error).__name__
    return _VALUE.sub(r"\1 parse a value \2", _LIST.sub(r"\1", reason))


def did_you_mean(word: str, known: Iterable[str], most: int = 10) -> str:
    """Suggest the known names closest to a misspelt one, or list them if none is close."""
    known = list(known)
    near = nearest(word, known)
    if near:
        return f"did you mean {listed(near, 'or')}?"
    if len(known) == 1:
        return f"there is only {known[0]!r}"
    return f"there are {listed(known, most=most)}" if known else "there are none"


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names closest to a misspelt one, whatever their case; none if none is close."""
    by_lowercase = {name.lower(): name for name in reversed([*known])}
    near = get_close_matches(word.lower(), by_lowercase, n=most)
    return [by_lowercase[name] for name in near]


def shown(value: object) -> str:
    """A value as Python writes it, or the name of its type if that is too long."""
    text = repr(value)
    is_short = len(text) <= _LONGEST and "\n" not in text and not text.startswith("<")
    return text if is_short else type(value).__name__


def listed(
    values: Iterable[object],
    joined_by: str = "and",
    most: int = 10,
    write: Callable[[object], str] = repr,
) -> str:
    """Write values as a list in a sentence, cut after the first few."""
    words = [write(value) for value in values]
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joined_by} {words[-1]}"


def quoted(
    values: Iterable[object],
    distinct: int,
    kind: object,
    write: Callable[[object], str] = repr,
) -> str:
    """Values of a column as a list, if the column has few; else how many it has, and their type.

    Messages end up in build logs, and a column named by mistake may hold personal data.
    """
    if distinct <= MOST_QUOTED:
        return listed(values, write=write)
    return f"{distinct:,} distinct values ({kind})"
