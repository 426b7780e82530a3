"""As many factors as the proof asks for: closed gaps, and nothing that was lost."""

import numpy as np
import pytest
from scipy import sparse

from infimum.models.recommend import FactorRecommender, SoftImpute
from infimum.persistence import load, save


def ratings(rng, n=60, m=45, share=0.5, noise=0.3):
    Z = rng.standard_normal((n, 14)) @ rng.standard_normal((14, m)) / 3.0
    Z += noise * rng.standard_normal((n, m))
    return np.where(rng.random((n, m)) < share, Z, np.nan)


@pytest.mark.parametrize(
    "how", [{}, {"biases": False}, {"scaling": "counts"}, {"center": False}]
)
def test_factors_are_added_until_the_gap_is_closed(how):
    X = ratings(np.random.default_rng(0))
    model = FactorRecommender(None, strength=0.004, **how).fit(X)
    assert model.certificate_.closed
    assert model.n_factors_ > 10
    few = FactorRecommender(10, strength=0.004, max_iter=60, **how).fit(X)
    assert not few.certificate_.closed
    assert model.certificate_.primal < few.certificate_.primal


def test_the_found_factors_are_the_completed_matrix():
    X = ratings(np.random.default_rng(1))
    how = {"biases": False, "center": False}
    model = FactorRecommender(None, strength=0.01, **how).fit(X)
    exact = SoftImpute(0.01, tol=1e-6).fit(X).certificate_
    assert exact.dual <= model.certificate_.primal
    assert model.certificate_.primal - exact.primal <= model.certificate_.gap
    assert model.certificate_.dual <= exact.primal


def test_features_and_implicit_ratings_find_their_number_too():
    rng = np.random.default_rng(2)
    X = ratings(rng)
    sides = {"user_features": rng.standard_normal((60, 3))}
    model = FactorRecommender(None, strength=0.01, max_iter=40).fit(X, **sides)
    assert model.certificate_.closed
    counts = sparse.csr_array(rng.poisson(0.4, (60, 45)).astype(float))
    seen = FactorRecommender(None, strength=0.02, implicit=True, max_iter=40)
    assert seen.fit(counts).certificate_.closed


def test_a_found_number_is_kept_and_goes_on(tmp_path):
    X = ratings(np.random.default_rng(3))
    seen = sparse.coo_array(np.nan_to_num(X))
    parts = [(seen.row[k::2], seen.col[k::2], seen.data[k::2]) for k in (0, 1)]
    model = FactorRecommender(None, strength=0.006).fit(parts[0])
    save(model, tmp_path / "factors.infimum")
    again = load(tmp_path / "factors.infimum")
    users = model.users_[:5]
    assert again.predict(users, model.items_[:5]) == pytest.approx(
        model.predict(users, model.items_[:5])
    )
    assert again.n_factors_ == model.n_factors_
    rated = list(model.items_[:7])
    folded = again.fold_in((["new"] * 7, rated, np.arange(7.0)))
    assert folded.user_factors_.shape == (1, model.n_factors_)
    more = again.partial_fit(parts[1])
    assert more.certificate_.closed


def test_one_rating_and_equal_ratings_need_no_direction():
    one = FactorRecommender(None, strength=0.1).fit((["a"], ["x"], [3.0]))
    assert one.predict(["a"], ["x"])[0] == pytest.approx(3.0)
    equal = FactorRecommender(None, strength=0.1).fit(np.full((5, 4), 2.0))
    assert equal.predict([0], [0])[0] == pytest.approx(2.0)
    assert equal.certificate_.closed
