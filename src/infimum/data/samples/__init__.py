"""Small data sets that come with the library, each with its card."""

from importlib.resources import files
from pathlib import Path

from infimum.data.delimited import read_delimited
from infimum.data.spelling import did_you_mean
from infimum.data.table import Table
from infimum.errors import DataError

__all__ = ["bundled", "card"]


def bundled(name: str = "boston_mortgages") -> Table:
    """Return a bundled data set as a table.

    Examples
    --------
    >>> from infimum.data import bundled
    >>> table = bundled()
    >>> len(table), str(table.column("denied").kind)
    (2380, 'boolean')
    """
    return read_delimited(_content(name, ".csv"), f"{name}.csv")


def card(name: str = "boston_mortgages") -> str:
    """Return what there is to know about a bundled data set, in Markdown."""
    return _content(name, ".md").decode()


def _content(name: str, ending: str) -> bytes:
    folder = files("infimum.data.samples")
    known = {Path(each.name).stem for each in folder.iterdir() if ".csv" in each.name}
    if name not in known:
        raise DataError(f"No bundled data set {name!r}{did_you_mean(name, known)}")
    return (folder / f"{name}{ending}").read_bytes()
