"""Many classes from two: all against all, and one against the rest."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import multiclass as theirs
from sklearn.datasets import load_digits, load_iris

from infimum.errors import DataError
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.multiclass import OneVsOneClassifier, OneVsRestClassifier
from infimum.models.probabilistic import GaussianNB
from infimum.models.trees import DecisionStump

BASES = [LogisticRegression(), GaussianNB(), DecisionStump()]
NAMES = [type(base).__name__ for base in BASES]


@pytest.mark.syllabus("S3-129")
@pytest.mark.parametrize("base", BASES, ids=NAMES)
def test_all_against_all_sums_the_contests_won_and_lost(base):
    X, y = load_iris(return_X_y=True)
    model = OneVsOneClassifier(base).fit(X, y)
    k = 3
    assert len(model.estimators_) == k * (k - 1) // 2
    # h_ij says +1 for i and -1 for j; h_ji = -h_ij stands for the other side.
    h = {}
    contests = iter(model.estimators_)
    for i in range(k):
        for j in range(i + 1, k):
            h[i, j] = np.where(next(contests).predict(X) == 0, 1.0, -1.0)
    totals = np.column_stack(
        [
            sum(h[i, j] if i < j else -h[j, i] for j in range(k) if j != i)
            for i in range(k)
        ]
    )
    scores = model.decision_function(X)
    np.testing.assert_array_less(np.abs(scores - totals), 1.0)
    clear = np.sort(totals, axis=1)[:, -1] > np.sort(totals, axis=1)[:, -2]
    assert clear.mean() > 0.9
    assert (model.predict(X) == totals.argmax(axis=1))[clear].all()


@pytest.mark.syllabus("S3-129")
def test_losses_against_lower_classes_count_too():
    X, y = load_digits(return_X_y=True)
    ours = OneVsOneClassifier(GaussianNB()).fit(X[::4], y[::4])
    assert len(ours.estimators_) == 45
    reference = theirs.OneVsOneClassifier(GaussianNB()).fit(X[::4], y[::4])
    assert np.mean(ours.predict(X) == reference.predict(X)) > 0.98
    full = ours.decision_function(X)
    pairs = [(i, j) for i in range(10) for j in range(i + 1, 10)]
    half = np.zeros_like(full)  # the sum over j > i only, which is not the same
    for (i, _), member in zip(pairs, ours.estimators_, strict=True):
        half[:, i] += np.where(member.predict(X) == 0, 1.0, -1.0)
    right, wrong = (np.mean(s.argmax(axis=1) == y) for s in (full, half))
    assert right > wrong + 0.1


@pytest.mark.parametrize("base", [*BASES, Ridge()], ids=[*NAMES, "Ridge"])
def test_one_against_the_rest_takes_the_largest_score(base):
    X, y = load_iris(return_X_y=True)
    names = np.array(list("abc"))[y]
    model = OneVsRestClassifier(base).fit(X, names)
    assert len(model.estimators_) == 3
    scores = model.decision_function(X)
    assert (model.predict(X) == model.classes_[scores.argmax(axis=1)]).all()
    reference = theirs.OneVsRestClassifier(base).fit(X, names)
    assert (model.predict(X) == reference.predict(X)).mean() > 0.95
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(
            model.predict_proba(X), reference.predict_proba(X), atol=1e-9
        )


def test_a_table_of_labels_is_decided_column_by_column():
    X, y = load_iris(return_X_y=True)
    table = np.column_stack([y == 0, y > 0, X[:, 0] > 5.8]).astype(int)
    model = OneVsRestClassifier(LogisticRegression()).fit(X, table)
    assert model.multilabel_
    columns = [LogisticRegression().fit(X, column).predict(X) for column in table.T]
    assert (model.predict(X) == np.column_stack(columns)).all()
    with pytest.warns(UserWarning, match="present in all training examples"):
        constant = OneVsRestClassifier(LogisticRegression()).fit(
            X, np.column_stack([y == 0, np.ones(len(y))])
        )
    assert (constant.predict(X)[:, 1] == 1).all()


@pytest.mark.parametrize("kind", [OneVsOneClassifier, OneVsRestClassifier])
def test_the_pool_and_sparse_tables_change_nothing(kind):
    X, y = load_iris(return_X_y=True)
    alone = kind(LogisticRegression()).fit(X, y).decision_function(X)
    held = sparse.csr_array(X)
    shared = kind(LogisticRegression(), n_jobs=-1).fit(held, y)
    np.testing.assert_allclose(shared.decision_function(held), alone, atol=1e-3)
    again = kind(LogisticRegression(), n_jobs=2).fit(X, y)
    assert (again.decision_function(X) == alone).all()


def test_one_class_cannot_be_opposed():
    with pytest.raises(DataError, match="only one class"):
        OneVsOneClassifier(GaussianNB()).fit([[0.0], [1.0]], [1, 1])
    model = OneVsRestClassifier(GaussianNB()).fit([[0.0], [1.0]], ["a", "a"])
    assert model.predict([[3.0]]).tolist() == ["a"]
    assert model.predict_proba([[3.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize("kind", [OneVsOneClassifier, OneVsRestClassifier])
@pytest.mark.parametrize("classes", [2, 3])
def test_labels_that_are_objects_come_back_as_objects(kind, classes):
    X = np.arange(4.0 * classes).reshape(-1, 2)
    y = np.repeat(["a", "long", "other"][:classes], 2).astype(object)
    model = kind(GaussianNB()).fit(X, y)
    assert model.classes_.dtype == model.predict(X).dtype == object
    np.testing.assert_array_equal(model.predict(X), y)
