"""Where machine code is kept between processes, and what if there is no such place.

numba keeps the loops beside their source, or else in the user's home. In a container
neither may be writable, and numba then refuses to import them. Here a directory of the
user's own among the temporary files comes third; if that cannot be had either, or the
disk is full, loops are compiled anew in every process.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from numba.core import caching

__all__ = ["keep_machine_code"]

_ROOM = Path(__file__).resolve().parents[1]
#: The path of a place that is none: it is never made.
_NOWHERE = "nowhere"

# These are numba's own affair; a version without them is left to itself.
_Keeper: Any = getattr(caching, "FunctionCache", None)
_places: list[Any] = getattr(
    getattr(_Keeper, "_impl_class", None), "_locator_classes", []
)
_Locator: Any = _places[0] if _places else object


class TemporaryLocator(_Locator):  # type: ignore[misc]  # numba has no types
    """A directory among the temporary files that only this user can write to."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        folder = self.get_suitable_cache_subpath(py_file)
        self._cache_path = str((own_directory() or Path(_NOWHERE)) / folder)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return cls(py_func, py_file) if _is_ours(py_file) else None

    def ensure_cache_path(self) -> None:
        if self._cache_path.startswith(_NOWHERE):
            raise FileNotFoundError("There is no place for machine code.")
        super().ensure_cache_path()


def own_directory() -> Path | None:
    """Return a temporary directory of this user alone, None if there can be none.

    Machine code is run as it is found, so a directory that somebody else has made or
    may write to is not used.
    """
    try:
        user = os.getuid() if hasattr(os, "getuid") else 0
        place = Path(tempfile.gettempdir()) / f"infimum-{user}"
        with contextlib.suppress(FileExistsError):
            place.mkdir(mode=0o700)
        found = place.lstat()
    except OSError:
        return None
    private = os.name == "nt" or (found.st_uid == user and not found.st_mode & 0o077)
    return place if stat.S_ISDIR(found.st_mode) and private else None


def keep_machine_code() -> None:
    """Have numba keep our loops wherever that is possible, and go on where it is not.

    Only loops of this package are treated so; calling it twice does nothing.
    """
    if not _places or TemporaryLocator in _places:
        return
    _places.append(TemporaryLocator)
    _Keeper.load_overload = _found_or_not(_Keeper.load_overload)
    _Keeper.save_overload = _kept_or_not(_Keeper.save_overload)


def _is_ours(py_file: str) -> bool:
    return Path(py_file).resolve().is_relative_to(_ROOM)


def _found_or_not(load: Callable[..., Any]) -> Callable[..., Any]:
    """Take what cannot be read for what is not there, and clear it away."""

    @wraps(load)
    def load_overload(self: Any, sig: Any, target_context: Any) -> Any:
        try:
            return load(self, sig, target_context)
        except Exception:
            # Pickled code that was cut short or comes from elsewhere raises anything.
            if not _is_ours(self._py_func.__code__.co_filename):
                raise
            with contextlib.suppress(OSError):
                self.flush()
            return None

    return load_overload


def _kept_or_not(save: Callable[..., Any]) -> Callable[..., Any]:
    """Go on with code that cannot be kept, such as on a full disk."""

    @wraps(save)
    def save_overload(self: Any, sig: Any, data: Any) -> None:
        try:
            save(self, sig, data)
        except OSError:
            if not _is_ours(self._py_func.__code__.co_filename):
                raise

    return save_overload


keep_machine_code()
