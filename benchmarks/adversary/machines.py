"""The kernel families: machines with drawn parameters, and how to read them."""

from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.adversary.data import draw_data
from benchmarks.adversary.families import Case
from benchmarks.adversary.kernel_risk import KernelRisk, MachineRisk, ShareRisk, gram
from benchmarks.adversary.losses import scalar_loss
from benchmarks.adversary.precision import LD
from benchmarks.adversary.reading import TWO_CLASSES, total_of
from benchmarks.adversary.risk import Point
from benchmarks.adversary.vector_losses import vector_loss

__all__ = [
    "KERNEL",
    "LARGEST",
    "all_coef",
    "draw_kernel",
    "gram_of",
    "machine_case",
    "read_svc",
]

LARGEST = (80, 8)


def draw_kernel(rng):
    """Return the settings of a kernel; gamma is 1/(2 width²) of an exact width."""
    name = str(rng.choice(["rbf", "rbf", "linear", "poly"]))
    gamma = 2.0 ** (2 * int(rng.integers(-6, 2)) + 1)
    return {"kernel": name, "gamma": gamma, "coef0": 1.0, "degree": 2}


def machine_case(model, data, read):
    """Return a case whose reader sees copies as samples of their own."""
    return Case(model, data, lambda fitted, table: read(fitted, table.spelled_out()))


def gram_of(model, table):
    return gram(table.X, model.kernel, model.gamma, model.coef0, model.degree)


def _price(rng):
    return float(10.0 ** rng.uniform(-3, 5))


def _tol(rng):
    return float(rng.choice([1e-3, 1e-3, 1e-6]))


def all_coef(model, count):
    """Return the coefficient of every sample, one row for each machine's layout."""
    coef = model.dual_coef_
    coef = np.asarray(coef.toarray() if hasattr(coef, "toarray") else coef)
    full = np.zeros((len(coef), count), LD)
    full[:, model.support_] = coef
    return full


def _svc(rng):
    from infimum.models.kernel import SVC

    data = draw_data(rng, str(rng.choice(["sign", "sign", "class"])), largest=LARGEST)
    loss = str(rng.choice(["hinge", "hinge", "squared_hinge"]))
    model = SVC(C=_price(rng), tol=_tol(rng), loss=loss, **draw_kernel(rng))
    return machine_case(model, data, read_svc)


def read_svc(model, table):
    K, found = gram_of(model, table), []
    for rows, signs, c, b, _ in _pairs(model, table):
        weights = None if table.weights is None else np.asarray(table.weights)[rows]
        loss = scalar_loss(model.loss)
        risk = MachineRisk(K[np.ix_(rows, rows)], signs, weights, loss, model.C)
        found.append((risk, Point(c[risk.kept][:, None], np.array([b], LD))))
    return found


def _pairs(model, table):
    """Yield the machines of a classifier: rows, signs, coefficients, offset, number."""
    y, names = np.asarray(table.y), list(model.classes_)
    coef = all_coef(model, len(y))
    if len(names) == 2:
        signs = np.where(y == names[1], 1.0, -1.0)
        yield np.arange(len(y)), signs, coef[0], model.intercept_[0], 0
        return
    for number, (i, j) in enumerate(combinations(range(len(names)), 2)):
        first, second = y == names[i], y == names[j]
        rows = np.flatnonzero(first | second)
        c = np.where(first, coef[j - 1], coef[i])[rows]
        signs = np.where(first, 1.0, -1.0)[rows]
        yield rows, signs, c, model.intercept_[number], number


def _svr(rng):
    from infimum.models.kernel import SVR

    data = draw_data(rng, "real", largest=LARGEST)
    loss = str(
        rng.choice(["epsilon_insensitive"] * 2 + ["squared_epsilon_insensitive"])
    )
    epsilon = float(rng.choice([0.0, 0.1, 1.0]))
    settings = {"C": _price(rng), "tol": _tol(rng), **draw_kernel(rng)}
    model = SVR(epsilon=epsilon, loss=loss, **settings)
    return machine_case(model, data, _read_svr)


def _read_svr(model, table):
    loss = scalar_loss(model.loss, epsilon=model.epsilon)
    risk = MachineRisk(gram_of(model, table), table.y, table.weights, loss, model.C)
    c = all_coef(model, len(table.y))[0][risk.kept]
    return [(risk, Point(c[:, None], np.array([model.intercept_[0]], LD)))]


def _nu_svc(rng):
    from infimum.models.kernel import NuSVC

    data = draw_data(rng, "sign", largest=LARGEST)
    nu = float(rng.choice([0.05, 0.1, 0.5, 0.9]))
    return machine_case(
        NuSVC(nu=nu, tol=_tol(rng), **draw_kernel(rng)), data, _read_nu_svc
    )


def _read_nu_svc(model, table):
    K, found = gram_of(model, table), []
    for rows, signs, c, b, k in _pairs(model, table):
        weights = None if table.weights is None else np.asarray(table.weights)[rows]
        risk = ShareRisk("classes", K[np.ix_(rows, rows)], signs, weights, model.nu_[k])
        rho = 1 / LD(model.equivalent_C_[k])
        W = (rho * c[risk.kept])[:, None]
        found.append((risk, Point(W, rho * np.array([b], LD), rho)))
    return found


