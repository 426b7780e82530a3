"""Bad input to the tasks beside classes and numbers: a sentence each, exit code 2."""

import pytest

ORDERED = ["low", "mid", "high"]
LINES = [
    f"{k * 0.37 % 5:.3f},{ORDERED[k % 3]},{k % 3},{k % 2},{k // 2 % 2},1,{k % 5 - 2}"
    for k in range(60)
]
TABLE = "x,word,grade,hot,wet,all,change\n" + "\n".join(LINES) + "\n"
NOVELTY, LABELS = ["--novelty"], ["--target", "hot,wet"]
REAL, GRADES = ["--target", "x"], ["--target", "grade", "--task", "ordinal"]

#: What is wrong, by task: the words and part of the sentence.
WRONG = {
    "novelty of few rows": (NOVELTY, "60 rows; to promise an alarm rate of 0.05 takes"),
    "no alarms at all": ([*NOVELTY, "--alarm-rate", "0"], "alarm_rate must be in"),
    "a word as alarm rate": ([*NOVELTY, "--alarm-rate", "low"], "--alarm-rate"),
    "novelty with weights": ([*NOVELTY, "--weights", "x"], "knows no weights"),
    "novelty of groups": ([*NOVELTY, "--sensitive", "word"], "no sensitive columns"),
    "novelty of a target": ([*NOVELTY, "--target", "x"], "predicts no column"),
    "an unknown label": (["--target", "hot,cold"], "No column 'cold'"),
    "a label twice": (["--target", "hot,hot"], "named twice"),
    "grades as labels": (["--target", "hot,grade"], "must hold yes and no"),
    "words as labels": (["--target", "hot,word"], "must hold yes and no"),
    "a label with one answer": (["--target", "hot,all"], "0 rows of one answer"),
    "labels of a group that is one": ([*LABELS, "--sensitive", "wet"], "is the target"),
    "labels with an order": ([*LABELS, "--task", "ordinal"], "takes one target"),
    "labels without a name": (["--target", ","], "names no column"),
    "numbers as several": (["--target", "hot,x", "--task", "regression"], "one target"),
    "a row of a detector": ([*NOVELTY, "--explain-row", "1"], "strangest rows by"),
    "a label dropped": ([*LABELS, "--drop", "wet"], "cannot be dropped"),
    "a misspelt label": (["--target", "hot,wett"], "did you mean 'wet'"),
    "words with an order": (["--target", "word", "--task", "ordinal"], "whose order"),
    "two classes with an order": (["--target", "hot", "--task", "ordinal"], "two"),
    "reals with an order": ([*REAL, "--task", "ordinal"], "different real numbers"),
    "an order and a quantile": ([*GRADES, "--quantile", "0.5"], "task='quantile'"),
    "negative counts": (["--target", "change", "--task", "counts"], "no counts"),
    "words as counts": (["--target", "word", "--task", "counts"], "holds words"),
    "a quantile of 1": ([*REAL, "--task", "quantile", "--quantile", "1"], "in (0, 1)"),
    "a quantile of words": (["--target", "word", "--task", "quantile"], "holds words"),
    "a quantile nobody asked for": ([*REAL, "--quantile", "0.5"], "task='quantile'"),
    "the target as sensitive": ([*GRADES, "--sensitive", "grade"], "is the target"),
    "groups and time": (
        [*REAL, "--group", "hot", "--time", "wet"],
        "cannot follow both",
    ),
    "all columns but the target": ([*REAL, "--only", "x"], "no column to learn from"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_each_task_refuses_what_it_cannot_do(refused, tmp_path, wrong):
    (tmp_path / "t.csv").write_text(TABLE)
    words, message = WRONG[wrong]
    assert message in refused("learn", "t.csv", *words)
    assert {entry.name for entry in tmp_path.iterdir()} == {"t.csv"}


@pytest.mark.parametrize("word", ["-h", "--help"])
@pytest.mark.parametrize(
    "verb", ["learn", "predict", "certify", "compare", "report", "version"]
)
def test_every_verb_has_help(invoke, verb, word):
    done = invoke(verb, word)
    assert done.exit_code == 0
    assert f"{verb} [OPTIONS]" in done.stdout


def test_the_version_is_told_in_two_ways(invoke):
    assert invoke("--version").stdout == invoke("version").stdout != ""
    assert invoke("--version").exit_code == 0
