"""Passes on the workers of a Dask cluster, and the collections of dask as rows.

Needs the extra ``distributed``: ``pip install infimum[distributed]``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infimum.distributed.collections import collected
    from infimum.distributed.runner import ClusterRunner, cluster

__all__ = ["ClusterRunner", "cluster", "collected"]

_SHELVES = {
    "ClusterRunner": "infimum.distributed.runner",
    "cluster": "infimum.distributed.runner",
    "collected": "infimum.distributed.collections",
}


def __getattr__(name: str) -> Any:
    """Load a name when it is asked for: dask is not needed before."""
    if name not in _SHELVES:
        raise AttributeError(f"module 'infimum.distributed' has no attribute {name!r}")
    return getattr(import_module(_SHELVES[name]), name)
