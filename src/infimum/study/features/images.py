"""Images as vectors of grey, RGB or CMYK values."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix

__all__ = ["ImageVectors"]

_CHANNELS = {"grey": 1, "rgb": 3, "cmyk": 4}
_COLOUR = 3
#: How bright red, green and blue look to the eye (ITU-R BT.601).
_LUMA = np.array([0.299, 0.587, 0.114])


class ImageVectors(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Images described by the brightness or the colours of their pixels in a row.

    Parameters
    ----------
    mode : {"grey", "rgb", "cmyk"}, default="grey"
        One, three or four numbers per pixel, all in [0, 1].

    Attributes
    ----------
    image_shape_ : tuple of int
        Height and width.

    Examples
    --------
    >>> red = [[[1.0, 0.0, 0.0]]]
    >>> ImageVectors("cmyk").fit_transform([red])
    array([[0., 1., 1., 0.]])
    """

    def __init__(self, mode: str = "grey") -> None:
        self.mode = mode

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note height and width; return self."""
        check_domain("ImageVectors.mode", self.mode, Choice(tuple(_CHANNELS)))
        self.image_shape_ = _accept(X).shape[1:3]
        return self

    def transform(self, X: Any) -> Matrix:
        """Return one row per image, pixel by pixel, row by row."""
        check_fitted(self)
        images = _accept(X)
        if images.shape[1:3] != self.image_shape_:
            raise DataError(
                f"ImageVectors was fitted on images of shape {self.image_shape_}, "
                f"got {images.shape[1:3]}: resize them first."
            )
        pixels = _CONVERT[self.mode](images)
        return np.asarray(pixels.reshape(len(images), -1))

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """Return grey images (mode "grey") or RGB images (otherwise) from vectors."""
        check_fitted(self)
        vectors = np.asarray(X)
        pixels = vectors.reshape(len(vectors), *self.image_shape_, -1)
        if self.mode == "grey":
            return pixels[..., 0]
        return pixels if self.mode == "rgb" else _rgb_from_cmyk(pixels)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return row, column and channel of every number."""
        check_fitted(self)
        height, width = self.image_shape_
        letters = "K" if self.mode == "grey" else self.mode.upper()
        names = [
            f"{letter}[{i},{j}]"
            for i in range(height)
            for j in range(width)
            for letter in letters
        ]
        return np.asarray(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _accept(X: Any) -> NDArray[Any]:
    images = np.asarray(X)
    is_colour = images.ndim == 1 + _COLOUR and images.shape[-1] == _COLOUR
    if not (is_colour or images.ndim == _COLOUR):
        raise DataError(
            "ImageVectors expects images of one size, as an array (n, height, width) "
            f"or (n, height, width, 3), got shape {images.shape}."
        )
    if np.issubdtype(images.dtype, np.integer):
        images = images / np.iinfo(np.uint8).max
    elif not np.issubdtype(images.dtype, np.floating):
        raise DataError(f"ImageVectors expects numbers, got {images.dtype}.")
    if images.size and not (images.min() >= 0 and images.max() <= 1):
        raise DataError(
            "ImageVectors expects whole numbers in [0, 255] or reals in [0, 1], got "
            f"values from {images.min():g} to {images.max():g}."
        )
    return images


def _grey(images: NDArray[Any]) -> NDArray[Any]:
    is_grey = images.ndim == _COLOUR
    return images if is_grey else images @ _LUMA.astype(images.dtype)


def _rgb(images: NDArray[Any]) -> NDArray[Any]:
    is_colour = images.ndim > _COLOUR
    return images if is_colour else np.repeat(images[..., None], _COLOUR, axis=-1)


def _cmyk(images: NDArray[Any]) -> NDArray[Any]:
    colours = _rgb(images)
    brightest = colours.max(axis=-1, keepdims=True)
    # Black has no hue: leave its three inks at zero.
    inks = 1 - colours / np.where(brightest > 0, brightest, 1)
    inks = np.where(brightest > 0, inks, 0).astype(colours.dtype)
    return np.concatenate([inks, 1 - brightest], axis=-1)


def _rgb_from_cmyk(pixels: NDArray[Any]) -> NDArray[Any]:
    return np.asarray((1 - pixels[..., :3]) * (1 - pixels[..., 3:]))


_CONVERT = {"grey": _grey, "rgb": _rgb, "cmyk": _cmyk}
