"""One protocol for all recommenders: names, predictions, new people, explanations."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

import infimum
from infimum.models.recommend import (
    ContentRecommender,
    FactorRecommender,
    NeighborRecommender,
    Ratings,
)

rng = np.random.default_rng(0)
USERS = rng.integers(0, 30, 500).astype(str)
ITEMS = np.char.add("item ", rng.integers(0, 20, 500).astype(str))
VALUES = rng.integers(1, 6, 500).astype(float)
SEEN = Ratings.of_columns(USERS, ITEMS, VALUES)
FEATURES = {name: rng.standard_normal(3) for name in SEEN.items}


def fitted(kind):
    made = {
        "factors": lambda: FactorRecommender(4, strength=0.02).fit(SEEN),
        "counts": lambda: FactorRecommender(4, strength=0.02, scaling="counts").fit(
            SEEN
        ),
        "implicit": lambda: FactorRecommender(4, strength=0.1, implicit=True).fit(SEEN),
        "features": lambda: FactorRecommender(4, strength=0.02).fit(
            SEEN, item_features=FEATURES
        ),
        "items": lambda: NeighborRecommender().fit(SEEN),
        "users": lambda: NeighborRecommender("user").fit(SEEN),
        "content": lambda: ContentRecommender().fit(SEEN, item_features=FEATURES),
    }
    return made[kind]()


KINDS = ["factors", "counts", "implicit", "features", "items", "users", "content"]


@pytest.mark.parametrize("kind", KINDS)
def test_recommendations_are_the_best_unseen_predictions(kind):
    model = fitted(kind)
    user = SEEN.users[3]
    told = model.recommend([user], 50)[0]
    row = SEEN.matrix[[3]]
    seen = {SEEN.items[j] for j in row.indices}
    assert {name for name, _ in told} == set(SEEN.items) - seen
    scores = [score for _, score in told]
    assert scores == sorted(scores, reverse=True)
    names = [name for name, _ in told]
    assert model.predict([user] * len(names), names) == pytest.approx(scores)
    everything = model.recommend([user], 50, exclude_seen=False)[0]
    assert len(everything) == len(SEEN.items)


@pytest.mark.parametrize("kind", KINDS)
def test_an_explanation_adds_up_to_the_prediction(kind):
    model = fitted(kind)
    told = model.explain(SEEN.users[1], SEEN.items[2], 3)
    total = told["baseline"] + sum(v for _, v in told["ratings"]) + told["others"]
    said = model.predict([SEEN.users[1]], [SEEN.items[2]])[0]
    assert told["prediction"] == pytest.approx(said)
    assert total == pytest.approx(said)


@pytest.mark.parametrize("kind", KINDS)
def test_a_recommender_returns_from_its_file(kind, tmp_path):
    model = fitted(kind)
    infimum.save(model, tmp_path / "m.infimum")
    back = infimum.load(tmp_path / "m.infimum")
    assert back.recommend(SEEN.users[:4]) == model.recommend(SEEN.users[:4])
    assert back.similar_items(SEEN.items[0]) == model.similar_items(SEEN.items[0])
    assert clone(back).get_params() == model.get_params()
    if hasattr(model, "certify"):
        assert back.certificate_ == model.certificate_


@pytest.mark.parametrize("kind", ["factors", "counts", "implicit", "items", "content"])
def test_folding_in_the_same_people_changes_nothing(kind):
    model = fitted(kind)
    again = model.fold_in(SEEN)
    users, items = SEEN.users[:5], SEEN.items[:5]
    assert again.predict(users, items) == pytest.approx(model.predict(users, items))


def test_someone_new_gets_predictions_without_a_fit():
    model = fitted("factors")
    someone = (["new"] * 3, SEEN.items[:3], [5.0, 1.0, 4.0])
    guest = model.fold_in(someone)
    assert len(guest.recommend(["new"], 4)[0]) == 4
    assert guest.item_factors_ is not None
    more = model.partial_fit(someone)
    assert more.users_[-1] == "new"
    assert more.predict(["new"], [SEEN.items[5]])[0] == pytest.approx(
        guest.predict(["new"], [SEEN.items[5]])[0], abs=0.5
    )


def test_all_forms_of_ratings_are_the_same():
    columns = FactorRecommender(2, strength=0.1).fit((USERS, ITEMS, VALUES))
    frame = pd.DataFrame({"u": USERS, "i": ITEMS, "r": VALUES})
    table = FactorRecommender(2, strength=0.1).fit(frame)
    assert columns.predict(USERS[:9], ITEMS[:9]) == pytest.approx(
        table.predict(USERS[:9], ITEMS[:9])
    )
    matrix = FactorRecommender(2, strength=0.1).fit(SEEN.matrix)
    once = Ratings(SEEN.users, SEEN.items, SEEN.matrix, np.ones(len(SEEN)))
    named = FactorRecommender(2, strength=0.1).fit(once)
    said = matrix.predict(np.arange(5), np.arange(5))
    assert said == pytest.approx(named.predict(SEEN.users[:5], SEEN.items[:5]))


def test_weights_are_repetition():
    twice = Ratings.of_columns(
        np.r_[USERS, USERS[:40]], np.r_[ITEMS, ITEMS[:40]], np.r_[VALUES, VALUES[:40]]
    )
    weights = np.where(np.arange(500) < 40, 2.0, 1.0)
    heavy = Ratings.of_columns(USERS, ITEMS, VALUES, weights)
    how = {"strength": 0.05, "max_iter": 300, "tol": 1e-13}
    one = FactorRecommender(3, **how).fit(twice)
    other = FactorRecommender(3, **how).fit(heavy)
    assert one.certificate_.primal == pytest.approx(other.certificate_.primal)
    assert one.predict(USERS[:9], ITEMS[:9]) == pytest.approx(
        other.predict(USERS[:9], ITEMS[:9]), abs=1e-4
    )


def test_an_item_without_ratings_is_placed_by_its_features():
    base = np.random.default_rng(1).standard_normal((40, 2))
    item = np.random.default_rng(2).standard_normal((31, 2))
    Z = base @ item.T
    X = Z.copy()
    X[:, 30] = np.nan
    X[np.random.default_rng(3).random(X.shape) < 0.3] = np.nan
    seen = Ratings.of_matrix(X[:, :30])
    features = {k: item[k] for k in range(31)}
    how = {"strength": 1e-3, "biases": False, "center": False, "max_iter": 100}
    model = FactorRecommender(2, **how).fit(seen, item_features=features)
    said = model.predict(np.arange(40), np.full(40, 30))
    assert np.corrcoef(said, Z[:, 30])[0, 1] > 0.95


def test_partial_fit_of_everything_is_near_a_fit_of_everything():
    half = SEEN.kept(np.arange(len(SEEN)) % 2 == 0)
    rest = SEEN.kept(np.arange(len(SEEN)) % 2 == 1)
    how = {"strength": 0.05, "max_iter": 300, "tol": 1e-12}
    whole = FactorRecommender(3, **how).fit(SEEN)
    parts = FactorRecommender(3, **how).partial_fit(half)
    parts.mean_ = whole.mean_
    parts.partial_fit(rest)
    assert parts.certificate_.primal == pytest.approx(
        whole.certificate_.primal, rel=1e-3
    )


def test_the_chosen_strength_predicts_better_than_the_mean():
    r = np.random.default_rng(5)
    Z = 3 + r.standard_normal((60, 2)) @ r.standard_normal((2, 40))
    i, j = np.nonzero(r.random(Z.shape) < 0.4)
    held = r.random(len(i)) < 0.2
    model = FactorRecommender(5).fit((i[~held], j[~held], Z[i, j][~held]))
    missed = Z[i, j][held] - model.predict(i[held], j[held])
    assert np.sqrt(np.mean(missed**2)) < 0.6 * Z.std()


def test_implicit_values_scale_like_counts():
    counts = sparse.csr_array(np.random.default_rng(6).poisson(0.5, (20, 15)) * 1.0)
    how = {"strength": 0.1, "implicit": True, "max_iter": 200, "tol": 1e-12}
    one = FactorRecommender(3, alpha=2.0, **how).fit(counts)
    other = FactorRecommender(3, alpha=1.0, **how).fit(counts * 2.0)
    assert one.certificate_.primal == pytest.approx(other.certificate_.primal)
