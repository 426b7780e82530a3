"""The linear families: estimators with drawn parameters, and how to read them."""

from typing import Any, NamedTuple

import numpy as np

from benchmarks.adversary.data import draw_data
from benchmarks.adversary.penalties import make_penalty
from benchmarks.adversary.reading import (
    no_penalty,
    read_classes,
    read_jointly,
    read_real,
)

__all__ = ["LINEAR", "Case", "draw_strength"]


class Case(NamedTuple):
    """An estimator, the table for it, and the reader of what it states."""

    estimator: Any
    data: Any
    read: Any
    #: Values of a path to fit, or None for one fit.
    path: Any = None


def draw_strength(rng, data):
    """Return a strength: a share of what would hold all coefficients at 0, or any."""
    if rng.random() < 0.3:
        return float(10.0 ** rng.uniform(-8, 2))
    X = np.asarray(data.X.toarray() if hasattr(data.X, "toarray") else data.X, float)
    y = np.asarray(data.y, float).reshape(len(X), -1)
    with np.errstate(all="ignore"):
        pulls = (X - X.mean(axis=0)).T @ (y - y.mean(axis=0))
        most = float(abs(pulls).max(initial=0)) / len(X)
    most = most if np.isfinite(most) and most > 0 else 1.0
    return max(most * float(10.0 ** rng.uniform(-6, 0.3)), 1e-300)


def _tol(rng, usual):
    return usual if rng.random() < 0.7 else float(rng.choice([1e-8, 1e-12]))


def _alpha(name, **more):
    """Return the pricing of estimators whose `alpha` is the strength itself."""

    def priced(model, _total):
        extra = {key: getattr(model, key) for key in more}
        return _maybe(name, _chosen(model), **extra)

    return priced


def _chosen(model):
    return float(getattr(model, "alpha_", getattr(model, "alpha", 0.0)))


def _maybe(name, strength, **extra):
    if strength > 0:
        return make_penalty(name, strength=strength, **extra)
    name = "non_negative" if extra.get("positive") else "no_penalty"
    return make_penalty(name)


def _sparse(rng):
    from infimum.models.linear import ElasticNet, Lasso

    data = draw_data(rng, "real")
    settings = {
        "alpha": draw_strength(rng, data),
        "fit_intercept": bool(rng.random() < 0.85),
        "positive": bool(rng.random() < 0.15),
        "tol": _tol(rng, 1e-4),
    }
    if rng.random() < 0.5:
        return Case(Lasso(**settings), data, read_real("squared", _enet))
    ratio = float(rng.choice([0.1, 0.5, 0.9]))
    model = ElasticNet(l1_ratio=ratio, **settings)
    return Case(model, data, read_real("squared", _enet))


def _enet(model, _total):
    ratio = getattr(model, "l1_ratio_", getattr(model, "l1_ratio", 1.0))
    return _maybe(
        "elastic_net", _chosen(model), l1_ratio=float(ratio),
        positive=bool(getattr(model, "positive", False)),
    )  # fmt: skip


def _ridge(rng):
    from infimum.models.linear import Ridge, RidgeClassifier

    kind = "real" if rng.random() < 0.7 else str(rng.choice(["sign", "class"]))
    data = draw_data(rng, kind)
    settings = {
        "alpha": draw_strength(rng, data) * len(data.y),
        "fit_intercept": bool(rng.random() < 0.85),
        "tol": _tol(rng, 1e-4),
    }
    if kind == "real":
        return Case(Ridge(**settings), data, read_real("squared", _shared))
    return Case(RidgeClassifier(**settings), data, read_classes("squared", _shared))


def _shared(model, total):
    return _maybe("ridge", _chosen(model) / total)


def _least_squares(rng):
    from infimum.models.linear import LinearRegression

    data = draw_data(rng, "real")
    method = str(rng.choice(["auto", "auto", "svd", "qr"]))
    if hasattr(data.X, "toarray"):
        method = "auto"
    model = LinearRegression(fit_intercept=bool(rng.random() < 0.85), method=method)
    return Case(model, data, read_real("squared", no_penalty))


