"""The versions a result depends on."""

import platform
from importlib.metadata import PackageNotFoundError, version

import infimum

__all__ = ["installed_versions"]

_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "polars")


def installed_versions() -> dict[str, str]:
    """Return the versions of Infimum, Python and the numerical libraries."""
    found = {"infimum": infimum.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
