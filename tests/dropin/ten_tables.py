"""Ten small tables of real measurements, and what a model is worth on each of them."""

from functools import cache

import numpy as np
from sklearn import datasets
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import adjusted_rand_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale

from infimum.data import bundled

__all__ = ["LABELLED", "MEASURED", "score", "table"]


def _standardised(data):
    return scale(data.data), data.target


def _digits(count):
    X, y = datasets.load_digits(n_class=count, return_X_y=True)
    return X / 16.0, y


def _one_of(data, column, width=None):
    """Return one column as the target of the others."""
    X = data.data[:, :width]
    return scale(np.delete(X, column, axis=1)), scale(X[:, column])


def _mortgages():
    found = bundled()
    names = [c.name for c in found.columns if str(c.kind) == "numeric"]
    frame = found.frame.drop_nulls(names)
    denied = frame["denied"].cast(str).to_numpy()
    return frame.select(names).to_numpy().astype(float), (denied == max(denied)) * 1


ROWS = 120
#: Without a reason to differ both libraries see the numbers as they were measured;
#: columns of very different units are standardised.
LABELLED = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: _standardised(datasets.load_wine()),
    "cancer": lambda: _standardised(datasets.load_breast_cancer()),
    "digits": lambda: _digits(5),
    "mortgages": _mortgages,
}
MEASURED = {
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "alcohol": lambda: _one_of(datasets.load_wine(), 0),
    "petals": lambda: _one_of(datasets.load_iris(), 3),
    "fractals": lambda: _one_of(datasets.load_breast_cancer(), 9, width=10),
    "values of digits": lambda: _digits(10),
}


@cache
def table(name):
    """Return 120 rows of a table, drawn once and for all."""
    X, y = (LABELLED | MEASURED)[name]()
    labels = y if name in LABELLED else None
    rest = len(y) - ROWS
    if rest > 0:
        X, _, y, _ = train_test_split(
            X, y, test_size=rest, stratify=labels, random_state=0
        )
    return X, (y if name in LABELLED else y.astype(float))


def score(model, X, y, seed):
    """Return what a model is worth on rows it has not seen; between -1 and 1.

    The seed says which rows these are.
    """
    labels = None if is_regressor(model) else y
    parts = train_test_split(X, y, test_size=0.4, stratify=labels, random_state=seed)
    X_train, X_test, y_train, y_test = parts
    if is_classifier(model) or is_regressor(model):
        return max(-1.0, model.fit(X_train, y_train).score(X_test, y_test))
    if hasattr(model, "score_samples") and not hasattr(model, "fit_transform"):
        return _told_from_scrambled(model.fit(X_train), X_test, seed)
    if hasattr(model, "fit_transform") and not hasattr(model, "fit_predict"):
        return _neighbours_agree(model.fit_transform(X, y), y, seed)
    model.fit(X_train)
    found = getattr(model, "labels_", getattr(model, "row_labels_", None))
    return adjusted_rand_score(y_train, found)


def _told_from_scrambled(model, X, seed):
    """Return the chance that a row is more usual than one of mixed-up columns."""
    draw = np.random.default_rng(seed)
    mixed = np.column_stack([draw.permutation(column) for column in X.T])
    usual = model.score_samples(np.vstack([X, mixed]))
    return roc_auc_score(np.repeat([1, 0], len(X)), usual)


def _neighbours_agree(Z, y, seed):
    """Return how well the neighbours in a map tell the class of a row."""
    parts = train_test_split(Z, y, test_size=0.4, stratify=y, random_state=seed)
    return KNeighborsClassifier().fit(parts[0], parts[2]).score(parts[1], parts[3])
