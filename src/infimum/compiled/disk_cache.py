"""Machine code kept on disk: found again as long as nothing it depends on has changed.

numba's own cache looks only at the file of a loop, not at those of the loops it calls,
and returns the old answer when one of these changes. This one has a key of all sources
(`cache_key`) and a file for each loop and signature, so that processes which fill it
at the same time cannot mix up each other's code.
"""

import hashlib
import logging
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching, compiler, serialize

from infimum.compiled import cache_places
from infimum.compiled.cache_key import HERE, processors, sources_key

__all__ = ["DiskCache", "is_ours"]

#: The sources when this process began to load them.
_BEGINNING = sources_key()
_ROOM = HERE.parent
_told: list[str] = []
#: How compiled code is written to files and comes back; numba's own affair.
_rebuild: Any = compiler.CompileResult._rebuild
_dumps: Any = serialize.dumps


class DiskCache(caching._Cache):
    """The kept machine code of one loop, by its signatures, for numba to ask."""

    def __init__(self, loop: Callable[..., Any]) -> None:
        file = Path(loop.__code__.co_filename).resolve()
        self.folder = file.parent
        self.name = f"{file.stem}.{loop.__name__}-{loop.__code__.co_firstlineno}"
        self.key = sources_key(self.folder)
        self.enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_places.places()[0])

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kept code of a signature, None if there is none to be used."""
        target_context.refresh()
        if not self.enabled:
            return None
        for processor in processors(target_context.codegen()):
            name = self._file(sig, processor)
            content = cache_places.find(name)
            if content is not None:
                try:
                    kept, code = pickle.loads(content)
                    if kept == sig:
                        return _rebuild(target_context, *code)
                except Exception:  # what was damaged or forged raises anything
                    cache_places.forget(name)
        _tell_once(target_context.codegen())
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code of a signature, if it can be kept anywhere.

        A process that has loaded some sources before and some after a change keeps
        nothing: what it compiles belongs to neither state.
        """
        unchanged = self.key == sources_key(self.folder)
        unchanged &= sources_key() == _BEGINNING
        lasting = not (data.lifted or data.library.has_dynamic_globals)
        if self.enabled and unchanged and lasting:
            processor = processors(data.codegen)[0]
            content = _dumps((sig, data._reduce()))
            cache_places.keep(self._file(sig, processor), content)

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        """Leave what is kept: it is right as long as its key is asked for."""

    def _file(self, sig: Any, processor: str) -> str:
        arguments = hashlib.sha256(str(sig).encode()).hexdigest()[:16]
        return f"{self.key}-{processor}/{self.name}-{arguments}"


def is_ours(loop: Callable[..., Any]) -> bool:
    """Return whether a function is written in this library."""
    return Path(loop.__code__.co_filename).resolve().is_relative_to(_ROOM)


def _tell_once(codegen: Any) -> None:
    """Say that loops are compiled now, if the installation's code is of no use here."""
    note = cache_places.BESIDE / "note.txt"
    folders = [f"{sources_key()}-{each}" for each in processors(codegen)]
    if _told or not note.is_file() or any(map(cache_places.is_there, folders)):
        return
    _told.append("told")
    logging.getLogger("infimum").warning(
        "Infimum's loops are not compiled for this processor and these versions: each "
        "is compiled when it is first called, which takes seconds, once. `infimum "
        "compile` does it for all of them. (At installation: %s)",
        note.read_text(encoding="utf-8").strip(),
    )
