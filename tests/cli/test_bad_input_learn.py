"""Bad input to learn: each kind is refused in one sentence, with exit code 2."""

import gzip

import pytest

CLASSES = ["--target", "y"]
GOOD = "x,z,y\n" + "".join(
    f"{k * 0.37 % 5:.3f},{k * 0.71 % 3:.3f},{'a' if k % 3 else 'b'}\n"
    for k in range(60)
)


def rows(*lines, times=20, header="x,y"):
    return "\n".join([header, *(list(lines) * times)]) + "\n"


def counted(text):
    lines = [f"{k * 0.3 % 2:.2f},{text.format(k=k, day=k % 28 + 1)}" for k in range(40)]
    return rows(*lines, times=1)


#: What is wrong: the file's name and content, the options, and part of the sentence.
FILES = {
    "no file": ("gone.csv", None, CLASSES, "no file 'gone.csv'"),
    "a folder": ("folder.csv", "/", CLASSES, "is a folder, not a table"),
    "no content": ("t.csv", "", CLASSES, "is empty"),
    "blank lines only": ("t.csv", " \n\n  \n", CLASSES, "is empty"),
    "names but no rows": ("t.csv", "x,y\n", CLASSES, "no rows"),
    "zero bytes": ("t.csv", b"x,y\n1,\x00a\n", CLASSES, "binary data (byte 0x00"),
    "a picture": ("t.csv", b"\x89PNG\r\n\x1a\n" + bytes(99), CLASSES, "t.csv is"),
    "damaged letters": ("t.csv", GOOD.encode() + b"1,\x81,a\n", CLASSES, "not UTF-8"),
    "half a zip archive": ("t.zip", b"PK\x03\x04half", CLASSES, "cannot be unpacked"),
    "a web page": ("t.csv", "<!DOCTYPE html><html></html>", CLASSES, "web page"),
    "a spreadsheet": ("t.xlsx", b"PK\x03\x04 and more", CLASSES, "ends in '.xlsx'"),
    "a line too long": ("t.csv", GOOD + "1,2,a,4\n", CLASSES, "has 4 fields"),
    "a line too short": ("t.csv", GOOD + "1\n", CLASSES, "has 1 field"),
    "an open quote": ("t.csv", GOOD + '"1,2,a\n', CLASSES, "line 62 of t.csv"),
    "twice the same name": ("t.csv", GOOD.replace("x,z", "x,x"), CLASSES, "rename one"),
    "half a gzip file": ("t.csv.gz", gzip.compress(GOOD.encode())[:-9], CLASSES,
                         "incomplete gzip"),
    "no parquet": ("t.parquet", "x", CLASSES, "not a complete Parquet file"),
    "no arrow": ("t.arrow", "x", CLASSES, "not a complete Arrow file"),
    "broken JSON": ("t.jsonl", '{"x": 1, "y": }\n', CLASSES, "not valid JSON"),
    "lists in JSON": ("t.jsonl", '{"x": [1], "y": "a"}\n' * 9, CLASSES, "holds lists"),
    "broken svmlight": ("t.svm", "1 1:x\n", [], "not of the form index:value"),
    "a name for svmlight": ("t.svm", "1 1:1\n-1 2:1\n" * 9, CLASSES, "its own target"),
    "a pickle": ("t.pkl", b"\x80\x04K\x01.", CLASSES, "ends in '.pkl'"),
    "an address": ("https:/e.org/t.csv", None, CLASSES, "download the file first"),
    "a pattern": ("*.csv", None, CLASSES, "no file '*.csv'"),
    "no header": ("t.csv", GOOD.split("\n", 1)[1], CLASSES,
                  "no column 'y' in t.csv, which has column_1, "),
    "columns without values": ("t.csv", rows(",a", ",b"), CLASSES,
                               "no column to learn from"),
    "an infinite value": ("t.csv", GOOD + "inf,1,a\n", CLASSES, "an infinite value"),
}  # fmt: skip

TARGETS = {
    "no target": (GOOD, [], "which column of t.csv"),
    "an empty name": (GOOD, ["--target", ""], "which column of t.csv"),
    "a misspelt name": (GOOD.replace("y\n", "price\n"), ["--target", "prise"],
                        "did you mean 'price'"),
    "one class": (rows("1.5,a", "2.5,a"), CLASSES, "one class only, 'a'"),
    "no value": (rows("1.5,", "2.5,NA"), CLASSES, "missing in every row"),
    "an identifier": (counted("A{k:04}"), CLASSES, "is an identifier"),
    "dates": (counted("2020-01-{day:02}"), CLASSES, "holds dates"),
    "stories": (counted("the story number {k} of many"), CLASSES, "holds free text"),
    "words as numbers": (GOOD, [*CLASSES, "--task", "regression"], "holds words such"),
    "reals as classes": (GOOD, ["--target", "x", "--task", "classification"],
                         "different real numbers"),
    "two rows": (rows("1.5,a", "2.5,b", times=1), CLASSES, "at least 5 rows of two"),
    "a class of two": (rows("1.5,a", "2.5,a") + "1,b\n2,b\n", CLASSES, "has 2 rows"),
    "nothing else": (rows("a", "b", header="y"), CLASSES, "no column to learn from"),
    "constants else": (rows("1,a", "1,b"), CLASSES, "no column to learn from"),
}  # fmt: skip

