"""Forgeries: saved models with one stored field changed, shown to `certify`.

The forged model is written and read again, so its file is in order. A forgery that
leaves a model optimal is harmless; the same judge decides.
"""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.adversary.verdict import Finding, judge, statement_again, statement_of

__all__ = ["ACCEPTED", "Attempt", "forge", "matching", "tamper", "through_a_file"]

#: What is wrong with a proof that accepts a model which is not optimal.
ACCEPTED = {"false proof", "inflated scale", "risk misstated", "infeasible"}


class Attempt(NamedTuple):
    """A forgery: which, and whether it was refused, left open, harmless or missed."""

    act: str
    outcome: str
    findings: tuple[Any, ...] = ()


def through_a_file(model):
    """Return the model as it is after being saved and loaded."""
    import infimum

    memory = Path("/dev/shm")  # a disk would be waited for, hundreds of times
    place = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        path = Path(folder) / "model.infimum"
        infimum.save(model, path)
        return infimum.load(path)


def tamper(case, model, said, rng, tolerance, limit=2):
    """Try some forgeries of a model; `said` are the statements it makes itself."""
    acts = [act for act in _ACTS if act is not _change_weights or _weighs(case)]
    chosen = rng.permutation(len(acts))[:limit]
    return [forge(case, model, said, acts[k], rng, tolerance) for k in chosen]


def forge(case, model, said, act, rng, tolerance):
    """Forge one field; return whether that was noticed."""
    from infimum.errors import InfimumError

    forged, table = through_a_file(model), case.data
    changed = act(forged, table, rng)
    name = act.__name__.strip("_").replace("_", " ")
    if changed is None:
        return Attempt(name, "not applicable")
    try:
        forged = through_a_file(forged)
        X, y, named = changed.given()
        proof = forged.certify(X, y, **named)
    except InfimumError:
        return Attempt(name, "refused")
    pairs = case.read(forged, changed)
    if changed is table and act is not _change_the_strength:
        old = zip(said, pairs, strict=True)
        statements = [statement_again(known, *pair) for known, pair in old]
    else:
        statements = [statement_of(*pair) for pair in pairs]
    if proof.closed:
        return _closed(statements, proof, name, tolerance)
    # Even an open proof may not claim a bound that is none.
    mine = matching(statements, proof)
    return Attempt(name, "left open", tuple(judge(mine, proof, where=f"forged {name}")))


def _closed(statements, proof, name, tolerance):
    mine = matching(statements, proof)
    findings = judge(mine, proof, tolerance=tolerance, where=f"forged {name}")
    for said in statements:
        excess = said.own.risk - said.best.risk - said.own.error - said.best.error
        if said is not mine and excess > 1.001 * tolerance * said.scale + said.grain:
            text = f"forged {name}: another part is {excess:.1e} from its optimum"
            findings.append(Finding("false proof", excess, text))
    missed = any(finding.kind in ACCEPTED for finding in findings)
    return Attempt(name, "missed" if missed else "harmless", tuple(findings))


def matching(statements, proof):
    """Return the statement that a proof of several is about: the one of its risk."""
    return min(statements, key=lambda said: abs(said.own.risk - proof.primal))


def _weighs(case):
    return case.data.weights is not None and case.data.copies is None


def _coefficients(model):
    for name in ("dual_coef_", "coef_"):
        found = model.__dict__.get(name)
        if isinstance(found, np.ndarray) and found.size:
            return name, found
    return None, None


def _move_a_coefficient(model, table, rng):
    name, coef = _coefficients(model)
    if name is None:
        return None
    moved = coef.copy()
    place = int(rng.integers(coef.size))
    step = rng.choice([0.01, 0.5, 5.0]) * (abs(coef).max() or 1.0)
    moved.flat[place] += step
    setattr(model, name, moved)
    return table


def _scale_coefficients(model, table, rng):
    name, coef = _coefficients(model)
    if name is None:
        return None
    setattr(model, name, coef * rng.choice([-1.0, 0.0, 1.1]))
    return table


def _move_the_intercept(model, table, rng):
    name = "offset_" if "offset_" in model.__dict__ else "intercept_"
    found = model.__dict__.get(name)
    if found is None or not getattr(model, "fit_intercept", True):
        return None
    size = max(float(np.abs(found).max()), float(np.std(np.asarray(table.y, float))))
    move = rng.choice([-1.0, 0.05]) * (size or 1.0)
    moved = np.asarray(found) + move
    setattr(model, name, float(moved) if np.ndim(found) == 0 else moved)
    return table


def _scale_slopes(model, table, rng):
    slopes = model.__dict__.get("dual_slopes_")
    if not isinstance(slopes, np.ndarray):
        return None
    model.dual_slopes_ = slopes * rng.choice([1.5, -1.0, 1 + 1e-6])
    return table


def _raise_the_tolerance(model, table, rng):
    _move_a_coefficient(model, table, rng)
    return _certificate(model, table, tolerance=1e6)


def _raise_the_scale(model, table, rng):
    _move_a_coefficient(model, table, rng)
    return _certificate(model, table, scale=1e12 * (1 + model.certificate_.scale))


def _raise_the_dual(model, table, rng):
    _move_a_coefficient(model, table, rng)
    return _certificate(model, table, dual=model.certificate_.primal)


def _certificate(model, table, **changes):
    model.certificate_ = replace(model.certificate_, **changes)
    if "certificates_" in model.__dict__:
        old = model.certificates_
        model.certificates_ = [replace(proof, **changes) for proof in old]
    return table


def _exchange_targets(model, table, rng):
    y = np.array(table.y)
    if len(y) < 2 or table.copies is not None:
        return None
    i, j = rng.choice(len(y), 2, replace=False)
    y[[i, j]] = y[[j, i]]
    return table._replace(y=y)


def _change_weights(model, table, rng):
    weights = np.array(table.weights)
    weights[int(rng.integers(len(weights)))] *= rng.choice([0.0, 3.0])
    return table._replace(weights=weights) if (weights > 0).sum() > 1 else None


def _change_the_strength(model, table, rng):
    for name in ("alpha", "C", "strength", "nu"):
        value = model.__dict__.get(name)
        if isinstance(value, float) and np.isfinite(value) and value > 0:
            factor = rng.choice([0.1, 0.9]) if name == "nu" else rng.choice([0.1, 10.0])
            setattr(model, name, value * float(factor))
            return table
    return None


_ACTS = (
    _move_a_coefficient, _scale_coefficients, _move_the_intercept, _scale_slopes,
    _raise_the_tolerance, _raise_the_scale, _raise_the_dual, _exchange_targets,
    _change_weights, _change_the_strength,
)  # fmt: skip