def _logistic(rng):
    from infimum.models.linear import LogisticRegression

    data = draw_data(rng, "sign")
    return Case(LogisticRegression(**_logistic_settings(rng)), data,
                read_classes("logistic", _inverse))  # fmt: skip


def _multinomial(rng):
    from infimum.models.linear import LogisticRegression

    data = draw_data(rng, "class", largest=(200, 15), classes=int(rng.choice([3, 4])))
    return Case(LogisticRegression(**_logistic_settings(rng)), data,
                read_jointly("softmax", _inverse))  # fmt: skip


def _logistic_settings(rng):
    ratio = float(rng.choice([0.0, 0.0, 1.0, 0.5]))
    C = np.inf if rng.random() < 0.3 else float(10.0 ** rng.uniform(-4, 8))
    return {"C": C, "l1_ratio": ratio, "fit_intercept": bool(rng.random() < 0.85),
            "tol": float(rng.choice([1e-4, 1e-4, 1e-6]))}  # fmt: skip


def _inverse(model, total):
    if np.isinf(model.C):
        return make_penalty("no_penalty")
    ratio = float(getattr(model, "l1_ratio", 0.0) or 0.0)
    if getattr(model, "penalty", None) == "l1":
        ratio = 1.0
    strength = 1.0 / (model.C * total)
    return make_penalty("elastic_net", strength=strength, l1_ratio=ratio)


def _probit(rng):
    from infimum.models.linear import ProbitRegression

    data = draw_data(rng, "sign")
    C = np.inf if rng.random() < 0.3 else float(10.0 ** rng.uniform(-4, 6))
    return Case(ProbitRegression(C=C), data, read_classes("probit", _inverse))


def _linear_svm(rng):
    from infimum.models.linear import LinearSVC, LinearSVR

    C, whole = float(10.0 ** rng.uniform(-4, 6)), bool(rng.random() < 0.85)
    tol = _tol(rng, 1e-4)
    if rng.random() < 0.5:
        data = draw_data(rng, str(rng.choice(["sign", "sign", "class"])))
        loss = str(rng.choice(["hinge", "squared_hinge"]))
        penalty = str(rng.choice(["l2", "l2", "l1"]))
        model = LinearSVC(penalty, loss, C=C, tol=tol, fit_intercept=whole)
        return Case(model, data, read_classes(loss, _inverse))
    data = draw_data(rng, "real")
    loss = str(rng.choice(["epsilon_insensitive", "squared_epsilon_insensitive"]))
    epsilon = float(rng.choice([0.0, 0.1, 10.0]))
    model = LinearSVR(epsilon=epsilon, C=C, loss=loss, tol=tol, fit_intercept=whole)
    return Case(model, data, read_real(loss, _inverse, epsilon=epsilon))


def _quantile(rng):
    from infimum.models.linear import QuantileRegressor

    data = draw_data(rng, "real")
    level = float(rng.choice([0.5, 0.1, 0.99]))
    alpha = 0.0 if rng.random() < 0.3 else float(10.0 ** rng.uniform(-6, 1))
    model = QuantileRegressor(quantile=level, alpha=alpha)
    return Case(model, data, read_real("quantile", _alpha("lasso"), level=level))


def _counts(rng):
    from infimum.models.linear import (
        GammaRegressor,
        PoissonRegressor,
        TweedieRegressor,
    )

    way = str(rng.choice(["poisson", "gamma", "tweedie"]))
    data = draw_data(rng, {"gamma": "positive"}.get(way, "count"))
    alpha = 0.0 if rng.random() < 0.3 else float(10.0 ** rng.uniform(-8, 1))
    settings = {"alpha": alpha, "tol": float(rng.choice([1e-4, 1e-6]))}
    if way == "poisson":
        model: Any = PoissonRegressor(**settings)
    elif way == "gamma":
        model = GammaRegressor(**settings)
    else:
        model = TweedieRegressor(power=1.5, **settings)
    more = {"power": 1.5} if way == "tweedie" else {}
    return Case(model, data, read_real(way, _alpha("ridge"), **more))


