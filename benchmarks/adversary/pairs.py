"""Every convex loss with every convex penalty, found by their exports."""

import re
from dataclasses import fields

import numpy as np

from benchmarks.adversary.data import draw_data
from benchmarks.adversary.families import Case, draw_strength
from benchmarks.adversary.losses import SCALAR, scalar_loss
from benchmarks.adversary.penalties import make_penalty
from benchmarks.adversary.reading import read_classes, read_jointly, read_real

__all__ = ["convex_parts", "draw_pair", "snake"]

KINDS = {"vector": "tasks", "class": "class"}
ONE_STRENGTH = 10.0


def snake(name):
    """Return the name of a part as users write it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def convex_parts():
    """Return the classes of the convex losses and penalties that are exported."""
    from infimum import losses, penalties

    def listed(room, *bases):
        found = [getattr(room, name) for name in room.__all__]
        kinds = [k for k in found if isinstance(k, type) and issubclass(k, bases)]
        return [k for k in kinds if k not in bases and k.convex]

    return (
        listed(losses, losses.Loss, losses.VectorLoss),
        listed(penalties, penalties.Penalty, penalties.SeparablePenalty),
    )


def draw_pair(rng):
    """Return a case of `RiskMinimizer`."""
    from infimum.models.linear import RiskMinimizer

    losses, penalties = convex_parts()
    loss = losses[rng.integers(len(losses))]()
    kind = _kind(loss)
    large = (80, 10) if hasattr(loss, "derivative_formula") else (30, 5)
    data = draw_data(rng, kind, largest=large)
    penalty = _drawn(rng, penalties[rng.integers(len(penalties))], data)
    model = RiskMinimizer(
        loss, penalty, fit_intercept=bool(rng.random() < 0.85),
        tol=float(rng.choice([1e-6, 1e-6, 1e-9])),
    )  # fmt: skip
    return Case(model, data, _reader(loss, kind))


def _kind(loss):
    name = snake(type(loss).__name__)
    if name == "heteroscedastic_gaussian" or loss.target == "real":
        return "real"
    return KINDS.get(loss.target, loss.target)


def _drawn(rng, kind, data):
    named = {field.name for field in fields(kind)}
    if "strength" not in named:
        return kind()
    few = rng.random() < 0.5
    strength = draw_strength(rng, data) if few else ONE_STRENGTH ** rng.uniform(-6, 1)
    return kind(strength=float(strength))


def _reader(loss, kind):
    name = snake(type(loss).__name__)
    given = {field.name: getattr(loss, field.name) for field in fields(loss)}
    if name not in SCALAR:
        return read_jointly(name, _priced)
    if kind == "sign":
        return read_classes(name, _priced)
    scalar_loss(name, **given)
    return read_real(name, _priced, **given)


def _priced(model, _total):
    part = model.penalty
    given = {field.name: getattr(part, field.name) for field in fields(part)}
    if isinstance(given.get("order"), float) and np.isinf(given["order"]):
        given["order"] = "inf"
    return make_penalty(snake(type(part).__name__), **given)
