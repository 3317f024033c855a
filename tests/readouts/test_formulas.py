"""The grammar of expressions: what it reads, and that nothing else gets through."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unswayed.readouts.formulas import FUNCTIONS, KINDS, parse_expression

NOT_EXPRESSIONS = (
    "", " ", "__import__('os').system('x')", "x.__class__", "lambda: 1", "exec(1)", "f'{1}'",
    "open(2)", "the integral diverges", "5 apples", "about 5", "x < 3", "2x + 3y = 6", "1 2",
    "(1", "1)", r"\frac{1}", r"\input{x}", r"\write18{x}", "x;y", "1..2", "a if b else c", "0x10",
    "(6 points) It takes 180 days.\nAnswer: 180 days.", "x" * 401, "(" * 60 + "1" + ")" * 60,
    "-" * 100 + "1", "1" + "+1" * 400, r"\pm 3", "#", "is", "5%", "ah",
    r"x = \sum_k k when k = 5 = 6", r"x = \sum k, y = 6", r"x = 5 \land y = 6",
)  # fmt: skip


@pytest.mark.parametrize("text", NOT_EXPRESSIONS)
def test_anything_else_is_no_expression(text):
    """Code, prose, inequalities, equations and what is too deep or too long has no tree."""
    assert parse_expression(text) is None


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (r"\dfrac{\pi}{2}", r"\frac{\pi}{2}"),
        (r"\left( x + 1 \right)", "(x+1)"),
        ("x²", "x^(2)"),
        ("3×4", r"3\cdot 4"),
        ("2x", r"2 x"),
        ("y = 2x + 1", "2x+1"),
        ("f(x) = x = 7", "7"),
        ("1,234", "1234"),
        (r"\sqrt{2}", "sqrt(2)"),
        (r"\mathcal{O}(n)", "O(n)"),
        (r"\text{Theta}(n)", "Θ(n)"),
        ("x**2", "x^2"),
        ("$x$", "x"),
        (r"S_n = \sum k = \frac{n(n+1)}{2}", r"\frac{n(n+1)}{2}"),
        (r"S_n = \sum_{k=1}^{n} k = \frac{n(n+1)}{2}", r"\frac{n(n+1)}{2}"),
        (r"x = \lim_{n\to\infty} a_n = 5", "5"),
        (r"y = \int x dx = x^2/2", "x^2/2"),
        ("A = ah/2", "a*h/2"),
        (r"\frac{ah}{2}", r"\frac{a h}{2}"),
    ],
)
def test_two_ways_of_writing_give_one_tree(text, same):
    """Notation is folded before anything is compared."""
    assert parse_expression(text) == parse_expression(same) is not None


def test_a_mixed_number_is_a_sum():
    """A whole number before a fraction of numbers is added to it."""
    assert parse_expression(r"3\frac{1}{2}")[0] == "add"
    assert parse_expression(r"x\frac{1}{2}")[0] == "mul"


def kinds_in(tree):
    """The kinds of all nodes, and the functions that are called."""
    found = [tree[0]]
    for part in tree[1:]:
        if isinstance(part, tuple):
            found += kinds_in(part)
        elif tree[0] == "call":
            found.append(part)
    return found


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                (*FUNCTIONS, "x", "2", "(", ")", "{", "}", "+", "^", "\\frac", "_", "!", "=", ",",
                 "|", "\\{", "\\}", "[", "]", " ", ".5", "O", "\\left")
            ),
            max_size=20,
        ).map("".join),
    )
)  # fmt: skip
def test_any_text_gives_a_tree_of_known_nodes_or_nothing(text):
    """A tree holds only kinds and functions of the closed lists."""
    tree = parse_expression(text)
    if tree is not None:
        known = {*KINDS, *FUNCTIONS.values(), "factorial", "binomial"}
        assert set(kinds_in(tree)) <= known
