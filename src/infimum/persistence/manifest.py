"""The manifest: what a model file says about itself before anything else is read."""

import platform
import re
import warnings
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import infimum
from infimum.persistence.archive import Member
from infimum.persistence.json_text import from_json, to_json
from infimum.persistence.malformed import Malformed, quote

__all__ = ["Manifest", "VersionWarning", "installed_versions", "warn_on_skew"]

FORMAT = "infimum model"
SCHEMA = 1
LIBRARIES = ("infimum", "numpy", "scipy", "scikit-learn")
VERSION = re.compile(r"\d[0-9A-Za-z.+!_-]{0,60}")
HASH = re.compile(r"[0-9a-f]{64}")


class VersionWarning(UserWarning):
    """A model made with one scikit-learn is loaded with another."""


@dataclass(frozen=True)
class Manifest:
    """The manifest's entries, of the right types but not yet compared with the file."""

    model: str
    versions: dict[str, str]
    members: dict[str, Member]
    extra: Any
    schema: int = field(default=SCHEMA)

    def to_bytes(self) -> bytes:
        """Return the manifest as it stands in the file."""
        members = {
            name: {"bytes": member.bytes, "sha256": member.sha256}
            for name, member in self.members.items()
        }
        return to_json(
            {
                "format": FORMAT,
                "schema": self.schema,
                "class": self.model,
                "versions": self.versions,
                "extra": self.extra,
                "members": members,
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> "Manifest":
        """Read a manifest; refuse one of another format or of a later schema."""
        document = from_json(data, "manifest.json")
        if document.get("format") != FORMAT:
            raise Malformed("its manifest is not that of an Infimum model")
        _check_schema(document.get("schema"))
        if document.keys() != {
            *("format", "schema", "class", "versions", "extra", "members")
        }:
            raise Malformed("its manifest has entries too many or too few")
        return cls(
            model=_text(document["class"]),
            versions=_versions(document["versions"]),
            members=_members(document["members"]),
            extra=document["extra"],
        )


def installed_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries a model depends on."""
    others = {name: version(name) for name in LIBRARIES if name != "infimum"}
    return {
        "python": platform.python_version(),
        "infimum": infimum.__version__,
        **others,
    }


def warn_on_skew(name: str, versions: dict[str, str]) -> None:
    """Warn when the file's scikit-learn differs from ours in major or minor version."""
    ours, theirs = version("scikit-learn"), versions["scikit-learn"]
    if ours.split(".")[:2] != theirs.split(".")[:2]:
        warnings.warn(
            f"{name} holds scikit-learn objects made with scikit-learn {theirs} and is "
            f"loaded with {ours}; compare some predictions, or fit and save it again.",
            VersionWarning,
            stacklevel=3,
        )


def _check_schema(schema: Any) -> None:
    """Refuse a schema this version does not read."""
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise Malformed(f"its schema version {quote(schema)} does not exist")
    if schema > SCHEMA:
        raise Malformed(
            f"its schema version {quote(schema)} is newer than {SCHEMA}, the latest "
            "this Infimum reads; upgrade Infimum"
        )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Malformed("its manifest names no class")
    return value


def _versions(entries: Any) -> dict[str, str]:
    known = isinstance(entries, dict) and entries.keys() == {"python", *LIBRARIES}
    if not known or not all(
        isinstance(text, str) and VERSION.fullmatch(text) for text in entries.values()
    ):
        raise Malformed("its manifest does not give the versions it was made with")
    return dict(entries)


def _members(entries: Any) -> dict[str, Member]:
    if not isinstance(entries, dict):
        raise Malformed("its manifest lists no members")
    return {name: _member(name, entry) for name, entry in entries.items()}


def _member(name: str, entry: Any) -> Member:
    fits = isinstance(entry, dict) and entry.keys() == {"bytes", "sha256"}
    if not fits or not isinstance(entry["bytes"], int):
        raise Malformed(f"its manifest does not describe {quote(name)}")
    sha256 = entry["sha256"]
    if not isinstance(sha256, str) or HASH.fullmatch(sha256) is None:
        raise Malformed(f"its manifest has no hash of {quote(name)}")
    return Member(entry["bytes"], sha256)
