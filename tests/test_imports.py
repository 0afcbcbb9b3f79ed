"""Every form of import gives the module that it imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.imports import imported_modules


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with house/door.py, house/kitchen/oven.py and house/kitchen/pan.py."""
    kitchen = tmp_path / "house" / "kitchen"
    kitchen.mkdir(parents=True)
    for path in ("__init__.py", "door.py", "kitchen/__init__.py", "kitchen/pan.py"):
        (tmp_path / "house" / path).touch()
    return kitchen


@pytest.mark.parametrize(
    ("statement", "modules"),
    [
        ("import house.door", {"house.door"}),
        ("import house.door as entrance, math", {"house.door", "math"}),
        ("from house import door", {"house.door"}),
        ("from house import door as entrance, key", {"house.door", "house"}),
        ("from house import kitchen", {"house.kitchen"}),
        ("from house.door import knock", {"house.door"}),
        ("from house.door import *", {"house.door"}),
        ("from house.kitchen import pan", {"house.kitchen.pan"}),
        ("from . import pan", {"house.kitchen.pan"}),
        ("from . import salt", {"house.kitchen"}),
        ("from .pan import fry", {"house.kitchen.pan"}),
        ("from .. import door", {"house.door"}),
        ("from ..door import knock", {"house.door"}),
        ("from ..kitchen.pan import fry", {"house.kitchen.pan"}),
        ("def cook():\n    from house import door", {"house.door"}),
        ("if True:\n    import house.door", {"house.door"}),
        ("class Cook:\n    def fry(self):\n        from ..door import knock", {"house.door"}),
        ("from polars import DataFrame", {"polars"}),
        ("text = 'import house.door'", set()),
        ("", set()),
    ],
)
def test_a_form_of_import_gives_its_module(
    statement: str, modules: set[str], package: Path
) -> None:
    (package / "oven.py").write_text(statement)
    assert imported_modules(package / "oven.py") == modules
    # Relative imports of a package start at the package.
    (package / "__init__.py").write_text(statement)
    assert imported_modules(package / "__init__.py") == modules


def test_a_script_outside_packages_has_its_imports_read_too(tmp_path: Path, package: Path) -> None:
    (tmp_path / "script.py").write_text("from house import door\nfrom house.kitchen import pan")
    assert imported_modules(tmp_path / "script.py") == {"house.door", "house.kitchen.pan"}
