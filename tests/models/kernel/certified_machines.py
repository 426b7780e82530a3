"""The kernel machines that certify themselves, found by export, and data for them."""

import inspect

import numpy as np
from sklearn.base import is_classifier, is_outlier_detector, is_regressor

from infimum.models import kernel, novelty
from infimum.models._support_vector_machine import SupportVectorMachine

__all__ = ["CERTIFIED", "VECTORS", "fitted", "made", "table", "targets_of"]

#: Every exported class with a proof that can be recomputed, by name.
CERTIFIED = {
    name: getattr(room, name)
    for room in (kernel, novelty)
    for name in sorted(room.__all__)
    if inspect.isclass(getattr(room, name))
    and hasattr(getattr(room, name), "certify")
    and "tol" in inspect.signature(getattr(room, name)).parameters
}
#: Those that are support vector machines.
VECTORS = {
    name: kind
    for name, kind in CERTIFIED.items()
    if issubclass(kind, SupportVectorMachine)
}


def made(name, **told):
    """Return a machine that is told what it can be told of that."""
    known = inspect.signature(CERTIFIED[name]).parameters
    return CERTIFIED[name](**{key: told[key] for key in told if key in known})


def table(rng, n=60):
    return rng.standard_normal((n, 3))


def targets_of(machine, X, rng):
    """Return what a machine learns from these samples."""
    if is_outlier_detector(machine):
        return None
    noisy = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.standard_normal(len(X))
    assert is_classifier(machine) or is_regressor(machine)
    return (noisy > 0).astype(int) if is_classifier(machine) else noisy


def fitted(machine, X, y, weights=None):
    if y is None:
        return machine.fit(X, sample_weight=weights)
    return machine.fit(X, y, sample_weight=weights)
