"""Optima of CRFsuite, a million steps, five hundred states, sequences of one step."""

import numpy as np
import pytest

from infimum.models.sequence import CRF, CategoricalHMM, GaussianHMM


def made(count, seed=0):
    rng = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(count):
        words = rng.integers(12, size=rng.integers(1, 8))
        X.append(
            [{"w": f"w{k}", "big": float(k > 6), "even": bool(k % 2)} for k in words]
        )
        y.append([f"L{(k + (rng.random() < 0.3)) % 3}" for k in words])
    return X, y


@pytest.mark.parametrize(("c1", "c2"), [(0.0, 1.0), (0.3, 0.5)])
def test_the_optimum_is_that_of_crfsuite(c1, c2):
    import sklearn_crfsuite as peer

    X, y = made(60)
    ours = CRF(c1=c1, c2=c2, tol=1e-8).fit(X, y)
    theirs = peer.CRF(c1=c1, c2=c2, max_iterations=3000, epsilon=1e-9, delta=1e-12)
    theirs.fit(X, y)
    weights = {**theirs.state_features_, **theirs.transition_features_}
    known = {**ours.state_features_, **ours.transition_features_}
    assert set(weights) <= {
        *((a, k) for a in ours.attributes_ for k in ours.classes_),
        *((a, k) for a in ours.classes_ for k in ours.classes_),
    }
    best = ours.certificate_
    rows, labels = np.nonzero(ours._states)
    names = [
        (ours.attributes_[a], ours.classes_[k])
        for a, k in zip(rows, labels, strict=True)
    ]
    starts, ends = np.nonzero(ours._moves)
    names += [
        (ours.classes_[a], ours.classes_[b]) for a, b in zip(starts, ends, strict=True)
    ]
    ours.coef_ = np.array([weights.get(name, 0.0) for name in names])
    reached = ours.certify(X, y).primal
    assert reached == pytest.approx(best.primal, rel=1e-6)
    assert reached >= best.dual
    common = [known[name] - value for name, value in weights.items() if name in known]
    assert np.abs(common).max() < 1e-2


def test_a_million_steps_leave_finite_answers():
    rng = np.random.default_rng(0)
    states = (np.arange(1_000_000) // 50) % 2
    X = 3.0 * states[:, None] + rng.standard_normal((1_000_000, 1))
    model = GaussianHMM(2, random_state=0, n_iter=3, tol=0.0).fit([X])
    assert np.isfinite(model.monitor_.history).all()
    said = model.predict([X])[0]
    assert max(np.mean(said == states), np.mean(said != states)) > 0.98
    chances = model.predict_proba([X])[0]
    assert np.abs(chances.sum(axis=1) - 1.0).max() < 1e-9


def test_five_hundred_states_rise_and_answer():
    rng = np.random.default_rng(0)
    symbols = [rng.integers(40, size=60) for _ in range(3)]
    model = CategoricalHMM(500, random_state=0, n_iter=3, tol=0.0).fit(symbols)
    history = np.array(model.monitor_.history)
    assert np.isfinite(history).all()
    assert (np.diff(history) > 0.0).all()
    assert len(model.predict(symbols)[0]) == 60


def test_sequences_of_one_step_are_mixtures():
    X = [np.array([[0.0]]), np.array([[9.0]]), np.array([[9.5]])]
    model = GaussianHMM(2, random_state=0, n_iter=20).fit(X)
    assert np.isfinite(model.score(X))
    assert np.isfinite(model.transmat_).all()
    single = CRF().fit([[{"a": "x"}]], [["only"]])
    assert single.predict([[{"a": "x"}], [{"b": "new"}]]) == [["only"], ["only"]]
    assert single.certificate_.closed


def test_single_precision_says_the_same():
    rng = np.random.default_rng(0)
    X = [rng.standard_normal((30, 2)) + 4.0 * (np.arange(30)[:, None] > 14)]
    exact = GaussianHMM(2, random_state=0, n_iter=5).fit(X)
    single = GaussianHMM(2, random_state=0, n_iter=5).fit([X[0].astype(np.float32)])
    np.testing.assert_allclose(single.means_, exact.means_, rtol=1e-4)
