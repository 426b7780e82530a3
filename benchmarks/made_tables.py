"""Tables that are made: a large one, one of free text, one of many levels."""

from datetime import datetime, timedelta
from typing import Any

import numpy as np

__all__ = ["MADE", "large", "many_levels", "texts"]

#: Words of reviews, from bad to good.
_WORDS = [
    "awful",
    "broken",
    "refund",
    "never",
    "worst",
    "poor",
    "slow",
    "late",
    "noisy",
    "cheap",
    "small",
    "plain",
    "usual",
    "fine",
    "works",
    "solid",
    "good",
    "quick",
    "happy",
    "bright",
    "great",
    "love",
    "perfect",
    "best",
    "lovely",
    "sturdy",
]


def large(rows: int = 75_000, columns: int = 30, seed: int = 0) -> Any:
    """Return numbers, a date, a short text, categories of few and of many levels.

    `y` is yes or no; its log-odds hold products and steps that a plane cannot follow.
    """
    import pandas as pd

    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(rows, columns - 6))
    days = rng.integers(0, 1_500, rows)
    shops = rng.zipf(1.3, rows) % 2_000
    shop_effect = rng.normal(size=2_000)
    colour = rng.integers(0, 5, rows)
    region = rng.integers(0, 12, rows)
    mood = rng.normal(size=rows)
    odds = (
        0.8 * numbers[:, 0]
        + 0.7 * numbers[:, 1] * numbers[:, 2]
        + 0.9 * (numbers[:, 3] > 0.5) * (colour == 2)
        + 0.4 * np.sin(2 * np.pi * days / 365)
        + 0.6 * shop_effect[shops]
        + 0.5 * mood
        - 0.3 * np.abs(numbers[:, 4])
    )
    y = np.where(rng.random(rows) < 1 / (1 + np.exp(-odds)), "yes", "no")
    frame = pd.DataFrame(
        numbers.round(5), columns=[f"x{j}" for j in range(columns - 6)]
    )
    start = datetime(2020, 1, 1)
    frame["day"] = [(start + timedelta(days=int(d))).strftime("%Y-%m-%d") for d in days]
    frame["shop"] = [f"shop {k}" for k in shops]
    frame["colour"] = np.array(["red", "green", "blue", "grey", "white"])[colour]
    frame["region"] = [f"region {k}" for k in region]
    frame["note"] = _said(rng, mood, 12)
    frame.loc[rng.random(rows) < 0.05, "x5"] = np.nan
    frame["y"] = y
    return frame


def texts(rows: int = 6_000, seed: int = 0) -> Any:
    """Return reviews with a price; good or bad hangs on words and on pairs."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    mood = rng.normal(size=rows)
    said = _said(rng, mood, 40)
    turned = rng.random(rows) < 0.3
    said = [
        f"not {text}" if no else text for text, no in zip(said, turned, strict=True)
    ]
    price = rng.gamma(2.0, 20.0, rows).round(2)
    odds = 1.5 * np.where(turned, -0.3, 1.0) * mood - 0.01 * (price - 40)
    y = np.where(rng.random(rows) < 1 / (1 + np.exp(-odds)), "good", "bad")
    return pd.DataFrame({"text": said, "price": price, "y": y})


def many_levels(rows: int = 12_000, seed: int = 0) -> Any:
    """Return a price that hangs on 1,500 sellers and 300 models, and on numbers."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    seller, model = rng.integers(0, 1_500, rows), rng.zipf(1.4, rows) % 300
    age, miles = rng.gamma(2.0, 3.0, rows), rng.gamma(3.0, 20.0, rows)
    worth = rng.normal(9.5, 0.5, 300)[model] + rng.normal(0, 0.2, 1_500)[seller]
    price = np.exp(worth - 0.08 * age - 0.004 * miles + rng.normal(0, 0.15, rows))
    return pd.DataFrame(
        {
            "seller": [f"s{k}" for k in seller],
            "model": [f"m{k}" for k in model],
            "age": age.round(1),
            "miles": miles.round(1),
            "price": price.round(0),
        }
    )


def _said(rng: Any, mood: Any, length: int) -> list[str]:
    """Return texts whose words are the better, the better the mood."""
    place = 0.5 + 0.12 * mood[:, None] + 0.28 * rng.normal(size=(len(mood), length))
    codes = (np.clip(place, 0, 0.999) * len(_WORDS)).astype(int)
    return [" ".join(_WORDS[k] for k in row) for row in codes]


#: By name: the maker, and what to predict.
MADE = {
    "large": (large, "y"),
    "texts": (texts, "y"),
    "many_levels": (many_levels, "price"),
}