def _tasks(rng):
    from infimum.models.linear import MultiTaskElasticNet, MultiTaskLasso

    data = draw_data(rng, "tasks")
    settings = {"alpha": draw_strength(rng, data), "tol": _tol(rng, 1e-4)}
    if rng.random() < 0.5:
        model: Any = MultiTaskLasso(**settings)
    else:
        model = MultiTaskElasticNet(l1_ratio=0.5, **settings)
    return Case(model, data, read_jointly("multivariate_squared", _rows))


def _rows(model, _total):
    ratio = getattr(model, "l1_ratio_", getattr(model, "l1_ratio", 1.0))
    return _maybe("row_elastic_net", _chosen(model), l1_ratio=float(ratio))


def _groups(rng):
    from infimum.models.linear import GroupLassoClassifier, GroupLassoRegressor

    kind = str(rng.choice(["real", "sign", "class"]))
    data = draw_data(rng, kind, largest=(120, 12))
    names = np.arange(data.X.shape[1]) // 2
    settings = {"alpha": draw_strength(rng, data), "groups": names.tolist(),
                "l1_ratio": float(rng.choice([0.0, 0.5]))}  # fmt: skip
    if kind == "real":
        model: Any = GroupLassoRegressor(**settings)
        return Case(model, data, read_real("squared", _grouped))
    model = GroupLassoClassifier(**settings)
    if kind == "sign":
        return Case(model, data, read_classes("logistic", _grouped))
    return Case(model, data, read_jointly("softmax", _grouped))


def _grouped(model, _total):
    names = np.asarray(model.groups)
    members = tuple(tuple(np.flatnonzero(names == g)) for g in np.unique(names))
    return make_penalty(
        "sparse_group_lasso", strength=model.alpha, groups=members,
        l1_ratio=float(model.l1_ratio),
    )  # fmt: skip


def _chosen_by_folds(rng):
    from infimum.models.linear import ElasticNetCV, LassoCV, MultiTaskLassoCV, RidgeCV

    kind = "tasks" if rng.random() < 0.2 else "real"
    data = draw_data(rng, kind, largest=(80, 12))
    if kind == "tasks":
        model: Any = MultiTaskLassoCV(alphas=8, cv=3)
        return Case(model, data, read_jointly("multivariate_squared", _rows))
    way = int(rng.integers(3))
    if way == 2:
        alphas = [draw_strength(rng, data) for _ in range(4)]
        return Case(RidgeCV(alphas=alphas), data, read_real("squared", _shared))
    settings = {"alphas": 8, "cv": 3, "tol": _tol(rng, 1e-4)}
    model = LassoCV(**settings) if way else ElasticNetCV(l1_ratio=0.5, **settings)
    return Case(model, data, read_real("squared", _enet))


def _paths(rng):
    from infimum.models.linear import Lasso, LogisticRegression, Ridge

    way = int(rng.integers(3))
    data = draw_data(rng, "sign" if way == 2 else "real", largest=(120, 15))
    if way == 2:
        values = np.sort(10.0 ** rng.uniform(-4, 6, 4))
        return Case(LogisticRegression(), data,
                    read_classes("logistic", _inverse), values)  # fmt: skip
    values = np.sort([draw_strength(rng, data) for _ in range(4)])[::-1]
    if way:
        return Case(Ridge(), data, read_real("squared", _shared), values)
    return Case(Lasso(), data, read_real("squared", _enet), values)


#: Family -> how often it is drawn, and how.
LINEAR = {
    "lasso, elastic net": (10, _sparse), "ridge": (7, _ridge),
    "least squares": (8, _least_squares), "logistic": (9, _logistic),
    "multinomial": (5, _multinomial), "probit": (3, _probit),
    "linear SVM": (8, _linear_svm), "quantile": (6, _quantile),
    "Poisson, gamma, Tweedie": (7, _counts), "multi-task": (4, _tasks),
    "group lasso": (4, _groups), "chosen by folds": (4, _chosen_by_folds),
    "paths": (4, _paths),
}  # fmt: skip
