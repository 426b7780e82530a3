"""Web pages as a few numbers: words of interest, length, pictures."""

import re
from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.errors import DataError
from infimum.typing import Matrix

__all__ = ["WebPageFeatures"]

_UNSEEN = frozenset({"script", "style", "template", "noscript", "title"})
#: Tags that may stand inside a word; every other tag ends one.
_INLINE = frozenset(
    {"a", "b", "em", "font", "i", "mark", "small", "span", "strong", "u"}
)


class WebPageFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Pages described by the counts of chosen words, of all words and of images.

    Only text that a reader sees is counted: no tags, scripts, style sheets or title.

    Parameters
    ----------
    words : sequence of str, default=("soccer", "team")
        Words to count, whole and regardless of case.

    Examples
    --------
    >>> page = "<p>Our <b>team</b> plays soccer.</p><img src='team.png'>"
    >>> WebPageFeatures().fit_transform([page])
    array([[1., 1., 4., 1.]])
    """

    def __init__(self, words: Sequence[str] = ("soccer", "team")) -> None:
        self.words = words

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Do nothing: the features are fixed in advance; return self."""
        return self

    def transform(self, X: Any) -> Matrix:
        """Return one row per page: the chosen words, all words, all images."""
        if isinstance(X, str):
            raise DataError(
                "WebPageFeatures expects a collection of pages, got one string: "
                "wrap it in a list."
            )
        rows = [self._row(page) for page in X]
        width = len(self.get_feature_names_out())
        return np.asarray(rows, dtype=np.float64).reshape(len(rows), width)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the chosen words, "n_words" and "n_images"."""
        return np.asarray([*self.words, "n_words", "n_images"], dtype=object)

    def _row(self, page: Any) -> list[float]:
        if not isinstance(page, str):
            raise DataError(
                f"WebPageFeatures expects pages as text (str), got "
                f"{type(page).__name__}."
            )
        reader = _Reader()
        reader.feed(page)
        reader.close()
        found = Counter(re.findall(r"[^\W_]+(?:'[^\W_]+)*", reader.text().lower()))
        chosen = [float(found[word.lower()]) for word in self.words]
        return [*chosen, float(found.total()), float(reader.images)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


class _Reader(HTMLParser):
    """Collects visible text and counts images."""

    def __init__(self) -> None:
        super().__init__()
        self.images = 0
        self._parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.images += tag == "img"
        self._hidden += tag in _UNSEEN
        self._part(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.images += tag == "img"
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN and self._hidden:
            self._hidden -= 1
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._parts.append(data)

    def _part(self, tag: str) -> None:
        if tag not in _INLINE:
            self._parts.append(" ")

    def text(self) -> str:
        return "".join(self._parts)
