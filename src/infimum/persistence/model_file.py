"""Model files: fitted models that can be kept, sent and inspected, and cannot run code.

A model file is a ZIP archive of ``manifest.json``, ``model.json`` and arrays in NPY
format. ``decisions/0003-model-file.md`` says why and at what price.
"""

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infimum.data.spelling import nearest_file
from infimum.errors import ModelFileError
from infimum.persistence.allow_list import is_foreign, name_of
from infimum.persistence.archive import (
    MANIFEST,
    ArchiveReader,
    Member,
    digest,
    write_members,
)
from infimum.persistence.decoding import MEMBER, Decoder
from infimum.persistence.encoding import Encoder
from infimum.persistence.json_text import from_json, to_json
from infimum.persistence.malformed import Malformed, quote
from infimum.persistence.manifest import (
    Manifest,
    installed_versions,
    warn_on_skew,
)
from infimum.persistence.npy import from_npy, to_npy
from infimum.persistence.replacement import replacing

__all__ = ["ModelSummary", "inspect", "load", "read_extra", "save"]

MODEL = "model.json"
TWO_GIBIBYTES = 2 * 1024**3


@dataclass(frozen=True)
class ModelSummary:
    """What a model file says about itself.

    Attributes
    ----------
    schema : int
        Version of the file's layout.
    versions : dict
        Versions of Python and of the libraries that wrote it.
    model : str
        Class of the model.
    extra : dict
        What was given to `save` as `extra`.
    members : dict
        Name -> size and SHA-256 of each part.
    fingerprint : str
        SHA-256 of the manifest, and through it of everything in the file.
    """

    schema: int
    versions: dict[str, str]
    model: str
    extra: dict[str, Any]
    members: dict[str, Member]
    fingerprint: str


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    extra: dict[str, Any] | None = None,
) -> None:
    """Write `model` to a model file, whole or not at all.

    The same model gives the same bytes. A file already at `path` stays as it is until
    the new one is complete.

    Parameters
    ----------
    model : estimator
        One of Infimum's estimators or transformers, one of scikit-learn's usual
        preprocessing steps, or a pipeline of them.
    path : str or path-like
        Where to write; the folder must exist.
    extra : dict or None, default=None
        Plain values to keep beside the model; `read_extra` gives them back.

    Raises
    ------
    ModelFileError
        If something in the model cannot be kept, or the file cannot be written.
    """
    if name_of(type(model)) is None or not hasattr(model, "get_params"):
        kind = f"{type(model).__module__}.{type(model).__qualname__}"
        raise ModelFileError(
            f"save cannot keep a {kind}: it takes Infimum's estimators, "
            "scikit-learn's preprocessing, and pipelines of them."
        )
    encoder = Encoder()
    tree = encoder.encode(model, type(model).__name__)
    kept = Encoder(plain=True).encode(_checked_extra(extra), "extra")
    with _writing(Path(path)), replacing(Path(path)) as handle:
        members = _members(tree, encoder)
        with zipfile.ZipFile(handle, "w", zipfile.ZIP_STORED) as archive:
            written = write_members(archive, members)
            manifest = Manifest(
                model=tree["class"],
                versions=installed_versions(),
                members=written,
                extra=kept,
            ).to_bytes()
            write_members(archive, [(MANIFEST, manifest)])
            archive.comment = digest(manifest).encode("ascii")


def load(path: str | os.PathLike[str], *, max_bytes: int = TWO_GIBIBYTES) -> Any:
    """Read the model in a model file; no code in the file could run, if it had any.

    Parameters
    ----------
    path : str or path-like
        A file written by `save`.
    max_bytes : int, default=2147483648
        Refuse larger files.

    Returns
    -------
    estimator
        The model, equal to the one that was saved.

    Raises
    ------
    ModelFileError
        If the file is missing, damaged, tampered with, too large, too new, or holds
        anything that is not on the list of what a model may be made of.

    Warns
    -----
    VersionWarning
        If it holds scikit-learn objects of another scikit-learn release.
    """
    with _opened(Path(path), max_bytes) as (archive, manifest):
        document = archive.read(MODEL, manifest.members[MODEL].sha256)
        tree = from_json(document, MODEL)

        def read_array(name: str) -> Any:
            if name not in manifest.members:
                raise Malformed(f"its {name} is missing")
            return from_npy(archive.read(name, manifest.members[name].sha256), name)

        decoder = Decoder(read_array)
        model = decoder.decode(tree)
        _check_complete(tree, decoder, manifest)
    if any(is_foreign(name) for name in decoder.classes):
        warn_on_skew(Path(path).name, manifest.versions)
    return model


