"""What users of 0.1 wrote still works: calls, model files and pickles."""

import pickle
import re
import zipfile
from importlib import import_module

import numpy as np
import pytest

import infimum
from benchmarks.golden import (
    SIGNATURES,
    answers_of,
    models_file,
    parameters_of,
    read_models,
)

LINES = [line.split("\t") for line in SIGNATURES.read_text("utf-8").splitlines()]
ROOMS = sorted({".".join(line[0].split(".")[:3]) for line in LINES})
MODELS = dict(read_models(models_file("0.1")))


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_call_of_an_earlier_version_still_fits_its_signature(room):
    lines = [line for line in LINES if ".".join(line[0].split(".")[:3]) == room]
    changed = [line[0] for line in lines if not fits(line[1:], today(line[0]))]
    assert changed == []


def today(name):
    """Return the parameters of the public callable of a dotted name."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            value = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            value = getattr(value, part)
        return parameters_of(value)
    raise AssertionError(name)


def fits(old, new):
    """Tell whether calls written for the old parameters mean the same today."""
    place, now = positional(old), positional(new)
    added = [*now[len(place) :], *(name for name in by_name(new) if name not in old)]
    return (
        now[: len(place)] == place
        and set(by_name(old)) <= {*by_name(new), *now}
        and all("=" in name or name.startswith("*") for name in added)
    )


def positional(told):
    return told[: told.index("*")] if "*" in told else told


def by_name(told):
    return told[told.index("*") + 1 :] if "*" in told else []


def test_signatures_are_compared_as_callers_see_them():
    old = ["self", "X", "*", "copy=True"]
    assert fits(old, ["self", "X", "y=None", "*", "copy=True", "seed=0"])
    assert fits(old, ["self", "X", "copy=True"])
    assert not fits(old, ["self", "X", "y", "*", "copy=True"])
    assert not fits(old, ["self", "y", "*", "copy=True"])
    assert not fits(old, ["self", "X", "*", "copy=False"])
    assert not fits(old, ["self", "X", "*", "copy=True", "seed"])


def test_the_golden_models_hold_the_classes_that_files_of_0_1_could_name():
    named = set()
    for members in MODELS.values():
        with zipfile.ZipFile(members["infimum"]) as archive:
            text = archive.read("model.json").decode()
        named |= set(re.findall(r'"class": ?"([^"]+)"', text))
    assert len([name for name in named if name.startswith("infimum.")]) == 337


@pytest.mark.parametrize("name", MODELS)
def test_a_model_file_and_a_pickle_of_0_1_load_and_answer_the_same(name, tmp_path):
    members = MODELS[name]
    path = tmp_path / "model.infimum"
    path.write_bytes(members["infimum"].getvalue())
    X, expected = pickle.load(members["answers"])
    for model in (infimum.load(path), pickle.load(members["pickle"])):
        answers = answers_of(model, X)
        assert answers.keys() >= expected.keys()
        for method, answer in expected.items():
            assert answers[method].shape == answer.shape
            if answer.dtype.kind == "f":
                np.testing.assert_allclose(answers[method], answer, 1e-7, 1e-9)
            else:
                assert answers[method].tolist() == answer.tolist()
