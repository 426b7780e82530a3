"""What cannot be streamed is refused in one sentence that says where and why."""

import gzip
import time

import numpy as np
import pytest

import infimum
from infimum.errors import DataError, InfimumError

GOOD = "a,b,y\n" + "".join(f"{k},{k % 7},{k % 2}\n" for k in range(50))


def fit(path, model=None, **how):
    how = {"target": "y"} | how
    return (model or infimum.LogisticRegression()).fit(infimum.scan(path, **how))


@pytest.mark.parametrize(
    ("files", "how", "told"),
    [
        ({}, {}, "holds no CSV"),
        ({"a.csv": ""}, {}, "is empty"),
        ({"a.csv": "a,y\n"}, {}, "no rows"),
        ({"a.csv": GOOD}, {"target": "z"}, "no column of"),
        ({"a.csv": GOOD}, {"target": "Y"}, "did you mean 'y'"),
        ({"a.csv": GOOD}, {"target": None}, "needs a target"),
        ({"a.csv": GOOD}, {"weights": "w"}, "no column of"),
        ({"a.csv": GOOD}, {"weights": "y"}, "target and weights at once"),
        ({"a.csv": GOOD}, {"drop": ["q"]}, "no column of"),
        ({"a.csv": GOOD}, {"drop": ["a", "b"]}, "no column besides the target"),
        ({"a.csv": GOOD, "b.csv": "b,a,y\n1,2,1\n"}, {}, "in another order"),
        ({"a.csv": GOOD, "b.csv": "a,y\n1,1\n"}, {}, "lacks 'b'"),
        ({"a.csv": GOOD, "b.csv": "a,b,c,y\n1,1,1,1\n"}, {}, "has 'c' besides"),
        ({"a.csv": GOOD, "b.svm": "1 1:1\n"}, {}, "cannot put"),
        ({"a.csv": GOOD + "nan,1,1\n"}, {}, "'a' is missing in row 51"),
        ({"a.csv": GOOD + "1,inf,1\n"}, {}, "'b' is infinite in row 51"),
        ({"a.csv": GOOD + "1,1,\n"}, {}, "Row 51 .* has no target"),
        ({"a.csv": GOOD.replace(",1\n", ",0\n")}, {}, "got 1 class"),
        ({"a.csv": "a,w,y\n1,0,1\n2,0,0\n"}, {"weights": "w"}, "no rows of positive"),
        ({"a.csv": "a,w,y\n1,-1,1\n2,1,0\n"}, {"weights": "w"}, "negative weight -1"),
        ({"a.csv": "a,w,y\n1,,1\n2,1,0\n"}, {"weights": "w"}, "Row 1 .* has no weight"),
        ({"a.csv": "a,w,y\n1,u,1\n2,v,0\n"}, {"weights": "w"}, "words, not numbers"),
        ({"a.svm": "1 1:1\n0 0:2\n"}, {"target": None}, "indices start at 1"),
        ({"a.svm": "1 1:1\nno 1:2\n"}, {"target": None}, "its label should be"),
        ({"a.svm": "1 1:1\n"}, {}, "no named columns"),
        ({"a.parquet": "no parquet"}, {}, "cannot be read"),
        ({"a.arrow": "no arrow"}, {}, "cannot be read"),
    ],
)
def test_bad_rows_get_one_sentence(tmp_path, files, how, told):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InfimumError, match=told) as caught:
        fit(tmp_path, **how)
    assert "\n" not in str(caught.value)


def test_no_file_of_that_name(tmp_path):
    with pytest.raises(InfimumError, match="No such file"):
        infimum.scan(tmp_path / "none.csv")
    with pytest.raises(InfimumError, match="No file matches"):
        infimum.scan(str(tmp_path / "*.csv"))
    with pytest.raises(InfimumError, match="by its name"):
        infimum.scan(tmp_path / "x.docx")
    with pytest.raises(InfimumError, match="got int"):
        infimum.scan(3)


