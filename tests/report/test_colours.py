"""Colours and marks that every eye tells apart, in both themes."""

import re
from importlib.resources import files

import numpy as np
import pytest

from infimum.report.figures.frame import series_color, series_dash, series_symbol
from tests.report.contrast import ratio

THEMES = ["light", "dark"]
SERIES = [f"series{k}" for k in range(1, 9)]
#: How the cones of people with full colour blindness of a kind mix linear light
#: (Machado, Oliveira and Fernandes, 2009).
SIGHT = {
    "usual": np.eye(3),
    "no red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
#: Linear light to the cube roots of cones, and those to Oklab (Ottosson, 2020).
CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]
#: Two colours nearer than this are hard to tell apart in thin lines.
APART = 0.08


def colours(theme):
    """Return the colours of a theme as the style sheet names them."""
    text = (files("infimum.report") / "theme" / "style.css").read_text("utf-8")
    light, dark = re.findall(r":root[^{]*\{(.*?)\}", text, flags=re.S)[:2]
    chosen = light if theme == "light" else dark
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", chosen))


def seen(hexes, sight):
    """Return colours as places in Oklab, for somebody with that sight."""
    parts = np.array([[int(h[k : k + 2], 16) for k in (1, 3, 5)] for h in hexes]) / 255
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    cones = np.clip(light @ np.transpose(SIGHT[sight]), 0, 1) @ np.transpose(CONES)
    return np.cbrt(cones) @ np.transpose(LAB)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_series_are_told_apart_by_every_eye(theme, sight):
    places = seen([colours(theme)[name] for name in SERIES], sight)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    assert apart[np.triu_indices(len(SERIES), 1)].min() > APART


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_good_and_bad_are_told_apart_by_every_eye(theme, sight):
    accent, warm, muted = seen(
        [colours(theme)[name] for name in ("accent", "warm", "muted")], sight
    )
    assert np.linalg.norm(accent - warm) > APART
    assert np.linalg.norm(accent - muted) > APART / 2


@pytest.mark.parametrize("theme", THEMES)
def test_texts_and_marks_stand_out_from_paper_and_cards(theme):
    known = colours(theme)
    for encoded in (known["paper"], known["card"]):
        for text in ("ink", "muted", "accent", "warm"):
            assert ratio(known[text], [encoded]) >= 4.5, text
        for mark in SERIES:
            assert ratio(known[mark], [encoded]) >= 3, mark


def test_no_two_of_twenty_four_lines_look_alike():
    looks = [(series_color(place), series_dash(place)) for place in range(24)]
    assert len(set(looks)) == len(looks)
    assert all(series_dash(place) != series_dash(place + 1) for place in range(24))
    assert len({series_symbol(place) for place in range(6)}) == 6
