"""Put our classes in the place of scikit-learn's, and put scikit-learn's back."""

from __future__ import annotations

import importlib
from types import ModuleType, TracebackType
from typing import Any

__all__ = ["patch", "patched", "unpatch"]

#: Rooms of this package, each named like the module of scikit-learn it stands in for.
ROOMS = (
    "calibration",
    "cluster",
    "covariance",
    "cross_decomposition",
    "decomposition",
    "discriminant_analysis",
    "ensemble",
    "gaussian_process",
    "isotonic",
    "kernel_approximation",
    "kernel_ridge",
    "linear_model",
    "manifold",
    "mixture",
    "multiclass",
    "naive_bayes",
    "neighbors",
    "neural_network",
    "random_projection",
    "semi_supervised",
    "svm",
    "tree",
)

#: What was replaced: module, name, and scikit-learn's own class.
_originals: list[tuple[ModuleType, str, Any]] = []


class Patch:
    """The state of being patched; leaving its ``with`` block undoes it."""

    def __enter__(self) -> Patch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        unpatch()


def patch() -> Patch:
    """Make scikit-learn hand out our classes where we have them.

    Only imports that come later are affected: a class that a module has already
    imported stays what it was. Patching twice is patching once.

    Returns
    -------
    Patch
        A context manager that undoes the patch at the end of its block; to keep the
        patch, ignore it.

    Examples
    --------
    >>> import infimum.dropin
    >>> with infimum.dropin.patch():
    ...     from sklearn.linear_model import Lasso
    >>> Lasso.__module__
    'infimum.models.linear.lassos.lasso'
    """
    if not _originals:
        for room in ROOMS:
            ours = importlib.import_module(f"infimum.dropin.{room}")
            theirs = importlib.import_module(f"sklearn.{room}")
            for name in ours.__all__:
                _originals.append((theirs, name, getattr(theirs, name)))
                setattr(theirs, name, getattr(ours, name))
    return Patch()


def unpatch() -> None:
    """Give scikit-learn its own classes back; without a patch, do nothing."""
    while _originals:
        module, name, original = _originals.pop()
        setattr(module, name, original)


def patched() -> bool:
    """Tell whether scikit-learn currently hands out our classes."""
    return bool(_originals)
