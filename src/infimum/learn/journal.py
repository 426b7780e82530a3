"""The journal of a run: what is finished is on the disk, so that a kill costs a fold.

Every fold of every contender is one file, written under another name and then moved,
so that it is whole or not there. A run that ends takes its journal with it.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from infimum.errors import DataError
from infimum.learn.heat import FoldResult

__all__ = ["JOURNAL", "Journal", "closing_on_failure"]

JOURNAL, _HEADER = "journal", "run.json"


class Journal:
    """Finished folds in a folder of the run's directory; without one it forgets.

    Parameters
    ----------
    out : Path, optional
        The run's directory; nothing is written before the first fold is finished.
    resume : bool, default=False
        Whether to go on with what the folder holds instead of starting over.
    """

    def __init__(self, out: Path | None, *, resume: bool = False) -> None:
        self.out, self.resume = out, resume
        self.folder = None if out is None else out.absolute() / JOURNAL
        self.replayed = 0.0
        self._made_out = False

    def check(self) -> None:
        """Raise DataError if there is nothing to resume."""
        if not self.resume:
            return
        if self.folder is None:
            raise DataError("Resuming needs the directory of the run that was killed.")
        if not (self.folder / _HEADER).is_file():
            raise DataError(
                f"{self.out} holds no unfinished run; start without --resume."
            )

    def open(self, header: dict[str, Any]) -> None:
        """Begin: compare the `header` with that of the run to resume, or start over."""
        self.header = json.loads(json.dumps(header))
        if self.folder is None:
            return
        if not self.resume:
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        found = _read_json(self.folder / _HEADER)
        changed = [name for name in self.header if found.get(name) != self.header[name]]
        if changed:
            raise DataError(
                f"The unfinished run in {self.out} had another {changed[0]}; give the "
                "same data and options, or start without --resume."
            )

    def read(self, name: str, level: int, fold: int) -> FoldResult | None:
        """Return what a contender showed on a fold before the run was killed."""
        if self.folder is None or not self.resume:
            return None
        try:
            with (
                self._place(name, level, fold).open("rb") as handle,
                np.load(handle, allow_pickle=False) as kept,
            ):
                plain = json.loads(bytes(kept["plain"]).decode())
                said = kept["said"] if "said" in kept.files else None
        except (OSError, ValueError, KeyError, BadZipFile):
            return None
        self.replayed += plain["seconds"]
        return FoldResult(**{**plain, "values": tuple(plain["values"])}, said=said)

    def write(self, name: str, level: int, fold: int, shown: FoldResult) -> None:
        """Keep what a contender showed on a fold."""
        if self.folder is None:
            return
        self._begin(self.folder)
        plain = {k: v for k, v in shown._asdict().items() if k != "said"}
        arrays = {"plain": np.frombuffer(json.dumps(plain).encode(), dtype=np.uint8)}
        if shown.said is not None:
            arrays["said"] = shown.said
        place = self._place(name, level, fold)
        draft = place.with_suffix(".part")
        try:
            with draft.open("wb") as handle:
                np.savez(handle, allow_pickle=False, **arrays)
            os.replace(draft, place)  # noqa: PTH105
        except OSError as error:
            raise DataError(
                f"{self.out} cannot be written: {error.strerror}."
            ) from error

    def close(self) -> None:
        """Remove the journal, and the run's directory if it holds nothing else."""
        if self.folder is None:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        out = self.folder.parent
        if self._made_out and out.is_dir() and not any(out.iterdir()):
            out.rmdir()

    def _begin(self, folder: Path) -> None:
        if (folder / _HEADER).exists():
            return
        try:
            self._made_out = not folder.parent.exists()
            folder.mkdir(parents=True, exist_ok=True)
            draft = folder / f"{_HEADER}.part"
            draft.write_text(json.dumps(self.header), encoding="utf-8")
            draft.rename(folder / _HEADER)
        except OSError as error:
            raise DataError(
                f"{self.out} cannot be written: {error.strerror}."
            ) from error

    def _place(self, name: str, level: int, fold: int) -> Path:
        folder = self.folder or Path()
        return folder / f"{name}-lap{level}-fold{fold}.npz"


@contextmanager
def closing_on_failure(journal: Journal) -> Iterator[None]:
    """Leave no journal behind a job that fails or is interrupted; a kill does."""
    try:
        yield
    except BaseException:
        journal.close()
        raise


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}
