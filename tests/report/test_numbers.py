"""Numbers as a reader likes them."""

import pytest

from infimum.report.numbers import count, duration, figure, percent, power


@pytest.mark.parametrize(
    "value, text",
    [
        (0.8247, "0.825"),
        (-12.345, "−12.3"),
        (123456, "123,456"),
        (0, "0"),
        (1.5e-9, "1.50 · 10⁻⁹"),
        (None, "–"),
        (float("nan"), "–"),
    ],
)
def test_figures_have_three_digits(value, text):
    assert figure(value).replace("\u00a0", " ") == text


def test_units_stay_with_their_numbers():
    assert percent(0.1134) == "11.3\u00a0%"
    assert percent(None) == "–"
    assert duration(0.0123) == "12\u00a0ms"
    assert duration(12.34) == "12.3\u00a0s"
    assert duration(125) == "2\u00a0min 5\u00a0s"


def test_powers_and_counts():
    assert power(-3.14e-7).replace("\u00a0", " ") == "−3.1 · 10⁻⁷"
    assert power(0.0) == "0"
    assert power(None) == "–"
    assert count(1234567) == "1,234,567"