def read_extra(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what was given to `save` as `extra`, without reading the model."""
    return inspect(path).extra


def inspect(path: str | os.PathLike[str]) -> ModelSummary:
    """Return what a model file says about itself, without reading the model."""
    with _opened(Path(path), TWO_GIBIBYTES) as (archive, manifest):
        extra = Decoder(_no_array).decode(manifest.extra)
        if not isinstance(extra, dict):
            raise Malformed("the extra values in its manifest are no dict")
        return ModelSummary(
            schema=manifest.schema,
            versions=manifest.versions,
            model=manifest.model,
            extra=extra,
            members=manifest.members,
            fingerprint=digest(archive.read_manifest()),
        )


def _members(tree: Any, encoder: Encoder) -> Iterator[tuple[str, bytes]]:
    """Give the parts of the file one by one, so that only one is held twice."""
    yield MODEL, to_json(tree)
    for name, array in encoder.arrays.items():
        yield name, to_npy(array)


def _checked_extra(extra: Any) -> dict[str, Any]:
    """Return `extra`, if it is a dict whose keys are text."""
    if extra is None:
        return {}
    if type(extra) is not dict or not all(type(key) is str for key in extra):
        raise ModelFileError("save takes as extra a dict whose keys are all text.")
    return extra


@contextmanager
def _opened(path: Path, max_bytes: int) -> Iterator[tuple[ArchiveReader, Manifest]]:
    """Open a model file whose members are those of its manifest, no more, no less."""
    with _reading(path), ArchiveReader.open(path, max_bytes) as archive:
        manifest = Manifest.from_bytes(archive.read_manifest())
        sizes = {name: member.bytes for name, member in manifest.members.items()}
        if MODEL not in sizes:
            raise Malformed(f"its {MODEL} is missing")
        for name in sorted({*sizes, *archive.sizes}):
            if name not in archive.sizes:
                raise Malformed(f"its {quote(name)} is missing")
            if name not in sizes or (name != MODEL and not MEMBER.fullmatch(name)):
                raise Malformed(f"its member {quote(name)} does not belong there")
            if sizes[name] != archive.sizes[name]:
                raise Malformed(f"the size of its {quote(name)} does not match")
        yield archive, manifest


def _check_complete(tree: Any, decoder: Decoder, manifest: Manifest) -> None:
    """Refuse a file that holds another model than it says, or arrays nobody uses."""
    if tree.get("kind") != "object" or tree.get("class") != manifest.model:
        raise Malformed("its model is not of the class in its manifest")
    unused = manifest.members.keys() - {MODEL, *decoder.arrays}
    if unused:
        raise Malformed(f"its member {quote(min(unused))} is not part of the model")


def _no_array(name: str) -> Any:
    raise Malformed("the extra values in its manifest refer to an array")


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn whatever a hostile file can provoke into one sentence about `path`."""
    try:
        yield
    except Malformed as reason:
        raise ModelFileError(f"{path} cannot be loaded: {reason}.") from None
    except FileNotFoundError:
        raise ModelFileError(_not_found(path)) from None
    except OSError as error:
        why = error.strerror or "the disk does not give it"
        raise ModelFileError(f"{path} cannot be read: {why}.") from error
    except MemoryError as error:
        raise ModelFileError(f"{path} does not fit in memory.") from error
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path} cannot be loaded: it is damaged.") from error


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn what a disk can object to into one sentence about `path`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if not path.parent.is_dir():
            reason = f"there is no folder {path.parent}; create it first"
        elif path.is_dir():
            reason = "it is a folder; give the name of a file"
        raise ModelFileError(f"{path} cannot be written: {reason}.") from error


def _not_found(path: Path) -> str:
    """Say that a file is missing, and which one may have been meant."""
    if not path.parent.is_dir():
        return f"{path} cannot be loaded: there is no folder {path.parent}."
    names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    nearest = nearest_file(path.name, names)
    hint = f"; did you mean {nearest}" if nearest else ""
    question = "?" if nearest else "."
    return f"{path} cannot be loaded: there is no such file{hint}{question}"
