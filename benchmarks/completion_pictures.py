"""The pictures of docs/completion_and_sensing.md, drawn from the library as SVG.

python -m benchmarks.completion_pictures
"""

import base64
import struct
import zlib
from pathlib import Path

import numpy as np

from infimum.study.completion import recovery_experiment
from infimum.study.sensing import ball_image, recovery_rate, single_pixel_camera
from infimum.theory.pictures import COLORS

__all__ = ["camera", "draw", "transition"]

PLACE = Path(__file__).parent.parent / "docs" / "images"
WIDE, HIGH, LEFT, LOW, TOP = 600, 300, 60, 45, 20
STYLE = (
    "<style>text{font:13px sans-serif;fill:#222}.frame{fill:none;stroke:#999}"
    ".grid{stroke:#ddd}</style>"
)


def transition():
    """Draw how often sparse signals and matrices of low rank are found again."""
    k = np.arange(6, 42, 4)
    share = np.linspace(0.2, 0.9, 6)
    sparse = {
        f"{s} of 100 numbers not 0": (k / 100.0, recovery_rate(100, s, k, repeats=20))
        for s in (3, 8)
    }
    low = {
        f"20 × 20, rank {r}": (
            1.0 - share,
            recovery_experiment(20, r, share, repeats=4),
        )
        for r in (1, 5)
    }
    labels = "share of numbers measured or seen", "share of trials found again"
    return _lines({**sparse, **low}, labels)


def camera():
    """Draw a ball, and what one pixel behind 1,600 masks tells of it, in two ways."""
    image = ball_image(64)
    shot = single_pixel_camera(image, 1600)
    told = [
        ("the ball: 4,096 pixels", image),
        (f"least ℓ₁ norm: {shot.sparse_quality:.1f} dB", shot.sparse),
        (f"least energy: {shot.energy_quality:.1f} dB", shot.least_energy),
    ]
    side, gap, parts = 180, 16, []
    for place, (title, pixels) in enumerate(told):
        x = gap + place * (side + gap)
        data = base64.b64encode(_png(pixels)).decode()
        parts.append(
            f'<image x="{x}" y="28" width="{side}" height="{side}" '
            f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
        )
        parts.append(f'<text x="{x}" y="18">{title}</text>')
    return _page(3 * (side + gap) + gap, side + 28 + gap, parts)


def draw():
    """Write the pictures."""
    for name, made in (("camera", camera), ("recovery", transition)):
        (PLACE / f"completion_{name}.svg").write_text(made(), encoding="utf-8")


def _lines(lines, labels):
    across, up = WIDE - LEFT - 230, HIGH - LOW - TOP
    parts = [
        f'<rect x="{LEFT}" y="{TOP}" width="{across}" height="{up}" class="frame"/>'
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = LEFT + across * tick, TOP + up * (1.0 - tick)
        parts.append(
            f'<line x1="{LEFT}" x2="{LEFT + across}" y1="{y}" y2="{y}" class="grid"/>'
        )
        parts.append(f'<text x="{LEFT - 34}" y="{y + 4}">{tick:g}</text>')
        parts.append(f'<text x="{x - 8}" y="{HIGH - LOW + 18}">{tick:g}</text>')
    for place, (name, (shares, rates)) in enumerate(lines.items()):
        color = COLORS[place % len(COLORS)]
        points = " ".join(
            f"{LEFT + across * x:.1f},{TOP + up * (1.0 - y):.1f}"
            for x, y in zip(shares, rates, strict=True)
        )
        dash = "" if place < 2 else ' stroke-dasharray="6 4"'
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" '
            f'stroke-width="2"{dash}/>'
        )
        y = TOP + 16 + 22 * place
        x = LEFT + across + 12
        parts.append(
            f'<line x1="{x}" x2="{x + 22}" y1="{y - 4}" y2="{y - 4}" stroke="{color}" '
            f'stroke-width="3"{dash}/><text x="{x + 28}" y="{y}">{name}</text>'
        )
    parts.append(f'<text x="{LEFT}" y="{HIGH - 8}">{labels[0]}</text>')
    parts.append(f'<text x="{LEFT}" y="14">{labels[1]}</text>')
    return _page(WIDE, HIGH, parts)


def _page(wide, high, parts):
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}">'
    )
    ground = f'<rect width="{wide}" height="{high}" fill="#fff"/>'
    return "\n".join([head, STYLE, ground, *parts, "</svg>\n"])


def _png(pixels):
    """Return grey pixels from 0 to 1 as a PNG file."""
    grey = np.round(255.0 * np.clip(pixels, 0.0, 1.0)).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in grey)

    def chunk(kind, data):
        code = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + code

    head = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(rows, 9))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")


if __name__ == "__main__":
    draw()
