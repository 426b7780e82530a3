"""The pictures of docs/theory.md, drawn from the library as SVG.

python -m benchmarks.theory_pictures
"""

from itertools import product
from pathlib import Path

import numpy as np

from infimum.fairness import trade_off
from infimum.theory import (
    Discs,
    FiniteBound,
    HalfSpaces,
    Hoeffding,
    Intervals,
    MarginHalfSpaces,
    ShatteringBound,
    VCBound,
)
from infimum.theory.pictures import COLORS

__all__ = ["bounds", "draw", "fairness", "growth", "shattering"]

PLACE = Path(__file__).parent.parent / "docs" / "images"
WIDE, HIGH, LEFT, LOW, TOP = 560, 320, 60, 45, 20


def shattering():
    """Draw all eight labellings of three points, a line for each."""
    points = np.array([[0.2, 0.25], [0.8, 0.3], [0.45, 0.8]])
    side, gap, parts = 120, 14, []
    for place, labels in enumerate(product([-1, 1], repeat=3)):
        x0, y0 = gap + (place % 4) * (side + gap), gap + (place // 4) * (side + gap)
        found = MarginHalfSpaces(2.0, 0.01).realize(points, labels)  # in the middle
        parts.append(f'<g transform="translate({x0} {y0})">')
        parts.append(f'<rect width="{side}" height="{side}" class="frame"/>')
        line = _across(found, side)
        if line:
            parts.append(
                '<line x1="{}" y1="{}" x2="{}" y2="{}" class="cut"/>'.format(*line)
            )
        for (x, y), label in zip(points, labels, strict=True):
            color = COLORS[0] if label > 0 else COLORS[1]
            sign = "+" if label > 0 else "−"
            cx, cy = side * x, side * (1 - y)
            parts.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="9" fill="{color}"/>')
            parts.append(
                f'<text x="{cx:.1f}" y="{cy + 5:.1f}" class="sign">{sign}</text>'
            )
        parts.append("</g>")
    return _page(4 * (side + gap) + gap, 2 * (side + gap) + gap, parts)


def growth():
    """Draw labellings of n points: powers of 2, or polynomials from some n on."""
    n = np.arange(1, 41)
    lines = {"all labellings, 2ⁿ": [2.0**k for k in n[:20]]}
    for name, each in (("discs", Discs()), ("half-planes", HalfSpaces(2))):
        lines[name] = [float(each.growth(int(k))) for k in n]
    lines["intervals"] = [float(Intervals().growth(int(k))) for k in n]
    return _chart(n, lines, ("points", "labellings"), (False, True), legend="low")


def bounds():
    """Draw how far a measured error can be from the true one, by n and bound."""
    n = np.unique(np.geomspace(100, 1e6, 60).astype(int))
    made = {
        "VC bound, d = 3": VCBound(3).width,
        "shattering bound of discs": ShatteringBound.of(Discs()).width,
        "50 functions": FiniteBound.of(50).width,
        "one function, unseen rows": Hoeffding().radius,
    }
    lines = {name: [each(int(k), 0.05) for k in n] for name, each in made.items()}
    return _chart(n, lines, ("rows", "width at 95 %"), logs=(True, True))


def fairness():
    """Draw what equal selection rates cost, by the difference allowed."""
    rng = np.random.default_rng(0)
    group = np.where(rng.random(6000) < 0.5, "a", "b")
    truth = rng.random(6000) < np.where(group == "a", 0.6, 0.3)
    scores = truth + rng.standard_normal(6000) + 0.4 * (group == "a")
    curve = trade_off(scores, truth.astype(int), group, "independence", points=21)
    order = np.argsort(curve.disparities)
    told = {"most accurate thresholds": curve.accuracies[order].tolist()}
    labels = ("difference of selection rates", "accuracy")
    return _chart(curve.disparities[order], told, labels, (False, False), legend="low")


def draw(place=PLACE):
    """Write the four pictures."""
    for name in ("shattering", "growth", "bounds", "fairness"):
        text = globals()[name]()
        (Path(place) / f"theory_{name}.svg").write_text(text, encoding="utf-8")


def _across(found, side):
    """Return the ends of the separating line in the unit square, if it crosses it."""
    a, b = found.weights / found.scale
    c = found.offset - (found.weights / found.scale) @ found.origin
    ends = [(x, -(a * x + c) / b) for x in (0.0, 1.0) if b]
    ends += [(-(b * y + c) / a, y) for y in (0.0, 1.0) if a]
    inside = sorted({(x, y) for x, y in ends if min(x, y) >= -1e-9 and max(x, y) <= 1})
    if len(inside) < 2:
        return None
    (x1, y1), (x2, y2) = inside[0], inside[-1]
    return [round(side * each, 1) for each in (x1, 1 - y1, x2, 1 - y2)]


def _chart(x, lines, names, logs, legend="high"):
    across = _scale(np.asarray(x, float), LEFT, WIDE - 20, log=logs[0])
    every = np.concatenate([np.asarray(each, float) for each in lines.values()])
    up = _scale(every, HIGH - LOW, TOP, log=logs[1])
    parts = [f'<path d="M{LEFT} {TOP}V{HIGH - LOW}H{WIDE - 20}" class="axis"/>']
    for value, text in _ticks(np.asarray(x, float), log=logs[0]):
        parts.append(_text(across(value), HIGH - LOW + 16, "tick", text))
    for value, text in _ticks(every, log=logs[1]):
        parts.append(_text(LEFT - 6, up(value) + 4, "left", text))
    parts.append(_text((LEFT + WIDE) / 2, HIGH - 8, "tick", names[0]))
    parts.append(_text(4, TOP - 8, "start", names[1]))
    for place, (name, values) in enumerate(lines.items()):
        spots = " ".join(
            f"{across(a):.1f},{up(b):.1f}" for a, b in zip(x, values, strict=False)
        )
        color = COLORS[place]
        parts.append(f'<polyline points="{spots}" class="line" stroke="{color}"/>')
        where = (
            (WIDE - 26, HIGH - LOW - 14 - 17 * place)
            if legend == "low"
            else (
                WIDE - 26,
                TOP + 16 + 17 * place,
            )
        )
        parts.append(_text(*where, "name", name, color))
    return _page(WIDE, HIGH, parts)


def _text(x, y, kind, text, color="#444"):
    style = f'class="{kind}" style="fill:{color}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{text}</text>'


def _scale(values, start, end, *, log):
    move = np.log10 if log else np.asarray
    low, high = float(move(values.min())), float(move(values.max()))

    def place(value):
        return start + (float(move(value)) - low) / ((high - low) or 1.0) * (
            end - start
        )

    return place


def _ticks(values, *, log):
    low, high = values.min(), values.max()
    if log:
        powers = np.arange(np.ceil(np.log10(low)), np.floor(np.log10(high)) + 1)
        return [(10.0**p, f"{10.0**p:g}") for p in powers[:: max(1, len(powers) // 6)]]
    rough = 10.0 ** np.floor(np.log10((high - low) / 4))
    step = next(rough * k for k in (10, 5, 2, 1) if (high - low) / (rough * k) >= 4)
    nice = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    return [(each, f"{each:.6g}") for each in nice]


def _page(width, height, parts):
    style = (
        "text{font:12px sans-serif}.tick{text-anchor:middle}"
        ".left{text-anchor:end}.name{text-anchor:end;font-weight:600}.line{fill:none;stroke-width:2.5}"
        ".axis,.frame{fill:none;stroke:#999}.cut{stroke:#444;stroke-width:1.5}"
        ".sign{fill:#fff;text-anchor:middle;font-weight:700}"
    )
    size = f'viewBox="0 0 {width} {height}" width="{width}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    white = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, f"<style>{style}</style>", white, *parts, "</svg>", ""])


if __name__ == "__main__":
    draw()
