"""Small risks in exact arithmetic: values, dual values and optima as fractions."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np

__all__ = ["best", "dual", "fractions", "risk"]


def solved(rows, right):
    """Return the solution of a square system of fractions; None if it is singular."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size = len(table)
    for k in range(size):
        pivot = next((i for i in range(k, size) if table[i][k] != 0), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        for i in range(size):
            if i != k and table[i][k] != 0:
                factor = table[i][k] / table[k][k]
                table[i] = [
                    a - factor * b for a, b in zip(table[i], table[k], strict=True)
                ]
    return [table[k][size] / table[k][k] for k in range(size)]


def fractions(array):
    """Return an array of floats as lists of the fractions that they are."""
    array = np.asarray(array, dtype=np.float64)
    if array.ndim == 0:
        return Fraction(float(array))
    return [fractions(each) for each in array]


def loss_value(loss, y, f):
    """Return ℓ(y, f)."""
    r, name = f - y, loss["name"]
    if name == "squared":
        return r * r / 2
    if name == "hinge":
        return max(Fraction(0), 1 - y * f)
    level = Fraction(loss["level"]) if name == "quantile" else Fraction(1, 2)
    return max(-level * r, (1 - level) * r) * (1 if name == "quantile" else 2)


def price(penalty, w):
    """Return Ω(w), or None for infinity."""
    name, strength = penalty["name"], Fraction(penalty.get("strength", 0.0))
    if name == "box":
        low, high = Fraction(penalty["low"]), Fraction(penalty["high"])
        return Fraction(0) if all(low <= each <= high for each in w) else None
    mix = {"none": Fraction(1), "ridge": Fraction(0), "lasso": Fraction(1)}.get(name)
    mix = Fraction(penalty["l1_ratio"]) if mix is None else mix
    one, two = sum(abs(each) for each in w), sum(each * each for each in w)
    return strength * (mix * one + (1 - mix) * two / 2)


def risk(case, w, b):
    """Return P(w, b) exactly, or None for infinity."""
    paid = price(case["penalty"], w)
    if paid is None:
        return None
    total = sum(case["c"])
    scores = [
        sum(x * each for x, each in zip(row, w, strict=True)) + b + o
        for row, o in zip(case["X"], case["o"], strict=True)
    ]
    losses = [
        c * loss_value(case["loss"], y, f)
        for c, y, f in zip(case["c"], case["y"], scores, strict=True)
    ]
    return sum(losses) / total + paid


def dual(case, s):
    """Return the dual value of slopes for ridge without an intercept."""
    total, strength = sum(case["c"]), Fraction(case["penalty"]["strength"])
    value = Fraction(0)
    for c, y, o, each in zip(case["c"], case["y"], case["o"], s, strict=True):
        half = each * each / 2 if case["loss"]["name"] == "squared" else Fraction(0)
        value -= c * (half + y * each - each * o) / total
    for column in zip(*case["X"], strict=True):
        pulled = sum(
            c * x * each for c, x, each in zip(case["c"], column, s, strict=True)
        )
        value -= (pulled / total) ** 2 / (2 * strength)
    return value


def best(case, *, with_point=False):
    """Return the least risk: the best of all candidates for a minimiser."""
    squared = case["loss"]["name"] == "squared"
    found = []
    for point in _of_squares(case) if squared else _corners(case):
        value = risk(case, point[:-1], point[-1])
        if value is not None:
            found.append((value, point))
    least = min(found)
    return least if with_point else least[0]


def _of_squares(case):
    """Solve for the free coefficients in every pattern of signs, zeros and walls."""
    d, penalty, total = len(case["X"][0]), case["penalty"], sum(case["c"])
    mix = {
        "ridge": Fraction(0),
        "elastic_net": Fraction(penalty.get("l1_ratio", 0.0)),
    }.get(penalty["name"], Fraction(1))
    strength = Fraction(penalty.get("strength", 0.0))
    fixed = [Fraction(0)] if penalty["name"] in {"lasso", "elastic_net"} else []
    if penalty["name"] == "box":
        fixed = [Fraction(penalty["low"]), Fraction(penalty["high"])]
    signs = (1, -1) if fixed == [Fraction(0)] else (0,)
    states = [("free", sign) for sign in signs] + [("fixed", value) for value in fixed]
    rows = [
        [*row, Fraction(1)] if case["intercept"] else [*row, Fraction(0)]
        for row in case["X"]
    ]
    for pattern in product(states, repeat=d):
        system, right = [], []
        for j in range(d + 1):
            unit = [Fraction(int(k == j)) for k in range(d + 1)]
            if (j == d and not case["intercept"]) or (
                j < d and pattern[j][0] == "fixed"
            ):
                system.append(unit)
                right.append(Fraction(0) if j == d else pattern[j][1])
                continue
            line, aim = [Fraction(0)] * (d + 1), Fraction(0)
            for row, c, y, o in zip(rows, case["c"], case["y"], case["o"], strict=True):
                line = [
                    a + c * row[j] * x / total for a, x in zip(line, row, strict=True)
                ]
                aim += c * row[j] * (y - o) / total
            if j < d:
                line[j] += strength * (1 - mix)
                aim -= strength * mix * pattern[j][1]
            system.append(line)
            right.append(aim)
        if (found := solved(system, right)) is not None:
            yield found


def _corners(case):
    """Return where as many kinks meet as there are numbers to choose."""
    d, penalty = len(case["X"][0]), case["penalty"]
    one = Fraction(int(case["intercept"]))
    planes = [
        ([*row, one], y - o)
        for row, y, o in zip(case["X"], case["y"], case["o"], strict=True)
    ]
    walls = (
        [Fraction(penalty["low"]), Fraction(penalty["high"])]
        if penalty["name"] == "box"
        else [Fraction(0)]
    )
    planes += [
        ([Fraction(int(k == j)) for k in range(d + 1)], at)
        for j in range(d)
        for at in walls
    ]
    if not case["intercept"]:
        planes = [(row[:d], at) for row, at in planes]
    for chosen in combinations(planes, d + int(case["intercept"])):
        found = solved([row for row, _ in chosen], [at for _, at in chosen])
        if found is not None:
            yield found if case["intercept"] else [*found, Fraction(0)]
