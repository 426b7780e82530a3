"""Every value that may stand in a model returns as it was, type and bits."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import FunctionTransformer

import infimum
from infimum.certificates import Certificate
from infimum.errors import ModelFileError
from infimum.losses import Huber, Softmax
from infimum.penalties import ElasticNet, GroupLasso
from infimum.persistence.decoding import Decoder
from infimum.persistence.encoding import Encoder
from infimum.persistence.json_text import from_json, to_json
from infimum.persistence.npy import from_npy, to_npy


def there_and_back(value):
    encoder = Encoder()
    text = to_json({"node": encoder.encode(value, "it")})
    members = {name: to_npy(array) for name, array in encoder.arrays.items()}
    decoder = Decoder(lambda name: from_npy(members[name], name))
    return decoder.decode(from_json(text, "test")["node"])


def same(one, other):
    """Compare by type and content; NaN equals NaN, -0.0 does not equal 0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()))
    if isinstance(one, float | np.floating):
        return repr(one) == repr(other)
    return one == other


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**200), 2**200)
    | st.floats()
    | st.text(st.characters(codec=None))
    | st.binary()
    | st.floats(width=32).map(np.float32)
    | st.integers(0, 255).map(np.uint8),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.tuples(st.text()), inner)
    ),
    max_leaves=12,
)


@given(plain)
def test_plain_values_return_with_their_types(value):
    assert same(there_and_back(value), value)


@pytest.mark.parametrize(
    "value",
    [
        slice(1, None, -2),
        complex(-0.0, math.inf),
        np.float64(-0.0),
        np.float16(0.1),
        np.bool_(True),
        np.str_(""),
        np.bytes_(b"ab"),
        np.complex64(1 + 2j),
        np.datetime64("1990-05-17", "D"),
        np.timedelta64(90, "s"),
        np.dtype(object),
        np.dtype(">f4"),
        np.dtype("M8[ns]"),
        np.dtype(str),
        np.float32,
        object,
        Huber(1.35),
        Softmax(4),
        ElasticNet(0.5, 0.1),
        GroupLasso(2.0),
        Certificate(primal=1.5, dual=1.0, scale=2.0, reason="budget spent"),
    ],
    ids=repr,
)
def test_scalars_types_and_parts_return(value):
    back = there_and_back(value)
    assert type(back) is type(value)
    assert repr(back) == repr(value)
    assert back == value


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
        np.arange(12)[::2],
        np.array(3.5),
        np.empty((0, 4)),
        np.array([True, False]),
        np.array(["a", "été", ""]),
        np.array([b"x", b"yz"]),
        np.array([1, 2], dtype=">i2"),
        np.array(["2001-01-01", "NaT"], dtype="M8[s]"),
        np.array([1 + 1j, np.nan]),
        np.array(["a", None, np.nan, 3, np.float64(2.5)], dtype=object),
        np.array([["a", 1], ["b", 2]], dtype=object),
    ],
    ids=lambda a: f"{a.dtype}{a.shape}",
)
def test_arrays_return_with_type_shape_order_and_bits(array):
    back = there_and_back(array)
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert back.flags.f_contiguous == (array.flags.f_contiguous or array.ndim == 1)
    assert back.flags.writeable
    if array.dtype == object:
        assert all(map(same, back.ravel(), array.ravel()))
    else:
        assert back.tobytes() == array.tobytes()


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_return_and_are_spelt_in_one_order(kind):
    words = [1, "a", (2.5, None), "b", -0.0]
    one, other = kind(words), kind(reversed(words))
    assert there_and_back(one) == one
    assert type(there_and_back(one)) is kind
    assert Encoder().encode(one, "it") == Encoder().encode(other, "it")


def test_arrays_of_arrays_return():
    edges = np.empty(2, dtype=object)
    edges[:] = [np.array([0.0, 1.0]), np.array([2.0, 3.0, 4.0])]
    back = there_and_back(edges)
    assert back.shape == (2,)
    assert [part.tolist() for part in back] == [[0.0, 1.0], [2.0, 3.0, 4.0]]


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_sparse_matrices_return(form, kind):
    make = getattr(sp, f"{form}_{kind}")
    matrix = make(np.array([[0.0, 1.5, 0.0], [2.0, 0.0, -1.0]]))
    back = there_and_back(matrix)
    assert type(back) is type(matrix)
    assert back.shape == matrix.shape
    assert back.dtype == matrix.dtype
    assert back.toarray().tobytes() == matrix.toarray().tobytes()


def test_an_object_or_array_met_twice_returns_as_one():
    weights, part = np.ones(3), Huber(2.0)
    first, again, one, two = there_and_back([weights, weights, part, part])
    assert first is again
    assert one is two


def test_a_loop_is_refused_in_one_sentence():
    loop = [1]
    loop.append({"self": loop})
    with pytest.raises(ModelFileError, match=r"^it\[1\]\['self'\] leads back to"):
        there_and_back(loop)


def test_too_deep_a_nest_is_refused_when_written():
    nest = []
    for _ in range(200):
        nest = [nest]
    with pytest.raises(ModelFileError, match="nested more than 100 deep"):
        there_and_back(nest)


def some_function():
    return 1


@pytest.mark.parametrize(
    "value, words",
    [
        (some_function, r"holds a function \(some_function\).*could run it\.$"),
        (lambda: 1, r"holds a function \(<lambda>\)"),
        (np.log1p, r"holds a numpy.ufunc \(log1p\)"),
        (len, r"holds a builtin_function_or_method \(len\)"),
        (np.random.RandomState(0), "RandomState.*a whole number as the seed"),
        (np.random.default_rng(0), "Generator.*a whole number as the seed"),
        (np.longdouble(1), "longdouble.*not a plain one"),
        (np.zeros(2, "f8,i4"), "its data type .* is not a plain one"),
        (np.ma.masked_array([1.0]), "numpy.ma.MaskedArray"),
        (sp.lil_matrix((2, 2)), r"convert it with \.tocsr\(\)"),
        (ModelFileError, "holds the class infimum.errors.ModelFileError"),
        (1 << 10_000, "integer too long"),
        (object(), "not on the list of infimum.persistence"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_data_is_refused_in_one_sentence(value, words):
    with pytest.raises(ModelFileError, match=words) as refusal:
        there_and_back({"deep": [value]})
    assert str(refusal.value).startswith("it['deep'][0] holds")
    assert "\n" not in str(refusal.value)


def test_a_subclass_of_an_admitted_class_is_not_admitted():
    class FunctionTransformer2(FunctionTransformer):
        pass

    FunctionTransformer2.__name__ = "FunctionTransformer"
    with pytest.raises(ModelFileError, match="not on the list"):
        there_and_back(FunctionTransformer2())


def test_extra_values_are_plain_and_return(scaler, tmp_path):
    path = tmp_path / "m.infimum"
    extra = {"names": ["a", "b"], "when": (1990, None), "score": math.inf, "deep": {}}
    infimum.save(scaler, path, extra=extra)
    assert infimum.persistence.read_extra(path) == extra
    with pytest.raises(ModelFileError, match=r"extra\['w'\] holds a numpy.ndarray"):
        infimum.save(scaler, path, extra={"w": np.ones(2)})
    with pytest.raises(ModelFileError, match="keys are all text"):
        infimum.save(scaler, path, extra={1: 2})
