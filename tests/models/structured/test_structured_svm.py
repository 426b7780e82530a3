"""Structured machines: the optimum of a stranger, proofs rebuilt, every structure."""

from itertools import product

import cvxpy as cp
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.svm import LinearSVC

import infimum
from infimum import decoders
from infimum.errors import DataError, InvalidParameterError
from infimum.models.structured import (
    Assignment,
    Chain,
    Graph,
    Grid,
    Multilabel,
    Ontology,
    StructuredPerceptron,
    StructuredSVM,
    Tree,
)
from infimum.models.warnings import UncertifiedWarning

RNG = np.random.default_rng(0)
WORDS = [RNG.standard_normal((n, 2)) for n in (3, 2, 4, 1, 3, 2)]
TAGS = [["ab"[int(row[0] > 0.3 * row[1])] for row in table] for table in WORDS]
EDGES = [[(t, t + 1) for t in range(len(each) - 1)] for each in WORDS]
TREES = list(zip(WORDS, EDGES, strict=True))
LOOP = [(0, 1), (1, 2), (2, 0)]
LOOPS = [(RNG.standard_normal((3, 2)), LOOP) for _ in range(5)]
LOOP_TAGS = [[int(row[0] > 0) for row in table] for table, _ in LOOPS]
GRIDS = [RNG.standard_normal((2, 2, 1)) for _ in range(5)]
GRID_TAGS = [(each[:, :, 0] > 0).astype(int) for each in GRIDS]
CELLS = [RNG.standard_normal((3, 3, 2)) for _ in range(6)]
COLUMNS = [decoders.Assignment().decode(each @ [1.0, -0.5])[0] for each in CELLS]
ROWS = RNG.standard_normal((12, 2))
SETS = np.column_stack([ROWS[:, 0] > 0, ROWS[:, 0] + ROWS[:, 1] > 0]).astype(int)
BRANCHES = [("all", "pet"), ("all", "car"), ("pet", "cat"), ("pet", "dog")]
LEAVES = ["car" if a > 0.4 else "cat" if b > 0 else "dog" for a, b in ROWS]
CASES = {
    "chain": (Chain(), WORDS, TAGS),
    "tree": (Tree(), TREES, TAGS),
    "graph": (Graph(), LOOPS, LOOP_TAGS),
    "grid": (Grid(), GRIDS, GRID_TAGS),
    "assignment": (Assignment(), CELLS, COLUMNS),
    "multilabel": (Multilabel(), ROWS, SETS),
    "ontology": (Ontology(BRANCHES), ROWS, LEAVES),
}


@pytest.fixture(params=CASES, name="case")
def some_case(request):
    structure, X, y = CASES[request.param]
    return StructuredSVM(structure, C=2.0, tol=1e-5), X, y


def stranger(model, X, y, factors):
    """Return the least objective by cvxpy, every labelling written out."""
    problem = model._problem(X, y, [])
    w = cp.Variable(problem.size)
    total = 0
    for place in range(problem.count):
        which, one = np.array([place]), np.ones(1)
        right = problem.features([problem.right[place]], one, which)
        planes = []
        for labels in product(range(2), repeat=len(problem.right[place])):
            said = [np.array(labels)]
            move = problem.features(said, one, which) - right
            cost = problem.cost(said, which)[0]
            planes.append(factors(cost, move @ w))
        total += cp.max(cp.hstack(planes))
    aim = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(w) + model.C * total))
    aim.solve()
    return aim.value


@pytest.mark.parametrize("solver", ["bundle", "frank_wolfe"])
@pytest.mark.parametrize("rescaling", ["margin", "slack"])
def test_the_optimum_is_that_of_cvxpy(solver, rescaling):
    tol = 1e-2 if (solver, rescaling) == ("frank_wolfe", "slack") else 1e-6
    model = StructuredSVM(rescaling=rescaling, solver=solver, C=0.7, tol=tol)
    model.fit(WORDS, TAGS)
    ways = {"margin": lambda d, gap: gap + d, "slack": lambda d, gap: d * (1 + gap)}
    least = stranger(model, WORDS, TAGS, ways[rescaling])
    scale = 0.7 * len(WORDS)
    proof = model.certificate_
    assert proof.closed
    assert proof.dual * scale <= least * (1 + 1e-6)
    assert proof.primal * scale >= least * (1 - 1e-6)
    assert proof.gap <= tol * proof.scale


def test_every_structure_is_learnt_and_its_planes_are_rebuilt(case):
    model, X, y = case
    model.fit(X, y)
    assert model.score(X, y) > 0.7
    assert model.certificate_.closed
    again = model.certify(X, y)
    assert again.primal == pytest.approx(model.certificate_.primal, rel=1e-9)
    assert again.gap <= 1e-4 * again.scale
    assert len(model.predict(X)) == len(X)