OPTIONS = {
    "an unknown group": (["--group", "g"], "No column 'g'"),
    "an unknown time": (["--time", "t"], "No column 't'"),
    "the target as group": (["--group", "y"], "is the target"),
    "words as time": (["--time", "w"], "neither dates nor numbers"),
    "words as weights": (["--weights", "w"], "holds no numbers"),
    "negative weights": (["--weights", "n"], "negatively"),
    "an unknown sensitive column": (["--sensitive", "s"], "No column 's'"),
    "everything dropped": ([f"--drop={c}" for c in "xzwn"], "no column to learn from"),
    "an unknown only": (["--only", "o"], "No column 'o'"),
    "kinds without kind": (["--kinds", "x"], "pairs like zip=category"),
    "an unknown kind": (["--kinds", "x=huge"], "must be one of numeric, category"),
    "the kind of no column": (["--kinds", "q=text"], "No column 'q'"),
    "words as numbers by decree": (["--kinds", "w=numeric"], "cannot be numeric"),
    "a target for novelty": (["--novelty"], "predicts no column"),
    "a task for novelty": (["--novelty", "--task", "counts"], "--novelty has no"),
    "an alarm rate of 2": (["--novelty", "--alarm-rate", "2"], "alarm_rate"),
    "an alarm rate for classes": (["--alarm-rate", "0.1"], "needs task='novelty'"),
    "one target as several": (["--task", "multilabel"], "is one target"),
    "row number nought": (["--explain-row", "0"], "counted from 1, got 0"),
    "a row before the first": (["--explain-row", "-3"], "counted from 1, got -3"),
    "a row after the last": (["--explain-row", "61"], "has 60 rows, so there is no"),
    "a word as row": (["--explain-row", "first"], "'--explain-row'"),
    "two columns in one option": (["--drop", "x,z"], "once for each of x, z"),
    "two sensitive in one": (["--sensitive", "w,n"], "once for each of w, n"),
    "the target dropped": (["--drop", "y"], "cannot be dropped"),
    "the target dropped by kind": (["--kinds", "y=drop"], "cannot be dropped"),
    "the target as weights": (["--weights", "y"], "cannot be weights"),
    "the target as time": (["--time", "y"], "cannot be time"),
    "two kinds of one column": (["--kinds", "x=text,x=numeric"], "text and numeric"),
    "the target as text": (["--kinds", "y=text"], "holds free text"),
    "only what is dropped": (["--only", "x", "--drop", "x"], "no column to learn from"),
    "a budget in words": (["--budget", "10 minutes"], "no duration"),
    "a budget without number": (["--budget", ""], "no duration"),
    "a seed with a fraction": (["--seed", "1.5"], "'--seed'"),
    "another name by case": (["--group", "X"], "did you mean 'x'"),
    "a name with a space": (["--weights", " n"], "did you mean 'n'"),
    "a word as budget": (["--budget", "soon"], "no duration"),
    "no time": (["--budget", "0"], "no duration"),
    "negative time": (["--budget=-5"], "no duration"),
    "endless time": (["--budget", "inf"], "no duration"),
    "a negative seed": (["--seed", "-1"], "got -1"),
    "a word as seed": (["--seed", "luck"], "'--seed'"),
    "a seed too large": (["--seed", "99999999999999999999"], "whole number in"),
    "an unknown task": (["--task", "poetry"], "'poetry'"),
    "an unknown option": (["--nonsense"], "--nonsense"),
    "a misspelt option": (["--bugdet", "3s"], "--budget"),
    "two files": (["more.csv"], "more.csv"),
    "a file as place": (["--out", "t.csv"], "is a file, not a directory"),
    "a place in a file": (["--out", "t.csv/run"], "does not exist"),
    "a place in nowhere": (["--out", "no/such/place"], "does not exist"),
    "a place of other files": (["--out", "."], "other files (t.csv)"),
}


@pytest.mark.parametrize("wrong", FILES)
def test_files_that_are_no_table(refused, tmp_path, wrong):
    name, content, words, message = FILES[wrong]
    place = tmp_path / name
    if content == "/":
        place.mkdir()
    elif content is not None:
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert message.lower() in refused("learn", name, *words).lower()
    assert not (tmp_path / "infimum-run").exists()


@pytest.mark.parametrize("wrong", TARGETS)
def test_targets_that_cannot_be_learned(refused, tmp_path, wrong):
    content, words, message = TARGETS[wrong]
    (tmp_path / "t.csv").write_text(content)
    assert message in refused("learn", "t.csv", *words)
    assert not (tmp_path / "infimum-run").exists()


@pytest.mark.parametrize("wrong", OPTIONS)
def test_options_that_make_no_sense(refused, tmp_path, wrong):
    header, *lines = GOOD.splitlines()
    more = [f"{line},{'uv'[k % 2]},{k % 7 - 3}" for k, line in enumerate(lines)]
    (tmp_path / "t.csv").write_text("\n".join([f"{header},w,n", *more]))
    words, message = OPTIONS[wrong]
    assert message in refused("learn", "t.csv", *CLASSES, *words)
    assert {entry.name for entry in tmp_path.iterdir()} == {"t.csv"}


def test_a_name_that_no_file_can_have(refused):
    assert "too long" in refused("learn", "x" * 300 + ".csv", *CLASSES)


def test_at_least_forty_kinds_are_listed():
    assert len(FILES) + len(TARGETS) + len(OPTIONS) >= 40


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (
            PermissionError(13, "Permission denied", "t.csv"),
            "Permission denied: t.csv.",
        ),
        (OSError(28, "No space left on device"), "No space left on device."),
        (MemoryError(), "not enough memory"),
    ],
    ids=["no permission", "full disk", "no memory"],
)
def test_a_machine_that_cannot(refused, tmp_path, monkeypatch, trouble, message):
    def fail(*args, **kwargs):
        raise trouble

    monkeypatch.setattr("infimum.learn.job.pose", fail)
    (tmp_path / "t.csv").write_text(GOOD)
    assert message in refused("learn", "t.csv", *CLASSES)
