"""More families, drawn for one seed in ten: balls, paths, kernels of any loss."""

import numpy as np

from benchmarks.adversary.data import draw_data
from benchmarks.adversary.families import Case, draw_strength
from benchmarks.adversary.kernel_risk import KernelRisk, gram
from benchmarks.adversary.losses import scalar_loss
from benchmarks.adversary.machines import (
    LARGEST,
    all_coef,
    draw_kernel,
    gram_of,
    machine_case,
    read_svc,
)
from benchmarks.adversary.penalties import make_penalty
from benchmarks.adversary.precision import EPS, LD, scores_of
from benchmarks.adversary.reading import read_classes, read_real
from benchmarks.adversary.reference import solve_conic
from benchmarks.adversary.risk import Point, Value

__all__ = ["MORE"]


class BallRisk(KernelRisk):
    """½ (R² + Σ a max(0, ‖Φ(x) - c‖² - R²)) with Σ a = 1/ν; `more` is R²."""

    def __init__(self, K, weights, nu):
        y = np.zeros(len(K))
        super().__init__(K, y, weights, scalar_loss("squared"), 1.0, intercept=False)
        self.a, self.own = self.q / LD(nu), np.diag(self.X)

    def value(self, point):
        high, low = scores_of(self.X, point.W, np.zeros(1, LD))
        f = (high + low)[:, 0]
        square, error = self.price(point)
        apart = self.own - 2 * f + 2 * square
        losses = (self.a * np.maximum(apart - LD(point.more), 0)).sum()
        total = (LD(point.more) + losses) / 2
        size = abs(self.own).max() + 2 * abs(f).max() + 2 * square + abs(total)
        blur = (error + size * EPS * 99) * float(1 + self.a.sum())
        return Value(float(total), float(blur) + 2e-16 * abs(float(total)))

    def grain(self, point):
        return 1e-15 * abs(self.value(point).risk)

    def scale_from(self, best):
        centre = np.zeros((len(self.own), 1), LD)
        risks = [self.value(Point(centre, np.zeros(1, LD), t)) for t in self.own]
        return min(value.risk for value in risks) - best

    def search(self, points):
        import cvxpy as cp

        for cut in (1e-13, 1e-9):
            features, back = self._features(cut)
            u, radius = cp.Variable(features.shape[1]), cp.Variable(nonneg=True)
            own, unit = self.own.astype(float), float(abs(self.own).max()) or 1.0
            apart = own - 2 * features @ u + cp.sum_squares(u) - radius
            objective = (radius + self.a.astype(float) @ cp.pos(apart)) / 2
            if solve_conic(objective, [], unit) and u.value is not None:
                W = (back @ u.value.astype(LD))[:, None]
                yield "Clarabel", Point(W, np.zeros(1, LD), LD(radius.value))


def _ball(rng):
    from infimum.models.novelty import SupportVectorDataDescription

    data = draw_data(rng, "real", largest=LARGEST)
    nu = float(rng.choice([0.1, 0.5, 0.9]))
    model = SupportVectorDataDescription(nu=nu, tol=1e-4, **draw_kernel(rng))
    return machine_case(model, data, _read_ball)


def _read_ball(model, table):
    risk = BallRisk(gram_of(model, table), table.weights, model.nu)
    c = all_coef(model, len(table.y))[0][risk.kept]
    return [(risk, Point(c[:, None], np.zeros(1, LD), LD(model.radius_) ** 2))]


def _machine_path(rng):
    from infimum.models.kernel import SVC

    data = draw_data(rng, "sign", largest=LARGEST)
    case = machine_case(SVC(tol=1e-4, **draw_kernel(rng)), data, read_svc)
    return case._replace(path=np.sort(10.0 ** rng.uniform(-2, 4, 3)))


def _kernel_pairs(rng):
    from infimum.kernels import Gaussian
    from infimum.models.linear import RiskMinimizer

    loss = str(rng.choice(["logistic", "hinge", "squared_hinge", "huber", "absolute"]))
    kind = "real" if loss in {"huber", "absolute"} else "sign"
    data = draw_data(rng, kind, largest=(50, 8))
    model = RiskMinimizer(
        loss, "ridge", strength=float(10.0 ** rng.uniform(-7, 1)),
        kernel=Gaussian(2.0 ** int(rng.integers(-1, 5))),
    )  # fmt: skip
    return machine_case(model, data, _read_kernel_pair)


def _read_kernel_pair(model, table):
    y, given = np.asarray(table.y), {"delta": 1.0} if model.loss == "huber" else {}
    if hasattr(model, "classes_"):
        y = np.where(y == model.classes_[1], 1.0, -1.0)
    K = gram(table.X, "rbf", 0.5 / model.kernel.width**2)
    loss = scalar_loss(model.loss, **given)
    risk = KernelRisk(K, y, table.weights, loss, model.strength)
    c = np.ravel(model.dual_coef_).astype(LD)[risk.kept]
    b = np.atleast_1d(np.asarray(model.intercept_)).astype(LD)
    return [(risk, Point(c[:, None], b))]


def _corners(rng):
    from infimum.models.linear import LassoLars

    data = draw_data(rng, "real", largest=(120, 12)).spelled_out()
    X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    data = data._replace(X=X, weights=None)  # its `fit` takes dense tables, no weights
    model = LassoLars(alpha=draw_strength(rng, data))
    return Case(model, data, read_real("squared", _lasso))


def _lasso(model, _total):
    return make_penalty("lasso", strength=model.alpha)


def _logistic_folds(rng):
    from infimum.models.linear import LogisticRegressionCV

    data = draw_data(rng, "sign", largest=(120, 10))
    model = LogisticRegressionCV(
        Cs=4, cv=3, l1_ratios=(0.0,), scoring="neg_log_loss",
        use_legacy_attributes=False,
    )  # fmt: skip
    return Case(model, data, read_classes("logistic", _chosen))


def _chosen(model, total):
    C = float(np.ravel(model.C_)[0])
    return make_penalty("ridge", strength=1 / (C * total))


#: Family -> how often it is drawn, and how.
MORE = {
    "data description": (3, _ball), "SVC paths": (2, _machine_path),
    "kernels of any loss": (3, _kernel_pairs), "LassoLars": (2, _corners),
    "logistic by folds": (2, _logistic_folds),
}  # fmt: skip
