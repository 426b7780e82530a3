"""JSON as model files write it: one spelling for each document, and no surprises."""

import json
from typing import Any, NoReturn

from infimum.persistence.malformed import Malformed, quote

__all__ = ["from_json", "to_json"]


def to_json(document: Any) -> bytes:
    """Spell `document` in ASCII, without NaN, in the order of its keys."""
    text = json.dumps(document, ensure_ascii=True, allow_nan=False, indent=1)
    return text.encode("ascii") + b"\n"


def from_json(data: bytes, name: str) -> dict[str, Any]:
    """Read the JSON object of member `name`; refuse what `to_json` never writes."""
    try:
        document = json.loads(
            data.decode("ascii"),
            object_pairs_hook=_without_repetition,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise Malformed(f"{name} is nested too deeply") from None
    except ValueError:
        raise Malformed(f"{name} is not JSON") from None
    if not isinstance(document, dict):
        raise Malformed(f"{name} is not a JSON object")
    return document


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; two entries of one name would leave the choice to the parser."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise Malformed("a JSON object in it has two entries of one name")
    return entries


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise Malformed(f"its JSON holds the bare word {quote(name)}")