def _nu_svr(rng):
    from infimum.models.kernel import NuSVR

    data = draw_data(rng, "real", largest=LARGEST)
    nu = float(rng.choice([0.1, 0.5, 0.9]))
    model = NuSVR(nu=nu, C=_price(rng), tol=_tol(rng), **draw_kernel(rng))
    return machine_case(model, data, _read_nu_svr)


def _read_nu_svr(model, table):
    K = gram_of(model, table)
    risk = ShareRisk("tube", K, table.y, table.weights, model.nu, model.C)
    c = all_coef(model, len(table.y))[0][risk.kept]
    level = LD(model.epsilon_)
    return [(risk, Point(c[:, None], np.array([model.intercept_[0]], LD), level))]


def _one_class(rng):
    from infimum.models.novelty import OneClassSVM

    data = draw_data(rng, "real", largest=LARGEST)
    nu = float(rng.choice([0.05, 0.1, 0.5, 0.9]))
    model = OneClassSVM(nu=nu, tol=_tol(rng), **draw_kernel(rng))
    return machine_case(model, data, _read_one_class)


def _read_one_class(model, table):
    K, y = gram_of(model, table), np.ones(len(table.y))
    risk = ShareRisk("novelty", K, y, table.weights, model.nu)
    c = all_coef(model, len(y))[0][risk.kept]
    return [(risk, Point(c[:, None], np.zeros(1, LD), LD(model.offset_[0])))]


def _kernel_ridge(rng):
    from infimum.models.kernel import KernelRidge

    data = draw_data(rng, "real", largest=LARGEST)
    alpha = float(10.0 ** rng.uniform(-8, 3))
    return machine_case(
        KernelRidge(alpha, **draw_kernel(rng)), data, _read_kernel_ridge
    )


def _read_kernel_ridge(model, table):
    strength = LD(model.alpha) / LD(total_of(table))
    risk = KernelRisk(gram_of(model, table), table.y, table.weights,
                      scalar_loss("squared"), strength, intercept=False)  # fmt: skip
    c = np.asarray(model.dual_coef_).astype(LD)[risk.kept]
    return [(risk, Point(c[:, None], np.zeros(1, LD)))]


def _kernel_losses(rng):
    from infimum.models.kernel import (
        KernelLogisticRegression,
        KernelQuantileRegressor,
        KernelRegressor,
        MulticlassSVC,
    )

    way, C = int(rng.integers(4)), _price(rng)
    settings = {"C": C, **draw_kernel(rng)}
    kind = ["real", "real", str(rng.choice(["sign", "class"])), "class"][way]
    data = draw_data(rng, kind, largest=(50, 8))
    model: Any
    if way == 0:
        loss = str(rng.choice(["huber", "absolute", "squared"]))
        model = KernelRegressor(loss, **settings)
        given = {"delta": 1.0} if loss == "huber" else {}
        return machine_case(model, data, _read_kernel_loss(loss, given))
    if way == 1:
        model = KernelQuantileRegressor(0.3, **settings)
        return machine_case(model, data, _read_kernel_loss("quantile", {"level": 0.3}))
    if way == 2:
        model = KernelLogisticRegression(**settings)
        loss = "logistic" if kind == "sign" else "softmax"
        return machine_case(model, data, _read_kernel_loss(loss, {}))
    loss = str(rng.choice(["crammer_singer", "additive"]))
    name = "multiclass_hinge" if loss == "crammer_singer" else (
        "additive_multiclass_hinge")  # fmt: skip
    return machine_case(
        MulticlassSVC(loss, **settings), data, _read_kernel_loss(name, {})
    )


def _read_kernel_loss(name, given):
    def read(model, table):
        y, C = np.asarray(table.y), np.atleast_2d(model.dual_coef_).astype(LD)
        one = scalar_loss(TWO_CLASSES.get(name, name), **given) if len(C) == 1 else None
        loss = one or vector_loss(name, len(C))
        if hasattr(model, "classes_"):
            y = np.searchsorted(model.classes_, y).astype(float)
            y = 2 * y - 1 if len(C) == 1 else y
        strength = 1 / (LD(model.C) * LD(total_of(table)))
        risk = KernelRisk(gram_of(model, table), y, table.weights, loss, strength)
        b = np.atleast_1d(np.asarray(model.intercept_)).astype(LD)
        return [(risk, Point(C.T[risk.kept], b))]

    return read


#: Family -> how often it is drawn, and how.
KERNEL = {
    "SVC": (6, _svc), "SVR": (5, _svr), "NuSVC": (4, _nu_svc), "NuSVR": (4, _nu_svr),
    "one-class SVM": (3, _one_class), "kernel ridge": (3, _kernel_ridge),
    "kernel losses": (4, _kernel_losses),
}  # fmt: skip
