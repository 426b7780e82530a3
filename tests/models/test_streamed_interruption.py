"""A streamed fit that is cut short keeps what it has found; a watched one is told."""

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

import infimum
from infimum.data.streams import LocalRunner, runner
from infimum.errors import Interrupted, StreamError
from infimum.limits import time_limit
from infimum.models.clustering import KMeans
from infimum.models.ensembles import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from infimum.models.linear import LinearSVC, LogisticRegression, streamed
from infimum.models.online import SGDClassifier
from tests.models.test_callbacks_and_interruption import Interrupting, Witness

N, D = 3_000, 4
NAMES = [f"x{j}" for j in range(D)]
HOW = {"max_iter": 9, "early_stopping": False, "random_state": 0}


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D))
    return X, np.digitize(X[:, 0] + rng.normal(size=N), [-0.5, 0.5])


@pytest.fixture
def rows(columns, tmp_path):
    X, y = columns
    path = tmp_path / "rows.parquet"
    pl.DataFrame(X, schema=NAMES).with_columns(y=y).write_parquet(path)
    found = infimum.scan(path, target="y")
    with runner(LocalRunner(1)):
        found.n_rows  # noqa: B018
        yield found


def cut(monkeypatch, rows, turn, error):
    """Let a pass fail instead of being made; count from 0."""
    passes, plain = [], type(rows).run

    def run(self, work, source=None):
        passes.append(type(work).__name__)
        if len(passes) > turn:
            raise error
        return plain(self, work, source)

    monkeypatch.setattr(type(rows), "run", run)
    return passes


def bits(model):
    trees = model.trees_
    return [getattr(trees, name).tobytes() for name in ("value", "threshold")]


@pytest.mark.parametrize("turn", range(3, 40, 4))
@pytest.mark.parametrize("error", [KeyboardInterrupt(), StreamError("Gone.")])
def test_boosting_keeps_the_rounds_before(rows, monkeypatch, turn, error):
    model = HistGradientBoostingClassifier(**HOW)
    with monkeypatch.context() as patch:
        passes = cut(patch, rows, turn, error)
        with pytest.raises(type(error)) as caught:
            model.fit(rows)
    advanced = passes.count("AdvancePass")
    if advanced < 2:  # not one round was whole
        assert not hasattr(model, "trees_")
        return
    made = advanced - 1
    assert model.n_iter_ == made
    whole = HistGradientBoostingClassifier(**HOW | {"max_iter": made}).fit(rows)
    assert bits(model) == bits(whole)
    assert caught.value.estimator is model
    if isinstance(error, KeyboardInterrupt):
        assert isinstance(caught.value, Interrupted)
    else:
        assert str(caught.value).startswith(f"Gone. The model keeps {made} rounds; ")
        assert "\n" not in str(caught.value)
    left = {p.name for p in rows.spool.folder.iterdir()}
    assert left == {"checks", "ends", "places", "values", "w", "x", "y"}


def test_the_loss_that_is_told_is_that_of_the_rounds(rows, monkeypatch):
    watched = HistGradientBoostingRegressor(
        **HOW | {"early_stopping": True, "n_iter_no_change": 50}
    )
    with monkeypatch.context() as patch:
        cut(patch, rows, 30, StreamError("Gone."))
        with pytest.raises(StreamError) as caught:
            watched.fit(rows)
    made = watched.n_iter_
    assert len(watched.train_score_) == len(watched.validation_score_) == made + 1
    told = float(str(caught.value).rstrip(".").split()[-1])
    assert told == pytest.approx(-watched.train_score_[-1], rel=1e-5)


def test_a_round_that_judged_rows_is_whole_in_memory_too(columns):
    X, y = columns
    for kind in (HistGradientBoostingRegressor, GradientBoostingRegressor):
        how = {"subsample": 0.5, "random_state": 0}
        model = kind(**how).set_callbacks(Interrupting())
        with pytest.raises(Interrupted) as caught:
            model.fit(X, y)
        assert caught.value.estimator is model
        assert model.n_iter_ == 2
        most = "max_iter" if kind is HistGradientBoostingRegressor else "n_estimators"
        short = kind(**how, **{most: 2}).fit(X, y)
        assert np.array_equal(model.predict(X), short.predict(X))


