"""Sets, strings, dissimilarities and one-sided losses are learnt from."""

import numpy as np
import pytest

from infimum.kernels import SetIntersection, Spectrum
from infimum.losses import Quantile
from infimum.models.kernel import SVC
from infimum.models.linear import RiskMinimizer
from infimum.models.neighbors import KNeighborsClassifier


@pytest.mark.syllabus("S0A-012")
def test_sets_of_any_size_are_samples():
    compounds = [{"a", "b"}, {"a"}, {"a", "c", "d"}, {"e"}, {"e", "c"}, {"e", "b", "d"}]
    poisonous = [1, 1, 1, 0, 0, 0]
    model = SVC(kernel=SetIntersection()).fit(compounds, poisonous)
    assert model.predict([{"a", "b", "c", "d"}, {"e", "d"}]).tolist() == [1, 0]


@pytest.mark.syllabus("S0A-014")
def test_neighbours_take_dissimilarities_that_are_no_metric():
    gaps = np.array(
        [[0, 1, 9, 7], [2, 0, 8, 9], [1, 9, 0, 2], [9, 3, 1, 0]], dtype=float
    )
    model = KNeighborsClassifier(n_neighbors=1, metric="precomputed")
    model.fit(gaps, ["x", "x", "y", "y"])
    # Rows are questions: 2 is nearer to sample 0 than to sample 3, not the reverse.
    asked = np.array([[5.0, 6.0, 1.0, 2.0], [0.5, 9.0, 4.0, 4.0]])
    assert model.predict(asked).tolist() == ["y", "x"]


def test_strings_are_samples():
    words = ["aaab", "aab", "abaa", "bbba", "bbab", "babb"]
    model = SVC(kernel=Spectrum(2)).fit(words, [1, 1, 1, 0, 0, 0])
    assert model.predict(["aaaa", "bbbb"]).tolist() == [1, 0]


@pytest.mark.syllabus("S0A-021")
def test_a_one_sided_loss_moves_the_answer_to_its_side():
    rng = np.random.default_rng(0)
    X, noise = np.zeros((999, 1)), rng.standard_normal(999)
    model = RiskMinimizer(Quantile(0.9), strength=1e-6).fit(X, noise)
    assert model.predict(X[:1])[0] == pytest.approx(np.quantile(noise, 0.9), abs=0.02)
