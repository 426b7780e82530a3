"""Classes of ours that answer for scikit-learn's where other tools ask ``isinstance``.

Tools such as SHAP, and scikit-learn's own `export_text` and `partial_dependence`, ask
whether a model is a ``sklearn.tree.DecisionTreeClassifier`` and then read its fitted
attributes. A class of ours that offers these is registered with scikit-learn's abstract
class of the same name, whichever of the two is loaded first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, TypeVar

__all__ = ["kin_of"]

Kind = TypeVar("Kind", bound=type)
#: Module of scikit-learn -> classes of ours that wait for it.
_waiting: dict[str, list[type]] = {}


def kin_of(module: str) -> Callable[[Kind], Kind]:
    """Return a decorator: the class counts as that of its name in `module`.

    Examples
    --------
    >>> import sklearn.tree
    >>> from infimum.models.trees import DecisionTreeClassifier
    >>> issubclass(DecisionTreeClassifier, sklearn.tree.DecisionTreeClassifier)
    True
    """

    def declare(kind: Kind) -> Kind:
        if module in sys.modules:
            _register(sys.modules[module], kind)
        else:
            if not _waiting:
                sys.meta_path.insert(0, _Arrivals())
            _waiting.setdefault(module, []).append(kind)
        return kind

    return declare


def _register(module: ModuleType, kind: type) -> None:
    theirs: Any = getattr(module, kind.__name__, None)
    if theirs is not None and theirs is not kind:
        theirs.register(kind)


class _Arrivals(MetaPathFinder):
    """Sees modules of scikit-learn come, and introduces to them those who waited."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname not in _waiting:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Introduction(spec.loader)
        return spec


class _Introduction(Loader):
    """Loads a module as its own loader does, then registers those who waited."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        for kind in _waiting.pop(module.__name__, []):
            _register(module, kind)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)