def test_an_interruption_before_the_first_round_leaves_the_old_model(
    rows, columns, monkeypatch
):
    model = HistGradientBoostingRegressor(**HOW).fit(*columns)
    before = dict(vars(model))
    cut(monkeypatch, rows, 2, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt) as caught:
        model.fit(rows)
    assert type(caught.value) is KeyboardInterrupt
    assert vars(model) == before


MODELS = [
    HistGradientBoostingClassifier(**HOW),
    LogisticRegression(C=0.1),
]


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_callbacks_see_streamed_rounds_and_may_stop_them(rows, monkeypatch, model):
    few = "infimum.solvers.second_order._gram_newton.SAMPLE"
    monkeypatch.setattr(few, 300)
    plain, watched, stopped = clone(model), clone(model), clone(model)
    plain.fit(rows)
    witness = Witness()
    watched.set_callbacks(witness).fit(rows)
    assert witness.begun == witness.ended == 1
    rounds = getattr(plain, "trees_", None) and plain.n_iter_
    assert witness.tasks == rounds + 1 if rounds else witness.tasks > 1
    stopped.set_callbacks(Witness(stop_after=1)).fit(rows)
    if rounds:
        assert bits(watched) == bits(plain)
        assert stopped.n_iter_ == 1
        assert bits(stopped) == bits(clone(model).set_params(max_iter=1).fit(rows))
    else:
        np.testing.assert_array_equal(plain.coef_, watched.coef_)
        assert stopped.certificate_.reason == "stopped by the callback"


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
def test_the_classes_after_an_interrupted_one_are_not_begun(rows, monkeypatch):
    asked, plain = [], streamed._solved

    def solved(*given):
        asked.append(given)
        return plain(*given)

    few = "infimum.solvers.second_order._gram_newton.SAMPLE"
    monkeypatch.setattr(few, 300)
    monkeypatch.setattr(streamed, "_solved", solved)
    model = LinearSVC(loss="squared_hinge", tol=1e-9).set_callbacks(Interrupting())
    with pytest.raises(Interrupted) as caught:
        model.fit(rows)
    assert caught.value.estimator is model
    assert len(asked) == 3
    ends = [proof.reason for proof in model.certificates_]
    assert ends.count("interrupted") == 3 - ends.index("interrupted")
    assert model.certificate_.primal >= model.certificate_.dual


@pytest.mark.parametrize(
    ("model", "made"),
    [
        (HistGradientBoostingClassifier(**HOW), lambda m: m.n_iter_),
        (RandomForestRegressor(40, max_leaf_nodes=4), lambda m: len(m.trees_)),
        (SGDClassifier(max_iter=50, tol=None), lambda m: m.n_iter_),
        (KMeans(3, max_iter=50, tol=0.0, random_state=0), lambda m: m.n_iter_),
    ],
    ids=lambda m: type(m).__name__,
)
def test_a_limit_of_time_ends_rounds(rows, monkeypatch, model, made):
    monkeypatch.setattr("infimum.models.streamed.forests.MEMORY", 1)
    with time_limit(0.0):
        model.fit(rows)
    assert made(model) == 1


def test_forests_and_learners_of_single_rows_keep_what_they_have(rows, monkeypatch):
    monkeypatch.setattr("infimum.models.streamed.forests.MEMORY", 1)
    how = {"max_leaf_nodes": 4, "random_state": 0}
    forest = RandomForestRegressor(9, **how)
    with monkeypatch.context() as patch:
        cut(patch, rows, 14, StreamError("Gone."))
        with pytest.raises(StreamError, match=r"Gone\. The model keeps 2 trees"):
            forest.fit(rows)
    whole = RandomForestRegressor(9, **how).fit(rows)
    for tree, other in zip(forest.trees_, whole.trees_, strict=False):
        np.testing.assert_array_equal(tree.value, other.value)
    learner = SGDClassifier(max_iter=9, tol=None, random_state=0)
    count, plain = iter(range(99)), type(rows).leaves

    def leaves(self, numbers=None):
        if next(count) == 3:
            raise KeyboardInterrupt
        return plain(self, numbers)

    with monkeypatch.context() as patch:
        patch.setattr(type(rows), "leaves", leaves)
        with pytest.raises(Interrupted):
            learner.fit(rows)
    short = SGDClassifier(max_iter=3, tol=None, random_state=0).fit(rows)
    np.testing.assert_array_equal(learner.coef_, short.coef_)
    assert learner.n_iter_ == 3
