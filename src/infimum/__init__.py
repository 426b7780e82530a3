"""Infimum: regularised risk minimisation, with a proof attached to every fit.

Names are loaded on demand, so that ``import infimum`` costs milliseconds: those below,
and every class of models and features. ``infimum.families()`` lists these by family.
"""

from importlib import import_module
from typing import Any

from infimum.moved import install

__version__ = "0.2.0"

_ROOMS = {
    "ConformalClassifier": "infimum.evaluation",
    "ConformalRegressor": "infimum.evaluation",
    "CovarianceConstrainedClassifier": "infimum.fairness",
    "CrossConformalRegressor": "infimum.evaluation",
    "ElasticNet": "infimum.models.linear",
    "FairPrototypes": "infimum.fairness",
    "HuberRegressor": "infimum.models.linear",
    "KNeighborsClassifier": "infimum.models.neighbors",
    "KernelRidge": "infimum.models.kernel",
    "Lasso": "infimum.models.linear",
    "LinearSVC": "infimum.models.linear",
    "LinearSVR": "infimum.models.linear",
    "LogisticRegression": "infimum.models.linear",
    "OneClassSVM": "infimum.models.novelty",
    "PCA": "infimum.models.embedding",
    "PoissonRegressor": "infimum.models.linear",
    "QuantileRegressor": "infimum.models.linear",
    "Ridge": "infimum.models.linear",
    "RidgeClassifier": "infimum.models.linear",
    "RiskMinimizer": "infimum.models.linear",
    "SVC": "infimum.models.kernel",
    "SVR": "infimum.models.kernel",
    "SensitiveRemover": "infimum.fairness",
    "UncertifiedWarning": "infimum.models.warnings",
    "audit": "infimum.fairness",
    "certify": "infimum.certificates",
    "distributed": "infimum.distributed",
    "learn": "infimum.learn",
    "load": "infimum.persistence",
    "read_table": "infimum.data",
    "save": "infimum.persistence",
    "scan": "infimum.data.streams",
    "shapley_values": "infimum.explanation",
}

install()

__all__ = [*_ROOMS, "__version__"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    """Load a public name from its room the first time it is asked for."""
    if name == "families" or (name[:1].isupper() and name not in _ROOMS):
        return _by_family(name)
    if name not in _ROOMS:
        raise AttributeError(f"module 'infimum' has no attribute {name!r}")
    room = import_module(_ROOMS[name])
    # A room with the name of its main function can be called itself.
    if room.__name__ == f"{__name__}.{name}":
        return room
    return globals().setdefault(name, getattr(room, name))


def _by_family(name: str) -> Any:
    """Return a class of the models, or the function that lists them."""
    listing = import_module("infimum.family_names")
    if name == "families":
        return listing.families
    room = listing.room_of(name)
    if room is None:
        raise AttributeError(f"module 'infimum' has no attribute {name!r}")
    return getattr(import_module(room), name)


def __dir__() -> list[str]:
    """List what the shop window shows, and every class of the models."""
    listed = _by_family("families")().values()
    return sorted({*__all__, "families", *(name for names in listed for name in names)})
