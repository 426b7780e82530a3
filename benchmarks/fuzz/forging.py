"""Forgeries: one or a few changes to a valid model file, its hashes made right again.

A specimen is the JSON of a valid file and its arrays. A forgery picks places in it at
random and changes them: numbers to extremes, arrays in type, shape, order and values,
objects for others, fields away, more or exchanged with those of another specimen.
"""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from infimum.persistence.npy import from_npy, to_npy

__all__ = ["Forger", "Specimen", "read_specimen", "write_file"]

EXTREMES = [
    *(0, 1, 2, 3, -1, -2, 7, 1000, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, -(2**63)),
    *(2**64, 10**18, 0.0, -0.0, 0.5, -1.5, 1e-300, 1e300, -1e300, 5e-324),
]
ODD = [
    *(None, True, False, "", "x", "auto", "euclidean", "precomputed", [], [0], [[1.0]]),
    {"kind": "float", "value": "nan"},
    {"kind": "float", "value": "inf"},
    {"kind": "float", "value": "-inf"},
    {"kind": "tuple", "items": []},
    {"kind": "tuple", "items": [1, 2]},
    {"kind": "dict", "items": []},
    {"kind": "dict", "items": [["a", 1]]},
    {"kind": "scalar", "dtype": "<i4", "value": -5},
    {"kind": "scalar", "dtype": "<f8", "value": {"kind": "float", "value": "nan"}},
    {"kind": "scalar", "dtype": "|S999999999", "value": {"kind": "bytes", "hex": "61"}},
    {"kind": "dtype", "name": "<f4"},
    {"kind": "type", "name": "float"},
    {"kind": "slice", "items": [None, None, -1]},
    {"kind": "objects", "shape": [1], "items": [None]},
    {"kind": "again", "number": 0},
    {"kind": "again", "number": 1},
]
DTYPES = [
    "<f8",
    "<f4",
    "<f2",
    ">f8",
    "<i8",
    "<i4",
    "|i1",
    "|u1",
    "<u4",
    "|b1",
    "<U3",
    "<c16",
]


@dataclass
class Specimen:
    """A valid model file, taken apart."""

    name: str
    tree: Any
    arrays: dict[str, Any]
    manifest: dict[str, Any]

    def __post_init__(self) -> None:
        self.packed = pickle.dumps(self.tree)  # whose copies are made sooner


