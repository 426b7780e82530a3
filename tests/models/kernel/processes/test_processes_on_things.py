"""Gaussian processes on anything that has a kernel: strings here."""

import numpy as np
import pytest

import infimum
from infimum.errors import DataError
from infimum.kernels import Constant, Gaussian, Linear, Normalized, Spectrum
from infimum.models.kernel import (
    GaussianProcessClassifier,
    GaussianProcessRegressor,
    KernelRidge,
)

WORDS = ["aaab", "aab", "ccd", "cccd", "efe", "fef", "aaa", "cdc"]


def test_a_process_on_words_follows_them_and_is_unsure_of_strangers(tmp_path):
    y = np.array([1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 1.0, 2.0])
    model = GaussianProcessRegressor(kernel=Spectrum(2), alpha=1e-3).fit(WORDS, y)
    assert model.predict(WORDS).round().tolist() == y.tolist()
    _, spread = model.predict([*WORDS, "ababab"], return_std=True)
    assert spread[-1] > 10 * spread[:-1].max()
    infimum.save(model, tmp_path / "m.infimum")
    loaded = infimum.load(tmp_path / "m.infimum")
    assert (
        loaded.predict(["aab", "fe"]).tolist() == model.predict(["aab", "fe"]).tolist()
    )


@pytest.mark.parametrize("multi_class", ["one_vs_rest", "one_vs_one"])
def test_a_process_tells_words_apart(multi_class):
    labels = ["a", "a", "c", "c", "e", "e", "a", "c"]
    model = GaussianProcessClassifier(kernel=Spectrum(2), multi_class=multi_class)
    assert model.fit(WORDS, labels).predict(WORDS).tolist() == labels
    assert model.classes_.tolist() == ["a", "c", "e"]
    with pytest.raises(DataError, match="2 classes or more"):
        model.fit(WORDS, ["a"] * 8)
    assert model.predict(["aa"]).tolist() == ["a"]  # the old model is still there


@pytest.mark.parametrize(
    "kernel",
    [2.0 * Gaussian(), Linear() + Gaussian() * Constant(2.0), Normalized(1 + Linear())],
    ids=["scaled", "sum", "normalised"],
)
@pytest.mark.parametrize("cls", [GaussianProcessRegressor, KernelRidge])
def test_combined_kernels_read_tables_like_their_parts(cls, kernel):
    X, y = [[0.0, 1.0], [1.0, 1.0], [2.0, 0.5]], [0.0, 1.0, 2.0]
    model = cls(kernel=kernel, alpha=0.1).fit(X, y)
    assert model.n_features_in_ == 2
    found = model.predict(np.array(X, dtype=object))
    assert found == pytest.approx(model.predict(np.array(X)))
    with pytest.raises(ValueError, match="NaN"):
        model.fit([[np.nan, 1.0], [1.0, 1.0], [2.0, 0.5]], y)
    with pytest.raises(ValueError, match="3 features"):
        model.predict([[1.0, 2.0, 3.0]])
