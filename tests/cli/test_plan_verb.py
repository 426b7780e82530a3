"""``infimum plan`` as a command."""


def test_the_table_names_bounds_rows_and_assumptions(invoke):
    words = ("--within", 0.02, "--confidence", 0.95, "--error-rate", 0.1, "--vc", 11)
    said = invoke("plan", *words)
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert lines[0].split() == [
        "rows",
        "kind",
        "bound",
        "what",
        "it",
        "takes",
        "for",
        "granted",
    ]
    assert any(line.split()[:3] == ["4,612", "test", "Hoeffding"] for line in lines)
    assert any("about, not proved" in line for line in lines)
    assert any(line.split()[1:2] == ["training"] for line in lines)
    assert "901 unseen rows tell the error rate within 2 points" in lines[-1]


def test_the_picture_is_a_page(invoke, tmp_path):
    said = invoke("plan", "--within", 0.05, "--picture", "plan.html")
    assert said.exit_code == 0, said.output
    assert "Hoeffding" in (tmp_path / "plan.html").read_text(encoding="utf-8")


def test_bad_numbers_are_refused_in_one_sentence(refused):
    assert "within must be" in refused("plan", "--within", 0)
    assert "confidence" in refused("plan", "--within", 0.1, "--confidence", 2)
    assert "within" in refused("plan")
