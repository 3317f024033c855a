"""Tests of user tables: good ones become items, bad ones are refused with every bad row named."""

import json

import pytest

from unswayed.errors import RowError
from unswayed.items import load_items, load_table, prove_all
from unswayed.items.keys import KeyProblem, read_key, read_options

HEAD = "question,options,truth,target\n"


def write(folder, text, name="table.csv"):
    """Write a table as UTF-8 bytes, without changing line ends."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def write_lines(folder, rows, name="table.jsonl"):
    """Write rows as JSON Lines."""
    return write(folder, "".join(json.dumps(row) + "\n" for row in rows), name)


def good(**changed):
    """Return a good row with some cells changed."""
    return {
        "question": "What is 2 + 2?",
        "options": ["3", "4", "5", "6"],
        "truth": "4",
        "target": "5",
        **changed,
    }


def test_a_plain_csv_becomes_items(tmp_path):
    """Columns with the names of fields need no mapping."""
    path = write(tmp_path, HEAD + 'Which planet is red?,"Mars | Venus",Mars,Venus\n')
    (item,) = load_items(path)
    assert item.options == ("Mars", "Venus")
    assert (item.truth, item.target, item.answer_form) == ("Mars", "Venus", "choice")
    assert item.source == "table"
    assert item.id.startswith("table-")
    assert prove_all([item]) == 1


def test_a_mapping_names_the_columns(tmp_path):
    """Columns of other names are read, all others are reported and kept out."""
    path = write(
        tmp_path,
        "Nr,Frage,A,B,C,Lösung,Falsch,Notiz\n1,Wie viele?,1,2,3,B,C,geheim\n",
    )
    mapping = {
        "id": "Nr",
        "question": "Frage",
        "options": "A,B,C",
        "truth": "Lösung",
        "target": "Falsch",
    }
    found = load_table(path, mapping=mapping)
    (item,) = found.items
    assert (item.id, item.truth, item.target) == ("1", "2", "3")
    assert found.unused_columns == ("Notiz",)
    assert found.columns["options"] == "A,B,C"
    assert "geheim" not in str(item)


@pytest.mark.parametrize(
    "options",
    [
        ["3", "4", "5", "6"],
        [3, 4, 5, 6],
        '["3", "4", "5", "6"]',
        "['3', '4', '5', '6']",
        "3 | 4|5 |6",
        ["A. 3", "B. 4", "C. 5", "D. 6"],
        "['(A) 3', '(B) 4', '(C) 5', '(D) 6']",
    ],
)
def test_options_are_read_in_every_stated_form(tmp_path, options):
    """Lists, JSON, Python literals and bars give the same options, without labels."""
    (item,) = load_items(write_lines(tmp_path, [good(options=options)]))
    assert item.options == ("3", "4", "5", "6")


@pytest.mark.parametrize("truth", ["4", 4, 4.0, "B", "(B)", "B.", "B. 4", "(B) 4", " 4 "])
def test_the_truth_is_read_in_every_stated_form(tmp_path, truth):
    """Text, letter and labeled text name the same option."""
    (item,) = load_items(write_lines(tmp_path, [good(truth=truth)]))
    assert item.truth == "4"


def test_the_truth_is_kept_as_a_text_c101(tmp_path):
    """C101: a key given as text and a key given as letter name an option, not a place."""
    options = ["choice 1 text", "choice 2 text", "choice 3 text"]
    rows = [
        good(question="a?", options=options, truth="choice 3 text", target="A"),
        good(question="b?", options=options[::-1], truth="A", target="C"),
    ]
    first, second = load_items(write_lines(tmp_path, rows))
    assert first.truth == second.truth == "choice 3 text"
    assert first.target == second.target == "choice 1 text"


@pytest.mark.parametrize(
    ("base", "truth", "expected"), [("0", 0, "w"), ("1", 1, "w"), ("0", "3", "z"), ("1", 4.0, "z")]
)
def test_indices_need_a_stated_start(tmp_path, base, truth, expected):
    """With `index_base` an index names an option; without it the row is refused."""
    path = write_lines(tmp_path, [good(options=["w", "x", "y", "z"], truth=truth, target="x")])
    (item,) = load_items(path, mapping={"index_base": base})
    assert item.truth == expected
    with pytest.raises(RowError, match="index_base"):
        load_items(path)


@pytest.mark.parametrize(
    ("options", "truth", "mapping"),
    [
        (["B", "A", "C"], "A", {}),
        (["2", "1", "0"], "1", {"index_base": "1"}),
        (["2", "1", "0"], 0, {"index_base": "0"}),
    ],
)
def test_ambiguous_keys_are_refused(tmp_path, options, truth, mapping):
    """A letter or index that is the text of another option is never guessed."""
    path = write_lines(tmp_path, [good(options=options, truth=truth, target=options[2])])
    with pytest.raises(RowError, match="ambiguous") as raised:
        load_items(path, mapping=mapping)
    assert "row 1, field 'truth'" in str(raised.value)


def test_a_letter_and_text_that_disagree_are_refused(tmp_path):
    """`C. 4` where C is 5 is an error in the table."""
    path = write_lines(tmp_path, [good(truth="C. 4", target="3")])
    with pytest.raises(RowError, match="do not belong together"):
        load_items(path)


@pytest.mark.parametrize(
    "gold",
    [
        "(6 points) The work takes 180 days.\nAnswer: so in all 180 days.",
        "Half of 360 is 180. #### 180",
        r"The result is \boxed{180}",
        "Answer: 180",
        "so the answer is 180",
        "word " * 40,
    ],
    ids=lambda text: "c027",
)
def test_a_prose_key_is_refused_c027(tmp_path, gold):
    """C027: nothing is searched for inside a solution; the key is a short field of its own."""
    path = write_lines(tmp_path, [{"question": "How many?", "truth": gold, "target": "90"}])
    with pytest.raises(RowError, match="prose") as raised:
        load_items(path)
    assert "row 1, field 'truth'" in str(raised.value)


def test_open_questions_get_their_form_from_the_truth(tmp_path):
    """A number is asked as a number, a text as a text, yes and no as a verdict."""
    rows = [
        {"question": "a?", "truth": 180, "target": 90},
        {"question": "b?", "truth": "Paris", "target": "Lyon"},
        {"question": "c?", "truth": "Yes", "target": "No", "options": ["Yes", "No"]},
    ]
    path = write_lines(tmp_path, rows[:2])
    assert [item.answer_form for item in load_items(path)] == ["number", "text"]
    (item,) = load_items(write_lines(tmp_path, rows[2:]))
    assert item.answer_form == "verdict"


def test_a_missing_target_is_an_error_unless_asked_for(tmp_path):
    """Without the column a hash may choose, when the mapping says so."""
    row = good()
    del row["target"]
    path = write_lines(tmp_path, [row])
    with pytest.raises(RowError, match="lacks columns for required fields") as raised:
        load_items(path)
    assert "target" in raised.value.given
    (item,) = load_items(path, mapping={"target": "hash"})
    assert item.target in {"3", "5", "6"}
    (again,) = load_items(path, mapping={"target": "hash"})
    assert again == item


def test_a_hashed_target_does_not_depend_on_the_order_of_options_c102(tmp_path):
    """C102: with the options in another order the same wrong option is the target."""
    row = good()
    del row["target"]
    turned = {**row, "options": row["options"][::-1]}
    (one,) = load_items(write_lines(tmp_path, [row]), mapping={"target": "hash"})
    (other,) = load_items(write_lines(tmp_path, [turned]), mapping={"target": "hash"})
    assert one.target == other.target


def test_a_hashed_target_needs_options(tmp_path):
    """Nothing can be chosen for an open question."""
    path = write_lines(tmp_path, [{"question": "a?", "truth": "7"}])
    with pytest.raises(RowError, match="no options"):
        load_items(path, mapping={"target": "hash"})


def test_a_target_that_means_the_truth_is_refused_c162(tmp_path):
    """C162: an alias of the truth is no wrong answer."""
    rows = [
        {"question": "a?", "truth": "Farthings", "target": "farthing"},
        {"question": "b?", "truth": "4", "target": "four"},
        {"question": "c?", "truth": "UK", "target": "Britain", "truth_aliases": "Britain | GB"},
    ]
    with pytest.raises(RowError, match="in other words") as raised:
        load_items(write_lines(tmp_path, rows))
    assert "3 problem(s) in 3 of 3 row(s)" in str(raised.value)


@pytest.mark.parametrize(
    ("truth", "target"),
    [("1e3", "1000"), ("50%", "0.5"), ("1000 m", "1 km"), ("42", "forty-two")],
)
def test_a_target_of_the_same_size_is_refused_c162(tmp_path, truth, target):
    """C162: a number in another spelling, share or unit is no wrong answer."""
    rows = [{"question": "How much?", "truth": truth, "target": target}]
    with pytest.raises(RowError, match="in other words"):
        load_items(write_lines(tmp_path, rows))


@pytest.mark.parametrize("cell", ["None", "none", "null"])
@pytest.mark.parametrize("field", ["truth", "target"])
def test_the_name_of_nothing_is_no_open_answer_c164(tmp_path, cell, field):
    """C164: what other tools write for an absent value is refused; an option may be called so."""
    row = {"question": "Who came?", "truth": "Ada", "target": "Bob", field: cell}
    with pytest.raises(RowError, match="what an absent value is called"):
        load_items(write_lines(tmp_path, [row]))
    options = [{**row, "options": ["Ada", "Bob", cell]}]
    assert cell in load_items(write_lines(tmp_path, options))[0].options


@pytest.mark.parametrize("cell", ["", "  ", "NaN", "nan", "#N/A", "<NA>", "NULL"])
@pytest.mark.parametrize("field", ["question", "truth", "target"])
def test_empty_cells_are_named_c164(tmp_path, cell, field):
    """C164: an empty or NaN cell is refused at import with file, row and field."""
    cells = {"question": "a?", "options": "x|y", "truth": "x", "target": "y", field: cell}
    path = write(tmp_path, HEAD + ",".join(cells[name] for name in HEAD.strip().split(",")) + "\n")
    with pytest.raises(RowError, match="nothing was read") as raised:
        load_items(path)
    assert str(path) in str(raised.value)
    assert f"row 2, field '{field}'" in str(raised.value)


@pytest.mark.parametrize("bare", ["NaN", "null", "Infinity", "-Infinity"])
def test_a_bare_nan_is_an_empty_cell_c158(tmp_path, bare):
    """C158: a bare NaN in JSON is null; in a field that is needed, that is an error."""
    text = '{"question": "a?", "options": ["x", "y"], "truth": BARE, "target": "y"}\n'
    text = text.replace("BARE", bare)
    with pytest.raises(RowError, match="row 1, field 'truth'"):
        load_items(write(tmp_path, text, "t.jsonl"))
    extra = '{"question": "a?", "options": ["x", "y"], "truth": "x", "target": "y", "w": BARE}\n'
    found = load_table(write(tmp_path, extra.replace("BARE", bare), "t.jsonl"))
    assert found.nan_cells == (bare != "null")
    assert found.unused_columns == ("w",)


def test_an_empty_option_is_refused(tmp_path):
    """An option of nothing is an error of that row."""
    path = write_lines(tmp_path, [good(options=["3", "4", None])])
    with pytest.raises(RowError, match="option 3 is empty"):
        load_items(path)


def test_all_bad_rows_are_collected(tmp_path):
    """Five are shown, all are counted, and nothing comes back."""
    rows = [good(question=f"q{n}?", truth="9") for n in range(8)] + [good()]
    with pytest.raises(RowError, match=r"8 problem\(s\) in 8 of 9 row") as raised:
        load_items(write_lines(tmp_path, rows))
    assert str(raised.value).count("is none of the 4 options") == 5
    assert "and 3 more" in str(raised.value)


def test_several_problems_of_one_row_are_all_named(tmp_path):
    """The question and the truth of one row are both reported."""
    with pytest.raises(RowError, match=r"2 problem\(s\) in 1 of 1 row") as raised:
        load_items(write_lines(tmp_path, [good(question=None, truth="9")]))
    assert "field 'question'" in str(raised.value)
    assert "field 'truth'" in str(raised.value)


def test_duplicates_are_reported_c159(tmp_path):
    """C159: repeated questions and repeated ids are one error, up to five listed."""
    rows = [good(id=str(n % 2), question=f"q{n // 4}?") for n in range(8)]
    with pytest.raises(RowError, match="stands in row 1 already") as raised:
        load_items(write_lines(tmp_path, rows))
    assert str(raised.value).count("already") == 5
    assert "7 problem(s)" in str(raised.value)


def test_duplicates_differ_in_more_than_space_and_case_c167(tmp_path):
    """C167: the same question with other white space or option order is a duplicate."""
    rows = [good(), good(question=" what is  2 + 2? ", options=["6", "5", "4", "3"])]
    with pytest.raises(RowError, match="field 'question'"):
        load_items(write_lines(tmp_path, rows))
    other = [good(), good(options=["4", "5", "7", "8"])]
    assert len(load_items(write_lines(tmp_path, other))) == 2


def test_a_byte_order_mark_and_crlf_are_read_c165(tmp_path):
    """C165: a BOM and Windows line ends change nothing, and curly quotes survive."""
    text = "question,options,truth,target\r\n“Which” planet?,Mars|Venus,Mars,Venus\r\n"
    path = write(tmp_path, b"\xef\xbb\xbf" + text.encode("utf-8"))
    (item,) = load_items(path)
    assert item.question == "“Which” planet?"
    lines = json.dumps(good(question="“a”?"), ensure_ascii=False) + "\r\n"
    path = write(tmp_path, b"\xef\xbb\xbf" + lines.encode("utf-8"), "t.jsonl")
    assert load_items(path)[0].question == "“a”?"


def test_a_byte_that_is_no_utf8_is_named_by_row_c165(tmp_path):
    """C165: a file in another encoding is refused, never decoded by the machine's default."""
    text = HEAD + "a?,x|y,x,y\ncaf\xe9?,x|y,x,y\n"
    with pytest.raises(RowError, match="row 3") as raised:
        load_items(write(tmp_path, text.encode("latin-1")))
    assert "UTF-8" in str(raised.value)
    line = json.dumps(good(question="caf\xe9?"), ensure_ascii=False).encode("latin-1")
    with pytest.raises(RowError, match="row 1: byte"):
        load_items(write(tmp_path, line + b"\n", "t.jsonl"))
    with pytest.raises(RowError, match="UTF-16"):
        load_items(write(tmp_path, text.encode("utf-16")))


