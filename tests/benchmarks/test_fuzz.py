"""Forged model files of every class, a few hundred: none of them does harm."""

import numpy as np
import pytest

from benchmarks.fuzz.__main__ import report, run
from benchmarks.fuzz.forging import Forger, read_specimen
from benchmarks.fuzz.judging import check_bounds
from benchmarks.fuzz.specimens import make_specimens
from infimum.persistence import allow_list


def last(figures):
    *_, final = figures
    return final


def test_a_few_hundred_forgeries_do_no_harm():
    figures = last(run(400, seed=20, bounds=False, few=True))
    assert figures["failures"] == [], report(figures)
    assert figures["cases"] == 400
    assert figures["outcomes"]["refused"] > 100
    assert figures["outcomes"]["loaded"] > 50


def test_indices_are_checked_where_the_long_run_looks():
    figures = last(run(60, seed=21, only="DecisionStump", few=True))
    assert figures["bounds checked"]
    assert figures["failures"] == [], report(figures)
    with pytest.raises(RuntimeError, match="do not check"):
        check_bounds()


def test_every_class_has_a_specimen_and_a_number_gives_one_forgery(tmp_path):
    missing = make_specimens(tmp_path, few=True)
    assert [line.partition(":")[0] for line in missing] == [
        "FeatureMap"
    ]  # of functions
    specimens = [read_specimen(path) for path in sorted(tmp_path.glob("*.infimum"))]
    classes = {specimen.tree["class"] for specimen in specimens}
    for room in allow_list.MODEL_ROOMS:
        for short, cls in allow_list._classes_of(room).items():
            if allow_list.shape_of(cls) == "object" and short != "FeatureMap":
                assert f"{room}.{short}" in classes
    first, again = (Forger(specimens, 3).forge(11) for _ in range(2))
    assert first[1] == again[1]
    assert first[3] == again[3]
    assert all(
        np.array_equal(first[2][name], again[2][name], equal_nan=True)
        for name in first[2]
        if first[2][name].dtype.kind == "f"
    )
