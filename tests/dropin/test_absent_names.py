"""The page on the drop-in tells which names of scikit-learn are not there."""

import importlib
import importlib.util
import re
from pathlib import Path

import sklearn

from infimum.dropin.replacement import ROOMS

PAGE = Path(__file__).parents[2] / "docs" / "dropin.md"
#: Modules of scikit-learn that hold no learners of their own, or none but wrappers.
OTHER_JOBS = {
    "callback",
    "compose",
    "datasets",
    "exceptions",
    "experimental",
    "externals",
    "feature_extraction",
    "frozen",
    "impute",
    "inspection",
    "metrics",
    "model_selection",
    "pipeline",
    "preprocessing",
}


def told():
    """Return the section on what is absent."""
    return PAGE.read_text(encoding="utf-8").split("## What is absent")[1]


def absent(room):
    """Return the names of scikit-learn's module that its room here lacks."""
    theirs = importlib.import_module(f"sklearn.{room}")
    ours = importlib.import_module(f"infimum.dropin.{room}")
    names = set(getattr(theirs, "__all__", ours.__all__)) - set(ours.__all__)
    return {name for name in names if not _is_module(ours, name)}


def _is_module(room, name):
    inside = hasattr(room, "__path__")
    return inside and importlib.util.find_spec(f"{room.__name__}.{name}") is not None


def test_the_table_of_absent_names_is_true():
    lines = re.findall(r"^\| `(\w+)` \| (.+) \|$", told(), re.MULTILINE)
    said = {room: set(re.findall(r"`(\w+)`", names)) for room, names in lines}
    found = {room: names for room in ROOMS if (names := absent(room))}
    assert said == found


def test_the_list_of_modules_without_a_room_is_true():
    sentence = told().split("Modules without a room here:")[1]
    modules = {
        name
        for name in sklearn.__all__
        if name not in {"clone", "show_versions"} and "config" not in name
    }
    without = modules - set(ROOMS) - OTHER_JOBS
    assert set(re.findall(r"`(\w+)`", sentence)) == without
