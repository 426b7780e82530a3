"""Gaussian processes on anything that has a kernel: strings here."""

import numpy as np
import pytest

import infimum
from infimum.errors import DataError
from infimum.kernels import Spectrum
from infimum.models.kernel import GaussianProcessClassifier, GaussianProcessRegressor

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