def read_specimen(path: Path) -> Specimen:
    """Take a model file apart."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    tree = json.loads(members.pop("model.json"))
    arrays = {name: from_npy(data, name) for name, data in members.items()}
    return Specimen(path.stem, tree, arrays, manifest)


def write_file(
    path: Path, tree: Any, arrays: dict[str, Any], manifest: dict[str, Any]
) -> None:
    """Write a model file whose hashes are right, whatever it contains."""
    used = set(_members(tree))
    data = {"model.json": _to_json(tree)}
    data |= {name: to_npy(array) for name, array in arrays.items() if name in used}
    entries = {
        name: {"bytes": len(part), "sha256": hashlib.sha256(part).hexdigest()}
        for name, part in data.items()
    }
    head = _to_json({**manifest, "class": tree["class"], "members": entries})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, part in (*data.items(), ("manifest.json", head)):
            archive.writestr(zipfile.ZipInfo(name), part)
        archive.comment = hashlib.sha256(head).hexdigest().encode()


def _to_json(document: Any) -> bytes:
    """Spell a document as model files do, in one line: that is several times faster."""
    return json.dumps(document, allow_nan=False).encode("ascii") + b"\n"


def _members(node: Any) -> Iterator[str]:
    for place in _places(node):
        value = place.get()
        if isinstance(value, dict) and value.get("kind") == "array":
            yield value["member"]


@dataclass
class Place:
    """Where a value stands: in a list, or in the state of an object."""

    holder: Any
    key: Any

    def get(self) -> Any:
        """Return the value."""
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        """Change the value."""
        self.holder[self.key] = value


def _places(node: Any) -> Iterator[Place]:
    """Yield every place below a node where a value stands."""
    if isinstance(node, list):
        for position in range(len(node)):
            yield Place(node, position)
            yield from _places(node[position])
    elif isinstance(node, dict):
        inside = node.get("state", node.get("items", node.get("parts")))
        if isinstance(inside, dict):
            for key in list(inside):
                yield Place(inside, key)
                yield from _places(inside[key])
        elif isinstance(inside, list):
            yield from _places(inside)


class Forger:
    """Makes forgeries of specimens; the same number gives the same forgery."""

    def __init__(self, specimens: list[Specimen], seed: int) -> None:
        self.specimens, self.seed = specimens, seed
        self.kin: dict[str, list[Specimen]] = {}
        for specimen in specimens:
            self.kin.setdefault(specimen.tree["class"], []).append(specimen)
        self.classes = sorted(self.kin)

    def forge(self, number: int) -> tuple[Specimen, Any, dict[str, Any], list[str]]:
        """Return a specimen, its tree and arrays after changes, and these in words."""
        rng = np.random.default_rng([self.seed, number])
        family = self.kin[self.classes[number % len(self.classes)]]
        specimen = family[rng.integers(len(family))]
        tree, arrays = pickle.loads(specimen.packed), dict(specimen.arrays)
        count = rng.choice([1, 1, 1, 1, 2, 3])
        told = [self._change(rng, tree, arrays, family) for _ in range(count)]
        return specimen, tree, arrays, told

    def _change(
        self, rng: Any, tree: Any, arrays: dict[str, Any], family: list[Specimen]
    ) -> str:
        if rng.random() < 0.2:
            return self._change_fields(rng, tree, arrays, family)
        # Half of the changes are made to the model's own attributes.
        places = list(_places(tree))
        own = [Place(tree["state"], key) for key in tree["state"]]
        chosen = own if rng.random() < 0.5 and own else places
        if not chosen:
            return "nothing"
        place = chosen[rng.integers(len(chosen))]
        return f"{place.key}: {self._change_value(rng, place, arrays)}"

    def _change_value(self, rng: Any, place: Place, arrays: dict[str, Any]) -> str:
        value = place.get()
        if (
            isinstance(value, dict)
            and value.get("kind") == "array"
            and rng.random() < 0.9
        ):
            way = ARRAY_WAYS[rng.integers(len(ARRAY_WAYS))]
            name = f"array-{5000 + len(arrays):04d}.npy"
            arrays[name] = np.asarray(way(rng, arrays[value["member"]]))
            place.put({"kind": "array", "member": name})
            return f"{way.__name__} to {arrays[name].dtype}{arrays[name].shape}"
        if isinstance(value, list | dict) and rng.random() < 0.4:
            inside = value if isinstance(value, list) else value.get("items")
            if isinstance(inside, list) and inside:
                return _rearrange(rng, inside)
        new = self._other(rng, value, arrays)
        place.put(new)
        return f"now {json.dumps(new)[:100]}"

    def _other(self, rng: Any, value: Any, arrays: dict[str, Any]) -> Any:
        draw = rng.random()
        if isinstance(value, int | float) and not isinstance(value, bool):
            if draw < 0.2:
                return value + int(rng.choice([-1, 1, 2, -2]))
            if draw < 0.7:
                return EXTREMES[rng.integers(len(EXTREMES))]
        elif isinstance(value, bool) and draw < 0.5:
            return not value
        if draw < 0.85:
            return copy.deepcopy(ODD[rng.integers(len(ODD))])
        return self._borrowed(rng, arrays)

    def _borrowed(self, rng: Any, arrays: dict[str, Any]) -> Any:
        """Return a value of any specimen, with the arrays in it."""
        other = self.specimens[rng.integers(len(self.specimens))]
        places = list(_places({"state": {"": other.tree}}))
        return _imported(places[rng.integers(len(places))].get(), other, arrays, rng)

    def _change_fields(
        self, rng: Any, tree: Any, arrays: dict[str, Any], family: list[Specimen]
    ) -> str:
        objects = [p.get() for p in _places({"state": {"": tree}})]
        objects = [o for o in objects if isinstance(o, dict) and "state" in o]
        state = objects[rng.integers(len(objects))]["state"]
        names, draw = list(state), rng.random()
        if draw < 0.3 and names:
            gone = names[rng.integers(len(names))]
            del state[gone]
            return f"{gone} removed"
        if draw < 0.4:
            added = [
                "extra_",
                "predict",
                "_private",
                "coef_",
                "classes_",
                "n_features_in_",
            ]
            name = added[rng.integers(len(added))]
            state[name] = copy.deepcopy(ODD[rng.integers(len(ODD))])
            return f"{name} added"
        other = family[rng.integers(len(family))]
        theirs = [n for n in other.tree["state"] if n in tree["state"]]
        if not theirs:
            return "nothing"
        name = theirs[rng.integers(len(theirs))]
        tree["state"][name] = _imported(other.tree["state"][name], other, arrays, rng)
        return f"{name} from {other.name}"


def _imported(node: Any, other: Specimen, arrays: dict[str, Any], rng: Any) -> Any:
    """Return a copy of a node of another specimen whose arrays and numbers are new."""
    node = copy.deepcopy(node)
    for place in _places({"state": {"": [node]}}):
        value = place.get()
        if not isinstance(value, dict):
            continue
        if value.get("kind") == "array" and value["member"] in other.arrays:
            name = f"array-{7000 + len(arrays):04d}.npy"
            arrays[name] = other.arrays[value["member"]]
            value["member"] = name
        if value.get("kind") == "object":
            value["number"] += 1_000_000 * int(rng.integers(1, 1000))
    return node


def _rearrange(rng: Any, items: list[Any]) -> str:
    draw, position = rng.integers(4), rng.integers(len(items))
    if draw == 0:
        del items[position]
        return "item removed"
    if draw == 1:
        items.append(copy.deepcopy(items[position]))
        return "item twice"
    if draw == 2:
        items.clear()
        return "emptied"
    items.reverse()
    return "reversed"


def retyped(rng: Any, array: Any) -> Any:
    """Give an array another data type."""
    with np.errstate(all="ignore"):
        try:
            return array.astype(DTYPES[rng.integers(len(DTYPES))])
        except (ValueError, TypeError):
            return np.zeros(array.shape)


def reshaped(rng: Any, array: Any) -> Any:
    """Give an array another shape."""
    ways: list[Callable[[], Any]] = [
        lambda: array[:-1] if array.ndim else array,
        lambda: array[1:] if array.ndim else array,
        lambda: array[..., :-1] if array.ndim else array,
        lambda: np.concatenate([array, array]) if array.ndim else array[None],
        lambda: np.concatenate([array, array[:1]]) if array.ndim else array[None],
        lambda: np.concatenate([array, array], axis=-1) if array.ndim else array[None],
        lambda: np.ascontiguousarray(array.T),
        lambda: np.asfortranarray(array),
        array.ravel,
        lambda: array[None],
        lambda: array[..., None],
        lambda: array[:0] if array.ndim else array,
        lambda: array[..., :0] if array.ndim else array,
        lambda: array.ravel()[0] if array.size else array,
        lambda: array[:1] if array.ndim else array,
    ]
    return ways[rng.integers(len(ways))]()


def permuted(rng: Any, array: Any) -> Any:
    """Put the entries of an array into another order."""
    if not array.ndim:
        return array
    return rng.permutation(array) if rng.random() < 0.5 else array[::-1].copy()


def disturbed(rng: Any, array: Any) -> Any:
    """Change some entries of an array, or all, to extremes."""
    array = array.copy()
    if not array.size or array.dtype.kind not in "iufb":
        return array
    flat = array.reshape(-1)
    if array.dtype.kind == "f":
        values = [np.nan, np.inf, -np.inf, -1.0, 0.0, 1e300, -1e300, 1e-300, 2.0**40]
    elif array.dtype.kind == "b":
        values = [True, False]
    else:
        span = np.iinfo(array.dtype)
        values = [span.min, span.max, 0, 1, len(flat), len(flat) - 1, 127, 5]
        values += [-1, -2] if array.dtype.kind == "i" else []
    value = values[rng.integers(len(values))]
    with np.errstate(all="ignore"):
        count = rng.choice([1, 1, 1, 2, len(flat)])
        flat[rng.integers(len(flat), size=count)] = np.array(value).astype(array.dtype)
        if count == len(flat):
            flat[:] = np.array(value).astype(array.dtype)
    return array


def stepped(rng: Any, array: Any) -> Any:
    """Move one entry of an array by one."""
    array = array.copy()
    if array.size and array.dtype.kind in "iuf":
        flat = array.reshape(-1)
        with np.errstate(all="ignore"):
            flat[rng.integers(len(flat))] += array.dtype.type(1)
    return array


ARRAY_WAYS = [
    retyped,
    reshaped,
    reshaped,
    permuted,
    disturbed,
    disturbed,
    disturbed,
    stepped,
]
