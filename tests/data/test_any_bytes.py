"""Whatever bytes a file holds, the reader gives a table or one sentence."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infimum.data import read_table
from infimum.errors import DataError

PIECES = [
    *'",;|:#{}[]\\/ \t\n\r.-+?',
    *("1", "0", "07", "2.5", "1e9", "inf", "nan", "NA", "yes", "no", "true", "a", "é"),
    *(
        "2020-01-31",
        "31.12.2020",
        "10:30",
        "qid:1",
        "1:1",
        '"a":',
        "null",
        "\r\n",
        '""',
    ),
]
text = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
content = st.one_of(text.map(str.encode), st.binary(max_size=40))


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.jsonl", "a.svm", "a.csv.gz"])
@settings(max_examples=60)
@given(content=content)
def test_a_table_or_one_sentence(name, content):
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            table = read_table(path)
        except DataError as error:
            sentence = str(error)
            assert sentence.endswith((".", "?"))
            assert "\n" not in sentence
        else:
            assert len(table) >= 1
            assert len(table.fingerprint) == 64