def test_the_same_file_twice_and_a_folder_for_the_copy_that_is_not_there(tmp_path):
    (tmp_path / "a.csv").write_text(GOOD)
    with pytest.raises(InfimumError, match="same file twice"):
        infimum.scan([tmp_path / "a.csv"] * 2)
    with pytest.raises(InfimumError, match="No such file"):
        fit(tmp_path, spool=tmp_path / "nowhere")


def test_too_many_levels_and_a_target_of_words(tmp_path):
    lines = "".join(f"w{k},t{k % 2}\n" for k in range(2000))
    (tmp_path / "a.csv").write_text("a,y\n" + lines)
    with pytest.raises(InfimumError, match="more than 1,000 different words"):
        fit(tmp_path)
    (tmp_path / "a.csv").write_text("a,y\n1,u\n2,v\n")
    with pytest.raises(InfimumError, match="needs numbers as targets"):
        fit(tmp_path, infimum.Ridge())


def test_targets_beside_streamed_rows_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text(GOOD)
    rows = infimum.scan(tmp_path, target="y")
    with pytest.raises(InfimumError, match="from the streamed rows themselves"):
        infimum.Ridge().fit(rows, np.zeros(50))


def test_a_class_only_in_the_last_block_is_known(tmp_path):
    lines = "".join(f"{k % 5},{k % 3},0\n" for k in range(200_000))
    (tmp_path / "a.csv").write_text("a,b,y\n" + lines + "9,9,1\n")
    model = fit(tmp_path)
    assert model.classes_.tolist() == [0, 1]
    assert model.certificate_.closed


def test_text_may_be_packed_and_must_be_whole(tmp_path):
    text = GOOD + "".join(f"{k},{k % 5},{k % 2}\n" for k in range(600_000))
    (tmp_path / "a.csv").write_text(text)
    packed = gzip.compress(text.encode(), 1)
    (tmp_path / "b.csv.gz").write_bytes(packed)
    (tmp_path / "c.csv").write_bytes(packed)
    known = fit(tmp_path / "a.csv").coef_
    for name in ("b.csv.gz", "c.csv"):
        assert np.array_equal(fit(tmp_path / name).coef_, known)
    (tmp_path / "b.csv.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InfimumError, match="cannot be read"):
        fit(tmp_path / "b.csv.gz")


def test_a_quote_that_is_never_closed_is_told_soon(tmp_path):
    lines = "x,1,0\nz,2,1\n" * 300_000
    (tmp_path / "a.csv").write_text("c,d,y\n" + lines[:6000] + '5" pipe,3,1\n' + lines)
    began = time.monotonic()
    with pytest.raises(InfimumError, match="cannot be read"):
        fit(tmp_path)
    assert time.monotonic() - began < 30.0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a,y\n1,0\n2,1\n".encode("utf-16"), "no text in UTF-8"),
        (b"PAR1\x15\x00\x15\nzz", "no text in UTF-8"),
        (b"a,y\r1,0\r2,1\r", "carriage returns alone"),
        (b"a;y\n1.5;0\n2.5;1\n", "parts its columns by ';', not by ','"),
        (
            b"a\ty\n1\t0\n2\t1\n",
            r"parts its columns by '\\t', not by ',': give it a name",
        ),
    ],
)
def test_other_texts_are_told_for_what_they_are(tmp_path, text, why):
    (tmp_path / "a.csv").write_bytes(text)
    with pytest.raises(DataError, match=why):
        infimum.scan(tmp_path / "a.csv", target="y")


def test_lines_with_carriage_returns_and_one_column_are_read(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"a,y\r\n1,0\r\n2,1\r\n")
    assert infimum.scan(tmp_path / "a.csv", target="y").n_rows == 2
    (tmp_path / "b.csv").write_bytes(b"a;b\n1\n2\n")
    assert infimum.scan(tmp_path / "b.csv").feature_names == ["a;b"]