def test_a_plane_that_is_not_of_the_data_proves_nothing():
    model = StructuredSVM(C=2.0, tol=1e-5).fit(WORDS, TAGS)
    true = model.certify(WORDS, TAGS)
    places, shares, said = model.planes_
    model.planes_ = places, shares * 0.0, said
    assert model.certify(WORDS, TAGS).dual <= true.dual
    model.planes_ = places, shares * 50.0, said
    with pytest.raises(DataError, match="labellings of its own samples"):
        model.certify(WORDS, TAGS)
    model.planes_ = places, shares, [each + 7 for each in said]
    with pytest.raises(DataError, match="labellings of its own samples"):
        model.certify(WORDS, TAGS)


def test_a_loss_is_at_least_the_cost_of_the_answer(case):
    model, X, y = case
    model.set_params(C=0.05).fit(X, y)
    problem = model._problem(X, y, list(model.classes_))
    risk = model._risk(X, y, list(model.classes_), None)
    costs = problem.cost(problem.best(model.coef_))
    assert risk.evaluate(np.append(model.coef_, 0.0)).empirical >= costs.mean() - 1e-9


def test_a_weight_is_a_repetition(case):
    model, X, y = case
    weights = np.array([2, 1, 0, 3, *[1] * (len(X) - 4)])
    rows = np.repeat(np.arange(len(X)), weights)
    one = clone(model).fit(X, y, sample_weight=weights)
    other = clone(model).fit([X[i] for i in rows], [y[i] for i in rows])
    np.testing.assert_allclose(
        one.certificate_.primal, other.certificate_.primal, rtol=1e-4
    )


def test_single_nodes_are_the_multiclass_machine_of_crammer_and_singer():
    X = RNG.standard_normal((30, 3))
    y = np.argmax(X + 0.3 * RNG.standard_normal((30, 3)), axis=1)
    rows, labels = [row[None] for row in X], [[int(k)] for k in y]
    model = StructuredSVM(C=0.5, tol=1e-6).fit(rows, labels)
    peer = LinearSVC(
        C=0.5, multi_class="crammer_singer", fit_intercept=False, tol=1e-8,
        max_iter=100_000,
    ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(model.coef_[:9].reshape(3, 3), peer.coef_, atol=2e-2)


def test_searches_files_and_interrupted_runs(tmp_path):
    search = GridSearchCV(StructuredSVM(tol=1e-2), {"C": [0.01, 1.0]}, cv=KFold(2))
    assert search.fit(WORDS, TAGS).best_score_ > 0.3
    for structure, X, y in CASES.values():
        model = StructuredSVM(structure, C=2.0, tol=1e-3).fit(X, y)
        infimum.save(model, tmp_path / "one.infimum")
        again = infimum.load(tmp_path / "one.infimum")
        assert again.predict(X) == model.predict(X)
        assert again.certify(X, y).closed
    with pytest.warns(UncertifiedWarning, match="raise max_iter"):
        StructuredSVM(max_iter=1, tol=1e-9, C=9.0).fit(WORDS, TAGS)


def test_a_relaxation_says_that_it_is_one():
    assert (
        "relaxation"
        in StructuredSVM("graph").fit(LOOPS, LOOP_TAGS).certify(LOOPS, LOOP_TAGS).reason
    )


def test_the_perceptron_learns_every_structure():
    for structure, X, y in CASES.values():
        model = StructuredPerceptron(structure, max_iter=30).fit(X, y)
        assert model.score(X, y) > 0.7
    plain = StructuredPerceptron(average=False, shuffle=False, max_iter=200)
    plain.fit(WORDS, TAGS)
    if plain.n_iter_ < 200:  # nothing was wrong any more
        assert plain.predict(WORDS) == TAGS


@pytest.mark.parametrize(
    ("structure", "X", "y", "words"),
    [
        ("chain", [np.ones((2, 1))], [["a"]], "2 tokens and 1 labels"),
        ("chain", [np.full((1, 1), np.nan)], [["a"]], "without NaN"),
        ("chain", [], [], "one sequence or more"),
        ("tree", [np.ones((2, 1))], [["a", "b"]], "pairs of a table and edges"),
        ("grid", [np.ones((2, 2))], [[0, 1]], "arrays"),
        ("assignment", [np.ones((2, 2, 1))], [[0, 0]], "column of its own"),
        ("multilabel", np.ones((2, 1)), [[2], [1]], "truths"),
        (Ontology(BRANCHES), np.ones((1, 1)), ["pet"], "no leaf 'pet'"),
    ],
)
def test_bad_samples_get_one_sentence(structure, X, y, words):
    with pytest.raises(DataError, match=words):
        StructuredSVM(structure).fit(X, y)


def test_bad_settings_get_one_sentence():
    with pytest.raises(InvalidParameterError, match="structure must be one of"):
        StructuredSVM("ring").fit(WORDS, TAGS)
    with pytest.raises(InvalidParameterError, match="must be 'margin'"):
        StructuredSVM("tree", rescaling="slack").fit(TREES, TAGS)
    with pytest.raises(NotFittedError):
        StructuredSVM().predict(WORDS)
    model = StructuredSVM().fit(WORDS, TAGS)
    with pytest.raises(DataError, match="does not know the label"):
        model.certify(WORDS, [["z"] * len(each) for each in WORDS])
    with pytest.raises(DataError, match="cycle"):
        Ontology([("a", "b"), ("b", "a")])