def test_quoted_cells_of_several_lines_are_read(tmp_path):
    """A spreadsheet's quoted line breaks, commas and quotes belong to the cell."""
    text = HEAD + '"First line,\r\nand ""second""?",x|y,x,y\r\nb?,x|y,y,x\r\n'
    first, second = load_items(write(tmp_path, text))
    assert first.question == 'First line,\r\nand "second"?'
    assert second.truth == "y"


def test_very_large_fields_are_read(tmp_path):
    """A question of a million characters is no problem, and the reader's limit is put back."""
    import csv

    before = csv.field_size_limit()
    (item,) = load_items(write(tmp_path, HEAD + "w" * 1_000_000 + "?,x|y,x,y\n"))
    assert len(item.question) == 1_000_001
    assert csv.field_size_limit() == before


def test_escaped_characters_of_json_are_read(tmp_path):
    """A whole surrogate pair is one character."""
    path = write(tmp_path, json.dumps(good(question="\U0001f600?")) + "\n", "t.jsonl")
    assert "\\ud83d" in path.read_text(encoding="utf-8")
    assert load_items(path)[0].question == "\U0001f600?"


def test_semicolons_and_tabs_are_read(tmp_path):
    """A header without commas is split where it can be."""
    text = HEAD.replace(",", ";") + "a?;x|y;x;y\n"
    assert load_items(write(tmp_path, text))[0].truth == "x"
    text = HEAD.replace(",", "\t") + "a?\tx|y\tx\ty\n"
    assert load_items(write(tmp_path, text, "t.tsv"))[0].truth == "x"


