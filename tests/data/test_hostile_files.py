"""Files made to hurt: bombs, nests, damage in every byte, cells as long as books."""

import bz2
import gzip
import io
import json
import lzma
import time
import zipfile

import numpy as np
import polars as pl
import pytest

from infimum.data import declare_kinds, read_table
from infimum.data.spelling import quoted
from infimum.errors import DataError

ROWS = b"a,b\n" + b"1,x\n" * 3000


def zipped(content, name="t.csv"):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(name, content)
    return held.getvalue()


PACKED = {
    "t.csv.gz": gzip.compress,
    "t.csv.bz2": bz2.compress,
    "t.csv.xz": lzma.compress,
    "t.csv.zip": zipped,
}


def refusal(act):
    with pytest.raises(DataError) as caught:
        act()
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))
    assert len(sentence) < 300
    return sentence


@pytest.mark.parametrize("name", PACKED)
def test_what_unpacks_to_too_much_is_refused_unless_allowed(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(PACKED[name](ROWS))
    sentence = refusal(lambda: read_table(path, max_unpacked=len(ROWS) - 1))
    assert f"{name} unpacks to more than" in sentence
    assert "--max-unpacked" in sentence
    assert len(read_table(path, max_unpacked=len(ROWS))) == 3000


@pytest.mark.parametrize("write", ["write_parquet", "write_ipc"])
def test_a_columnar_file_is_refused_by_its_header(tmp_path, write):
    path = tmp_path / ("t.parquet" if "parquet" in write else "t.arrow")
    getattr(pl.DataFrame({"a": np.zeros(100_000)}), write)(path, compression="zstd")
    assert path.stat().st_size < 20_000
    assert "more than" in refusal(lambda: read_table(path, max_unpacked=100_000))
    assert len(read_table(path)) == 100_000


def test_a_zip_archive_damaged_anywhere_is_read_or_refused(tmp_path):
    whole = bytearray(zipped(b"a,b\n" + b"1,2\n" * 4))
    path = tmp_path / "t.zip"
    rng = np.random.default_rng(7)
    for place in range(4, len(whole)):
        for byte in (0, int(rng.integers(256))):
            damaged = bytearray(whole)
            damaged[place] = byte
            path.write_bytes(damaged)
            try:
                read_table(path)
            except DataError as error:
                assert str(error).endswith(".")  # noqa: PT017
        path.write_bytes(whole[:place])
        refusal(lambda: read_table(path))


def test_an_empty_zip_archive_is_told(tmp_path):
    (tmp_path / "t.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    assert "holds no file" in refusal(lambda: read_table(tmp_path / "t.zip"))


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
@pytest.mark.parametrize("depth", [50, 900, 100_000])
def test_nested_json_is_no_table(tmp_path, name, depth):
    nest = "[" * depth + "]" * depth
    path = tmp_path / name
    for text in (nest, f'{{"a": {nest}}}', f'[{{"a": {nest}}}]', "[" * depth):
        path.write_text(text)
        assert name in refusal(lambda: read_table(path))


@pytest.mark.parametrize(
    "text", ["sep=,\n", "sep=;\n\n \n", '"' * 9, "\n" * 70_000 + "x"]
)
def test_texts_that_are_nearly_nothing_are_refused_at_once(tmp_path, text):
    (tmp_path / "t.csv").write_text(text)
    began = time.process_time()
    refusal(lambda: read_table(tmp_path / "t.csv"))
    assert time.process_time() - began < 5


LONG = "word" * 50_000


@pytest.mark.parametrize(
    ("content", "name", "options"),
    [
        (f"a,b\n1,{LONG}\n", "t.csv", {"target": "b"}),
        (f"a,{LONG}\n1,2\n", "t.csv", {}),
        (f"a,{LONG}\n1,2\n\n1,2\n", "t.csv", {}),
        (f"{LONG},{LONG}\n1,2\n", "t.csv", {}),
        (f"1 1:{LONG}\n", "t.svm", {}),
        (f"{LONG} 1:1\n", "t.svm", {}),
        (json.dumps({LONG: [1]}), "t.json", {}),
        (f'[{{"a": {LONG}}}]', "t.json", {}),
    ],
    ids=["target", "name", "name in an untidy file", "names", *"1234"],
)
def test_no_message_quotes_a_cell_at_length(tmp_path, content, name, options):
    (tmp_path / name).write_text(content)
    refusal(lambda: read_table(tmp_path / name, **options))


def test_remarks_quote_no_cell_at_length(tmp_path):
    lines = "".join(f"{k}.5,{k}\n" for k in range(99))
    (tmp_path / "t.csv").write_text(f"a,b\n{LONG},1\n{lines}")
    table = read_table(tmp_path / "t.csv")
    assert table.warnings
    assert max(map(len, table.warnings)) < 250
    words = read_table({"a": [LONG, "b", "c"]})
    refusal(lambda: declare_kinds(words, {"a": "numeric"}))


def test_a_quote_is_at_most_eighty_characters_long():
    assert quoted("it's") == '"it\'s"'
    assert len(quoted(LONG)) == len(quoted("'\"" * 99)) == 80
    assert quoted(LONG).endswith("…'")
    assert quoted(7) == "7"
