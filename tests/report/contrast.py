"""How well a colour stands out from those behind it, by the formula of WCAG 2."""

import re

__all__ = ["ratio"]


def ratio(colour, under):
    """Return the contrast of a colour with layers behind it, the nearest first."""
    behind = (255.0, 255.0, 255.0)
    for layer in reversed(under):
        behind = _over(_parsed(layer), behind)
    light, dark = sorted(
        (_luminance(_over(_parsed(colour), behind)), _luminance(behind)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def _parsed(text):
    if text.startswith("#"):
        return (*(int(text[k : k + 2], 16) for k in (1, 3, 5)), 1.0)
    numbers = [float(each) for each in re.findall(r"[\d.]+", text)]
    return (*numbers[:3], numbers[3] if len(numbers) > 3 else 1.0)


def _over(colour, behind):
    *parts, alpha = colour
    return tuple(
        alpha * a + (1 - alpha) * b for a, b in zip(parts, behind, strict=True)
    )


def _luminance(colour):
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
