"""What the page of a family of metrics is made of, beside the entries of the catalogue."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Final

_FUNCTIONS: Final = {"log": log, "sqrt": sqrt, "min": min, "max": max, "abs": abs}
_NODES: Final = (
    *(ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Load, ast.Constant),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub),
)


@dataclass(frozen=True)
class Worked:
    """When to use a metric, and its value by hand.

    Parameters
    ----------
    when
        When to use the metric, and what it does not see.
    arithmetic
        The value for the data of the family, from the definition: numbers and ``+ - * / **`` with
        parentheses, ``log``, ``sqrt``, ``min``, ``max`` and ``abs``.
    where
        What the symbols of the formula mean that are on no list of symbols.
    """

    when: str
    arithmetic: str
    where: str = ""

    @property
    def value(self) -> float:
        """The value of the arithmetic."""
        tree = ast.parse(self.arithmetic, mode="eval")
        for node in ast.walk(tree):
            is_known = not isinstance(node, ast.Name) or node.id in _FUNCTIONS
            if not isinstance(node, _NODES) or not is_known:
                raise ValueError(f"a worked number is plain arithmetic, got {ast.unparse(node)!r}")
        names: dict[str, Any] = {"__builtins__": {}, **_FUNCTIONS}
        return float(eval(self.arithmetic, names))  # checked above


@dataclass(frozen=True)
class Family:
    """The data of a family, small enough to check by hand, and its worked numbers.

    Parameters
    ----------
    page
        The name of the page, without its ending: several families may share one.
    introduction
        What the metrics have in common.
    columns
        The data as columns of a frame.
    question
        The arguments of the call.
    worked
        A worked number for each metric.
    data
        What the arithmetic uses that the columns do not show.
    """

    page: str
    introduction: str
    columns: Mapping[str, Sequence[object]]
    question: Mapping[str, object]
    worked: Mapping[str, Worked]
    data: str = ""
