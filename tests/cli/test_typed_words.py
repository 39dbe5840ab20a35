"""Messages of the library, in the words of the command line."""

import ast
import re
from pathlib import Path

import pytest
from support.forms_of_words import shellisms

import fuzzytruth as ft
from fuzzytruth.cli.typed_words import as_typed, flags

LIBRARY = Path(ft.__file__).parent


def text_of(node: ast.expr) -> str:
    """The text of a string expression, with some value in each placeholder."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return "'value'" if node.conversion == ord("r") else "value"
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    return ""


def messages() -> list[tuple[str, str]]:
    """All texts of errors and warnings in the library, the command line apart."""
    texts = []
    for path in LIBRARY.rglob("*.py"):
        if "cli" in path.relative_to(LIBRARY).parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            inner: list[ast.AST] = []
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                inner = list(node.exc.args)
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "warn", "require", "DataError", "OptionError", "MeasureError",
            ):  # fmt: skip
                inner = list(node.args)
            texts += [(path.name, text) for arg in inner if (text := text_of(arg))]
    return texts


def test_all_options_that_messages_name_are_translated() -> None:
    """An argument that is also an option is never shown as Python."""
    option = re.compile(rf"\b({'|'.join(flags())})=")
    texts = [(name, text) for name, text in messages() if option.search(text)]
    assert len(texts) > 15
    wrong = {text for _, text in texts if option.search(as_typed(text))}
    assert wrong == {
        "measure 'value': write Name(param=value,...)@k, such as P(rel=2)@10",
    }


def test_nothing_in_the_library_is_of_the_command_line() -> None:
    """Options and commands are named in its documentation alone."""
    found = set()
    for path in LIBRARY.rglob("*.py"):
        if "cli" not in path.relative_to(LIBRARY).parts:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            documented = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
            texts = (text_of(each) for each in ast.walk(tree) if id(each) not in documented)
            found |= {path.name for text in texts if shellisms(text)}
    assert found == {"harness_logs.py", "svg.py"}  # of other tools, and of styles


#: message of the library -> as it is shown
SHOWN = [
    ("3 missing; use missing='nonrelevant'", "3 missing; use --missing nonrelevant"),
    (
        "displacement 0 under unseen=optimist,",
        "displacement 0 under --unseen optimist,",
    ),
    ('worlds="subject": no subjects', "--worlds subject: no subjects"),
    ("groups=True agrees, groups=False not", "--groups agrees, --no-groups not"),
    ("read them with groups='intent'", "read them with --intents"),
    ("truth.aggregate('mean' | 'max'), or", "--aggregate mean|max, or"),
    ("name the files: read_runs({name: path, ...})", "name the files: NAME=FILE"),
    ("n_worlds=0: must be 1 or more", "--n-worlds 0: must be 1 or more"),
    ("rng=-1: must be None", "--seed -1: must be None"),
    ("keep the better: duplicates='first'", "keep the better: --duplicates first"),
    ("these need design='nested'", "these need --nested"),
    ("WD(order=sort,rate=2): no list", "WD(order=sort,rate=2): no list"),
    ("give rate=0.1, or order=sort.", "give --rate 0.1, or --unsorted sort."),
    ("by='group' has no flag", "by='group' has no flag"),
    ("say columns={'grade': 'My rating'}", "say --columns 'grade=My rating'"),
    ("or say: read_runs(path, columns={'item': 'a'}); c", "or say: --columns item=a; c"),
    ("say: Runs.from_labels(frame, columns={'item': 'a'})", "say: --columns item=a"),
    ("AP and more: measures.names()", "AP and more, see fuzzytruth measures"),
    ("columns: {'a': 'query'} is wrong", "--columns a=query is wrong"),
    ("columns: 'qery' is no column", "--columns: 'qery' is no column"),
    ("say which: run_columns={'score': ...}", "say which: --run-columns score=..."),
    ("not among grades={'a', 'b', and 3 more}", "not among --grades a, b, and 3 more"),
    ('or drop=["don\'t know", None]', "or --drop \"don't know\" --drop ''"),
    ("subjects=['ann', 'bob'] names", "--subjects ann,bob names"),
    ("columns=, drop=: a.run has none", "--columns, --drop: a.run has none"),
    ("rel={'ann': 3, 'bob': 1}: no", "--rel ann=3,bob=1: no"),
    (
        "votes; read_assignments reads them; if so",
        "votes; add --taxonomy tree.csv, or without a tree --by-example, --by-item (evaluate, "
        "compare, analyse) or --categories (agreement); if so",
    ),
    ("evaluate lists by votes.by_item(), or", "evaluate lists by --by-item, or"),
    ("name them: read_scores({name: path, ...})", "name them: NAME=FILE"),
    ("use Judgments.from_probabilities or a column 'x'", "use a column 'x'"),
    ("set one, rel={'a b': ..., ...}, or", "set one, --rel 'a b=...,...', or"),
    ("See ft.communities(votes).", "See fuzzytruth communities."),
    ("chance: ft.structure(votes, runs, measures))", "chance: fuzzytruth structure)"),
    ("alike; see pairwise_agreement.", "alike; see fuzzytruth agreement --by pair."),
    ("more than chance: .directions()", "more than chance"),
    (
        "the first 20 of 40; all: .to_frame(full=True)",
        "the first 20 of 40; all: --format csv, or -o FILE.csv",
    ),
    ("name a root to join them: root='all'", "add a row for each with one parent"),
    ("ask for: category={query: category}", "ask for: --category NAME"),
    ("paths='a.csv': is no log", "'a.csv': is no log"),
]


def test_messages_are_in_the_words_of_the_command_line() -> None:
    assert [as_typed(message) for message, _ in SHOWN] == [typed for _, typed in SHOWN]


def test_options_that_a_command_lacks_are_not_advised() -> None:
    message = "no relevant item: R@5; undefined='exclude' leaves them out"
    assert (
        as_typed(message, "evaluate")
        == "no relevant item: R@5; --undefined exclude leaves them out"
    )
    assert as_typed(message, "santini") == "no relevant item: R@5"
    other = "two truths; evaluate with worlds='subject'; -k 3 is too large"
    assert (
        as_typed(other, "santini")
        == "two truths; evaluate with --worlds subject; -k 3 is too large"
    )


def test_several_measures_are_written_as_in_the_shell() -> None:
    with pytest.raises(ft.errors.MeasureError) as caught:
        ft.measures.parse_measure("AP P@5")
    said = as_typed(str(caught.value))
    assert said == "measure 'AP P@5': give several with commas between them"
