"""altair, loaded when the first chart is drawn: numbers, words and Markdown need none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt
else:

    class _Altair:
        def __getattr__(self, name: str) -> Any:
            from importlib import import_module

            return getattr(import_module("altair"), name)

    alt = _Altair()

__all__ = ["alt"]
