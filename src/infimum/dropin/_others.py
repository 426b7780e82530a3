"""What this package does not offer itself is scikit-learn's own, under the same path.

``infimum.dropin.preprocessing`` is ``sklearn.preprocessing``, and a name that a room
here lacks is that of scikit-learn's module: changing an import is enough.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["OtherModules", "install", "other_name", "theirs"]

HERE = "infimum.dropin."


def theirs(room: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a room: other names are scikit-learn's.

    Examples
    --------
    >>> from infimum.dropin.decomposition import LatentDirichletAllocation
    >>> LatentDirichletAllocation.__module__
    'sklearn.decomposition._lda'
    """
    module = f"sklearn.{room.removeprefix(HERE)}"

    def find(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(module), name)

    return find


def other_name(name: str) -> Any:
    """Return what scikit-learn offers beside its modules, or a module as it is here.

    Examples
    --------
    >>> from infimum.dropin import clone, linear_model
    >>> clone.__module__, linear_model.__name__
    ('sklearn.base', 'infimum.dropin.linear_model')
    """
    sklearn = import_module("sklearn")
    if name.startswith("_") or name not in sklearn.__all__:
        raise AttributeError(f"module 'infimum.dropin' has no attribute {name!r}")
    if find_spec(f"sklearn.{name}") is not None:
        return import_module(f"{HERE}{name}")
    return getattr(sklearn, name)


@cache
def _own() -> set[str]:
    """Return the names of the files and folders of this package."""
    return {each.stem for each in Path(__file__).parent.iterdir()}


class OtherModules(MetaPathFinder):
    """Finds modules of scikit-learn by their path under ``infimum.dropin``."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return a spec for what is a module of scikit-learn; None for the rest."""
        rest = fullname.removeprefix(HERE)
        if rest == fullname or rest.startswith("_") or rest.split(".")[0] in _own():
            return None
        known = find_spec(f"sklearn.{rest}")
        return None if known is None else ModuleSpec(fullname, _Alias())


class _Alias(Loader):
    """Gives out scikit-learn's module itself, not a copy."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module = import_module(f"sklearn.{spec.name.removeprefix(HERE)}")
        self._own = module.__spec__, module.__loader__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__, module.__loader__ = self._own


def install() -> None:
    """Let Python look here first: what lies in this package is left to it."""
    if not any(isinstance(each, OtherModules) for each in sys.meta_path):
        sys.meta_path.insert(0, OtherModules())
