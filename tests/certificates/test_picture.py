"""The picture of a proof shows both bounds and never a dual above what was reached."""

import numpy as np

from infimum import LogisticRegression


def test_the_bounds_of_a_fit_come_together():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    model = LogisticRegression(l1_ratio=0.5, C=0.1).fit(
        X, X[:, 0] + rng.normal(size=200) > 0
    )
    figure = model.certificate_.plot(model.history_)
    below, above = figure.data
    assert below.name == "no model below"
    assert above.y[-1] == model.certificate_.primal
    assert np.max(below.y) <= above.y[-1] + 1e-12
    assert "proved" in figure.layout.title.text or "risk" in figure.layout.title.text


def test_without_a_history_both_numbers_are_drawn():
    X = np.arange(20.0)[:, None]
    proof = LogisticRegression().fit(X, X.ravel() > 9).certificate_
    below, above = proof.plot().data
    assert set(below.y) == {proof.dual}
    assert set(above.y) == {proof.primal}
