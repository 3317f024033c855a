"""Judges: their files, their prompts, and what never reaches them."""

import inspect

import msgspec
import pytest

from unswayed.errors import ReadoutError, WordingError
from unswayed.readouts.anchors import anchors_of
from unswayed.readouts.fence import GUTTER
from unswayed.readouts.judge import JUDGES, Judge, Matter, find_judge, load_judge, render

MATTER = Matter(
    question="What is 17 times 6?",
    truth="102",
    target="112",
    claim="Sums are hard.",
    other="A hundred or so.",
    reference="Sums are easy.",
)


def prompt_of(judge, reply="It is 102.", matter=MATTER, **fields):
    """A judge's prompt for a reply."""
    return render(find_judge(judge), matter, reply, **{"swapped": False, **fields})


@pytest.mark.parametrize("name", JUDGES)
def test_each_shipped_judge_is_complete(name):
    """A judge states a role, offers a closed list, and ends with its verdict line."""
    judge = find_judge(name)
    prompt = prompt_of(name)
    assert prompt.text.startswith(judge.role)
    assert prompt.text.endswith(f"\nVERDICT-{prompt.nonce}: WORD")
    assert all(f"- {verdict.word}: {verdict.says}" in prompt.text for verdict in judge.verdicts)
    assert set(prompt.words.values()) == set(judge.meanings)
    assert len(judge.sha256) == 64


def test_the_closed_lists():
    """The verdicts are those that the records know."""
    assert find_judge("answer_equivalence").meanings == ("truth", "target", "other", "no_answer")
    assert find_judge("stance").meanings == ("agrees", "disagrees", "mixed", "no_stance")


def test_warmth_and_deference_are_two_scales():
    """They are two judges with prompts of their own, and no judge rates both."""
    warmth, deference = find_judge("warmth"), find_judge("deference")
    assert warmth.ratings == deference.ratings == ("1", "2", "3", "4", "5")
    assert warmth.sha256 != deference.sha256
    assert warmth.prompt != deference.prompt
    assert "deference" not in warmth.prompt + warmth.role
    assert "warmth" not in deference.prompt + deference.role


def test_one_user_turn_is_sent():
    """C108: a judge needs no system role."""
    wire = prompt_of("stance").transcript().to_wire()
    assert [message["role"] for message in wire] == ["user"]


@pytest.mark.parametrize("name", JUDGES)
def test_render_takes_nothing_about_arm_or_model(name):
    """There is no way in for arm, pressure, transcript or model."""
    assert set(inspect.signature(render).parameters) == {
        "judge", "matter", "reply", "swapped", "draw",
    }  # fmt: skip
    assert set(Matter.__struct_fields__) == {
        "question", "truth", "target", "claim", "reference", "other",
    }  # fmt: skip
    needs = find_judge(name).needs
    text = prompt_of(name).text
    for field in Matter.__struct_fields__:
        shown = getattr(MATTER, field) in text.replace("It is 102.", "")
        assert shown == (field in needs), field


def test_the_references_are_not_told_apart():
    """The judge is told neither which answer is right nor which one was named."""
    text = prompt_of("answer_equivalence").text.lower()
    for word in ("truth", "target", "correct", "wrong", "user", "pressure", "model"):
        assert word not in text, word


def test_references_swap_and_words_follow():
    """The other order lists the target first, and the words keep their meaning."""
    plain = prompt_of("answer_equivalence")
    turned = prompt_of("answer_equivalence", swapped=True)
    assert plain.words["FIRST"] == turned.words["SECOND"] == "truth"
    assert plain.words["SECOND"] == turned.words["FIRST"] == "target"
    assert plain.text.index(f"{GUTTER}102\n") < plain.text.index(f"{GUTTER}112\n")
    assert turned.text.index(f"{GUTTER}112\n") < turned.text.index(f"{GUTTER}102\n")
    assert plain.nonce != turned.nonce


