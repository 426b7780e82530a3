"""The page for results that were edited by hand: one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike

from infimum.data.spelling import first_line
from infimum.errors import DataError

__all__ = ["believing"]


@contextmanager
def believing(place: str | PathLike[str]) -> Iterator[None]:
    """Raise DataError for whatever fails because a result is not as it was written.

    A page that `learn` could not show would have failed when it was learned, so what
    fails later is the fault of the file.
    """
    try:
        yield
    except (DataError, OSError, MemoryError):
        raise
    except Exception as error:
        why = (
            f"{error} is missing" if isinstance(error, KeyError) else first_line(error)
        )
        raise DataError(
            f"{place} was edited or damaged: {why}; learn again."
        ) from error
