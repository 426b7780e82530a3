"""Whitening keeps scikit-learn's contract and survives degenerate data."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

import infimum
from infimum.errors import InvalidParameterError
from infimum.study.features import Whitener


@pytest.mark.parametrize("whitener", [Whitener(), Whitener(strength=0.1)], ids=repr)
def test_scikit_learn_contract(whitener):
    results = check_estimator(whitener, on_skip=None)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    assert set(statuses.values()) <= {"passed", "skipped"}
    assert skipped <= {"check_array_api_input"}
    assert len(results) >= 35


def test_directions_without_variance_are_left_out(rng):
    X = rng.standard_normal((30, 3))
    flat = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(30, 7.0)])
    whitener = Whitener().fit(flat)
    image = whitener.transform(flat)
    assert image.shape == (30, 3)
    assert np.cov(image.T, bias=True) == pytest.approx(np.eye(3), abs=1e-10)
    assert whitener.get_feature_names_out().tolist() == ["axis0", "axis1", "axis2"]
    few = Whitener().fit(flat[:2])  # two points vary along one line
    assert few.transform(flat[:2]).shape == (2, 1)
    assert Whitener().fit(np.ones((4, 2))).transform(np.ones((4, 2))).shape == (4, 0)


def test_whitening_does_not_depend_on_the_coordinates(rng):
    X = rng.standard_normal((40, 3))
    turned = X @ rng.standard_normal((3, 3)) + 5.0
    distances = Whitener().fit(X).mahalanobis(X)
    assert Whitener().fit(turned).mahalanobis(turned) == pytest.approx(distances)
    assert distances.mean() == pytest.approx(3)  # the dimension, always


def test_a_strength_limits_the_stretching(rng):
    X = rng.standard_normal((200, 2)) * [1.0, 1e-3]
    image = Whitener(strength=0.01).fit_transform(X)
    spread = np.sort(image.std(axis=0))
    assert spread[0] == pytest.approx(1e-3 / 0.1, rel=0.2)
    assert spread[1] == pytest.approx(1.0, rel=0.05)
    with pytest.raises(InvalidParameterError, match=r"Whitener\.strength"):
        Whitener(-1.0).fit(X)


def test_a_whitener_returns_from_its_file_bit_for_bit(rng, tmp_path):
    X = rng.standard_normal((20, 3))
    whitener = Whitener(0.1).fit(X)
    infimum.save(whitener, tmp_path / "w.infimum")
    again = infimum.load(tmp_path / "w.infimum")
    assert again.transform(X).tobytes() == whitener.transform(X).tobytes()