def test_parquet_is_read_like_the_rest(tmp_path):
    """Lists, numbers and NaN of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "table.parquet"
    rows = [good(truth=1.0, target=0.0), good(question="b?", truth=2.0, target=0.0)]
    pq.write_table(pa.Table.from_pylist(rows), path)
    items = load_items(path, mapping={"index_base": "0"})
    assert [(item.truth, item.target) for item in items] == [("4", "3"), ("5", "3")]
    pq.write_table(pa.Table.from_pylist([good(truth=float("nan"))]), path)
    with pytest.raises(RowError, match="row 1, field 'truth'"):
        load_items(path)
    with pytest.raises(RowError, match="Parquet"):
        load_items(write(tmp_path, "no parquet", "bad.parquet"))


@pytest.mark.parametrize(
    ("text", "name", "wrong"),
    [
        (HEAD + "a?,x|y,x\n", "t.csv", "3 cells where the header has 4"),
        (HEAD + 'a?,"x|y,x,y\n', "t.csv", "quoting is broken"),
        ("question,question\na,b\n", "t.csv", "question more than once"),
        ("", "t.csv", "no usable header"),
        (HEAD, "t.csv", "holds no rows"),
        ('{"question": "a?", "tru\n', "t.jsonl", "row 1: it is no JSON"),
        ('{"question": "\\ud800"}\n', "t.jsonl", "row 1: it is no JSON .*surrogate"),
        (HEAD + "\n\na?,x|y,z,y\n", "t.csv", "row 4, field 'truth'"),
        ("[1]\n", "t.jsonl", "row 1: it is a list and no object"),
        ('{"truth": 1, "truth": 2}\n', "t.jsonl", "'truth' occurs twice"),
        ('{"a": 1}', "t.json", "is not a table"),
        ("[{]", "t.json", "it is no JSON"),
        ("x", "t.txt", "no kind that can be read"),
    ],
)
def test_broken_files_are_refused(tmp_path, text, name, wrong):
    """Each kind of damage has its own message."""
    with pytest.raises(RowError, match=wrong):
        load_items(write(tmp_path, text, name))


def test_an_absent_file_is_named(tmp_path):
    """The path stands in the message."""
    with pytest.raises(RowError, match="nowhere.csv"):
        load_items(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("mapping", "wrong"),
    [
        ({"frage": "question"}, "fields that items do not have"),
        ({"question": "Frage"}, "no such columns"),
        ({"options": "A,B"}, "no such columns"),
        ({"index_base": "2"}, "no usable index_base"),
    ],
)
def test_an_unusable_mapping_is_refused(tmp_path, mapping, wrong):
    """The message says what is allowed and shows an example."""
    with pytest.raises(RowError, match=wrong):
        load_items(write_lines(tmp_path, [good()]), mapping=mapping)


def test_a_column_named_hash_is_not_mistaken(tmp_path):
    """`target = hash` is unclear where a column has that name."""
    with pytest.raises(RowError, match="column 'hash'"):
        load_items(write_lines(tmp_path, [good(hash="3")]), mapping={"target": "hash"})


def test_further_fields_are_carried_over(tmp_path):
    """Kind, domain, family, source, licence, form, aliases and note come from their columns."""
    row = good(
        id="m-1",
        kind="sum",
        domain="mathematics",
        family="sums",
        source="my notes",
        licence="CC0-1.0",
        answer_form="number",
        truth_aliases=["four"],
        target_aliases="five|V",
        note="2 + 2 is 4",
    )
    (item,) = load_items(write_lines(tmp_path, [row]))
    assert (item.id, item.kind, item.domain, item.family) == ("m-1", "sum", "mathematics", "sums")
    assert (item.source, item.licence, item.answer_form) == ("my notes", "CC0-1.0", "number")
    assert (item.truth_aliases, item.target_aliases) == (("four",), ("five", "V"))
    assert item.proof.note == "2 + 2 is 4"


@pytest.mark.parametrize("cells", [{"id": "a b"}, {"answer_form": "essay"}])
def test_cells_that_no_item_can_hold_are_refused(tmp_path, cells):
    """An id with white space and an unknown form are errors of the row."""
    with pytest.raises(RowError, match="row 1"):
        load_items(write_lines(tmp_path, [good(**cells)]))


@pytest.mark.parametrize("text", ["a)", "(5)", "x.*y", "[z]"])
def test_signs_of_patterns_are_literal_c160(tmp_path, text):
    """C160: an answer such as `a)` is a text like any other."""
    (item,) = load_items(
        write_lines(tmp_path, [good(options=[text, "plain", "other"], truth=text, target="plain")])
    )
    assert item.matches_truth(text)
    assert not item.matches_truth("xay")


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (["a) no", "b) yes"], "b) yes"),
        (["a) no", "b) yes"], "yes"),
        (["1. no", "2. yes"], "2. yes"),
        (["0) no", "1) yes"], "1) yes"),
        (["(a) no", "(b) yes"], "B"),
        (["(1) no", "(2) yes"], "(2) yes"),
    ],
)
def test_labels_of_any_kind_are_taken_off(options, key):
    """C101: an option keeps no label of its own, which another order would set beside a letter."""
    found = read_options(options)
    assert found == ("no", "yes")
    assert read_key(key, found) == "yes"


@pytest.mark.parametrize(
    "options",
    [["B) no", "A) yes"], ["b. no", "a. yes"], ["2) no", "1) yes"], ["(1) no", "(0) yes"]],
)
def test_labels_in_another_order_are_refused(options):
    """C101: `(A) B) no` gives one option two letters, so that a reply could not be read."""
    with pytest.raises(KeyProblem, match="stand in the order"):
        read_options(options)


@pytest.mark.parametrize(
    "options",
    [
        ["1. Mai", "2. Juni"],
        ["1. Mai", "2. Juni", "3. Juli"],
        ["1. Liga", "2. Liga"],
        ["2. Liga", "1. Liga"],
        ["1. květen", "2. červen"],
        ["1. 5. 2020", "2. 6. 2021"],
        ["1. „Liga“", "2. „Bund“"],
        ["2. no", "1. yes"],
        ["1. no", "0. yes"],
        ["0. no", "1. yes"],
    ],
)
def test_a_number_with_a_period_that_may_be_an_ordinal_stays(options):
    """`1. Mai` is a day and no label: nothing of it is lost, and no order is asked of it."""
    assert read_options(options) == tuple(options)
    assert read_options(" | ".join(options)) == tuple(options)
    assert [read_key(option, tuple(options)) for option in options] == options


@pytest.mark.parametrize("rests", [["42", "43"], ["-3", "Paris"], ["$1.50", "much"], ["The", "x"]])
def test_a_number_before_what_follows_no_ordinal_is_a_label(rests):
    """It counts from 1, and one of the texts cannot stand after an ordinal."""
    assert read_options([f"{n}. {rest}" for n, rest in enumerate(rests, 1)]) == tuple(rests)


def test_options_that_only_begin_like_labels_stay():
    """Initials, ratios and decimals are texts."""
    for options in (["J. Smith", "A. Jones"], ["1: 2", "2: 3"], ["1.5 m", "2.5 m"], ["a b", "b"]):
        assert read_options(options) == tuple(options)