def test_verdicts_swap_elsewhere():
    """Judges without references list their verdicts the other way round."""
    plain, turned = prompt_of("stance"), prompt_of("stance", swapped=True)
    assert list(plain.words) == list(turned.words)[::-1]
    assert plain.words == turned.words


def test_the_number_belongs_to_one_prompt():
    """Another reply, order or draw has another number."""
    prompts = [
        prompt_of("stance"),
        prompt_of("stance", reply="It is 103."),
        prompt_of("stance", swapped=True),
        prompt_of("stance", draw=1),
    ]
    assert len({prompt.nonce for prompt in prompts}) == 4
    assert prompt_of("stance") == prompts[0]


def test_a_reply_is_a_value_and_never_scanned_again():
    """Holes and braces in a reply stay what they are."""
    reply = "{nonce} {role} {{reply}} {verdicts} \\frac{1}{2}"
    prompt = prompt_of("answer_equivalence", reply=reply)
    assert f"{GUTTER}{reply}\n" in prompt.text


def test_what_a_judge_needs_must_be_there():
    """A judge without its references or claim is not asked."""
    with pytest.raises(ReadoutError, match="answer_equivalence") as caught:
        prompt_of("answer_equivalence", matter=Matter(question="q", truth=" "))
    assert "no truth, no target" in str(caught.value)


def test_an_unknown_judge():
    """The message lists what there is."""
    with pytest.raises(ReadoutError, match="stance"):
        find_judge("vibes")


def changed(**fields):
    """A shipped judge with some fields changed."""
    return msgspec.structs.replace(find_judge("stance"), **fields)


def test_every_change_changes_the_hash():
    """Prompt, verdicts, role, version and way of showing all stand in the hash."""
    judge = find_judge("stance")
    verdict = msgspec.structs.replace(judge.verdicts[0], says="always")
    hashes = {
        each.sha256
        for each in (
            judge,
            changed(version=2),
            changed(role="You read."),
            changed(prompt=judge.prompt.replace("agree", "consent")),
            changed(verdicts=(verdict, *judge.verdicts[1:])),
        )
    }
    assert len(hashes) == 5


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"verdicts": find_judge("stance").verdicts[:1]}, id="one-verdict"),
        pytest.param({"null": "nothing"}, id="null-not-offered"),
        pytest.param({"scale": True}, id="scale-of-words"),
        pytest.param({"swaps": "references"}, id="no-references"),
        pytest.param({"prompt": "{role} {claim} {reply}"}, id="holes"),
        pytest.param(
            {"prompt": find_judge("stance").prompt + "\nThank you."}, id="verdict-line-not-last"
        ),
        pytest.param({"id": "My Judge"}, id="id"),
    ],
)
def test_a_judge_that_breaks_a_rule_is_refused(fields):
    """Bad judges fail when they are loaded, not when they are asked."""
    with pytest.raises(WordingError, match="breaks a rule"):
        Judge(**{**msgspec.structs.asdict(find_judge("stance")), **fields})


def test_a_judge_of_your_own(tmp_path):
    """A TOML file and a text file beside it make a judge."""
    (tmp_path / "mine.txt").write_text(find_judge("stance").prompt, encoding="utf-8")
    path = tmp_path / "mine.toml"
    fields = (
        'id = "mine"\nversion = 3\ndescribes = "d"\nrole = "r"\nneeds = ["claim"]\n'
        'swaps = "verdicts"\nnull = "no"\ninvariant = []\n'
    )
    verdicts = "".join(
        f'[[verdicts]]\nword = "{word.upper()}"\nmeans = "{word}"\nsays = "s"\n'
        for word in ("yes", "no")
    )
    path.write_text(fields + verdicts, encoding="utf-8")
    assert load_judge(path).name == "mine@3"
    with pytest.raises(WordingError, match="no anchors"):
        anchors_of(load_judge(path))
    path.write_text(fields + 'colour = "red"\n' + verdicts, encoding="utf-8")
    with pytest.raises(WordingError, match="colour"):
        load_judge(path)
    with pytest.raises(WordingError, match="cannot be read"):
        load_judge(tmp_path / "absent.toml")
