"""Names of columns, and the spellings of them that are accepted.

Spellings differ in case, `-`, `_` and blanks alone, and in the prefixes that annotation tools put
before the columns of their exports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fuzzytruth import errors
from fuzzytruth.errors import OptionError, first_few, nearest, shown, shown_all

if TYPE_CHECKING:
    from fuzzytruth.io.columns import Origin

_COMPARED = "item_{0} model_{0} system_{0} response_{0} answer_{0} doc_{0} option_{0}"

#: canonical name of a column -> spellings, the best first: of two columns, the one whose spelling
#: comes in an earlier group is taken, and two of one group are ambiguous. `query`, and `document`
#: to `task`, may hold the text; `iteration` is the second column of TREC judgments, the same
#: throughout in most.
_GROUPS = {
    name: [group.split() for group in groups.split("|")]
    for name, groups in {
        "query": "qid query_id q_id | query | topic topic_id | _id",
        "item": "item | doc_id docid docno item_id pmid | document_id corpus_id passage_id "
        "image_id | document doc passage image task | task_id unit_id | pid | url filename",
        "score": "score sim similarity",
        "grade": "grade relevance rel label gain rel_level | rating label_score relevance_score | "
        "judgment judgement relevance_label",
        "subject": "subject annotator worker assessor rater reader user judge | annotator_id "
        "worker_id rater_id coder coder_id user_id labeler labeller labeler_id model_id "
        "assessor_id judge_id subject_id reviewer reviewer_id participant participant_id",
        "intent": "intent subtopic aspect facet interpretation nugget | intent_id subtopic_id "
        "aspect_id facet_id nugget_id | iteration",
        "category": "category class node label response concept | labels choice category_name "
        "class_name label_name",
        "cluster": "cluster cluster_id group",
        "stratum": "stratum stratum_id group",
        "group": "group community group_id",
        "weight": "weight",
        "probability": "probability prob",
        "position": "position",
        "rank": "rank",
        "count": "count n_votes",
        "seed": "seed random_seed seed_id",
        "repeat": "repeat repeat_id repetition replicate",
        "system": "system run run_id runid tag | model method model_name system_id",
        "value": "value score metric_value result",
        "measure": "measure metric",
        "distance": "distance dist",
        "parent": "parent parent_id hypernym superclass broader source",
        "child": "child child_id hyponym subclass narrower target category",
        "winner": "winner chosen",
        "loser": "loser rejected",
        "left": f"left {_COMPARED.format('a')} item_1 model_1 first",
        "right": f"right {_COMPARED.format('b')} item_2 model_2 second",
        "preferred": "preferred preference winner choice vote",
    }.items()
}

#: canonical name of a column -> accepted spellings, the canonical one first
COLUMN_ALIASES: dict[str, tuple[str, ...]] = {
    name: (name, *(alias for group in groups for alias in group if alias != name))
    for name, groups in _GROUPS.items()
}

#: canonical names of columns that hold numbers; all others hold ids
NUMBERS = frozenset(
    {"grade", "probability", "position", "score", "distance", "rank", "weight", "value", "count"}
)

_Names = list[tuple[str, ...]]
_KEPT, _RIVAL = "kept ", "rival "
_VOTES = "votes for categories"

#: what has these columns: alternatives for each, by canonical names
_TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "a run": (("query",), ("item",), ("score", "distance", "rank")),
    "judgments": (("query",), ("item",), ("grade", "probability")),
    "scores": (("system",), ("query",), ("value",)),
    _VOTES: (("subject",), ("item",), ("category",)),
    "a taxonomy": (("parent",), ("child",)),
    "pairwise preferences": (("left", "winner"), ("right", "loser"), ("preferred",)),
}

#: spellings that can mean nothing but grades
_ONLY_GRADES = frozenset({"relevance", "rel", "gain", "rellevel"})

_PREFIX = re.compile(r"(?:INPUT:|OUTPUT:|ASSIGNMENT:|Input\.|Answer\.|data\.)(?=.)")
_ANSWER = re.compile(r"(?:OUTPUT:|Answer\.)(?=.)")  # of Toloka and of Mechanical Turk
_REPEAT = re.compile(
    r"epoch|seed|trial|attempt|fold(?!er)|repetition|replicate|repeat|runs?(no|nr|num|number|index|idx)$"
)
_PERSON = re.compile(
    r"annotator|worker|rater$|raterid|ratername|coder|judge(?!ment)|assessor|reviewer|expert|"
    r"label+er|participant|person|initials|evaluator|respondent|voter|grader|turker|user(?!agent)|"
    r"(annotated|labell?ed|rated|judged|completed|created|reviewed)by|^(model|llm|who|crowdid|email)$"
)


def normalised(name: Any) -> str:
    """A column's name as spellings are compared: without case, `-`, `_`, blanks and prefix.

    Examples
    --------
    >>> [normalised(name) for name in ("Query-ID", "ASSIGNMENT:worker_id", "WorkerId", "_id")]
    ['queryid', 'workerid', 'workerid', '_id']
    """
    text = _PREFIX.sub("", str(name).strip(), count=1)
    plain = re.sub(r"[-_\s]", "", text).lower()
    return f"_{plain}" if text.startswith("_") else plain


_KNOWN: dict[str, list[frozenset[str]]] = {
    name: [frozenset(map(normalised, group)) for group in groups]
    for name, groups in _GROUPS.items()
}

#: canonical name -> all its spellings, normalised
_SPELLINGS: dict[str, frozenset[str]] = {
    name: frozenset[str]().union(*groups) for name, groups in _KNOWN.items()
}


def is_known(name: Any) -> bool:
    """Whether a column's name is a spelling of any canonical name."""
    plain = normalised(name)
    return any(plain in spellings for spellings in _SPELLINGS.values())


def is_spelling(name: Any, canonical: str) -> bool:
    """Whether a column's name is a spelling of this canonical name."""
    return normalised(name) in _SPELLINGS[canonical]


def has_columns(present: Iterable[Any], canonical: Iterable[str]) -> bool:
    """Whether each of these canonical names has a spelling among the columns."""
    present = list(present)
    return all(any(is_spelling(name, wanted) for name in present) for wanted in canonical)


def is_answer(name: Any) -> bool:
    """Whether the export of an annotation tool marks a column as an answer."""
    return _ANSWER.match(str(name).strip()) is not None


def may_name_people(names: Iterable[Any]) -> list[str]:
    """Those names of columns that seem to say who judged."""
    return [str(name) for name in names if _PERSON.search(normalised(name))]


def may_tell_repeats(names: Iterable[Any]) -> list[str]:
    """Those names of columns that seem to tell repeated runs or judgments apart."""
    return [str(name) for name in names if _REPEAT.search(normalised(name))]


def report_people(origin: Origin, where: str) -> None:
    """Warn of columns that are not used and seem to say who judged."""
    people = may_name_people(origin.unused)
    if people:
        errors.warn(
            f"{where}: not used: {first_few(people, show=repr)}; if {people[0]!r} says who judged, "
            f"name it: columns={{'subject': {people[0]!r}}}",
            errors.UnusedColumnWarning,
        )


#: names of columns that say yes or no to a category
_ANSWERS = frozenset({"answer", "vote", "verdict", "selected", "decision", "accepted", "present"})


def report_answers(origin: Origin, where: str) -> None:
    """Warn of a column that was not used and seems to say whether the category was given."""
    answers = [name for name in origin.unused if normalised(name) in _ANSWERS]
    if answers:
        errors.warn(
            f"{where}: not used: {shown(answers[0])}; every row counts as a vote for its category "
            f"({origin.column('category')}), so if that column says yes or no, keep the rows that "
            "say yes, and give the others as asked=",
            errors.UnusedColumnWarning,
        )


def find_columns(
    present: Iterable[str],
    required: tuple[str, ...],
    optional: tuple[str, ...],
    *,
    where: str,
    any_of: tuple[str, ...] = (),
    hints: Mapping[str, str] | None = None,
    reader: str | None = "",
) -> dict[str, str]:
    """Match the columns `present` with canonical names, at least one of `any_of` among them.

    `hints` end the message about a column that is missing, by canonical name; `reader` is the call
    that takes names of columns, as far as these, such as "read_runs(path"; None if none does.

    Returns
    -------
    dict
        Canonical name -> the column's own name, for each column that matches.

    Raises
    ------
    DataError
        A required column is missing, or two columns match the same canonical name.
    """
    present = list(present)
    matched: dict[str, str] = {}
    for name in (*required, *any_of, *optional):
        matches = best_matches(name, present)
        if len(matches) > 1:
            raise errors.DataError(
                f"{where}: columns {', '.join(map(repr, matches))} all mean {name!r}; keep one, or "
                f"say which: {_said(reader, f'{name!r}: {str(matches[0])!r}')}"
            )
        if matches:
            matched[name] = matches[0]
    missing: _Names = [(name,) for name in required if name not in matched]
    if any_of and matched.keys().isdisjoint(any_of):
        missing.append(any_of)
    if missing:
        ends = dict.fromkeys((hints or {}).get(either[0], "") for either in missing)
        free = [name for name in present if name not in matched.values()]
        raise _missing_columns(where, missing, present, free, "".join(ends), reader)
    return matched


def best_matches(name: str, present: Sequence[Any]) -> list[Any]:
    """The columns that match a canonical name by the best spelling that occurs."""
    for group in _KNOWN[name]:
        matches = [column for column in present if normalised(column) in group]
        exact = [column for column in matches if normalised(column) == name]
        if len(exact) == 1:  # two columns of grades stay ambiguous
            matches = exact + [c for c in matches if normalised(c) in _ONLY_GRADES]
        if matches:
            return matches
    return []


def _missing_columns(
    where: str, missing: _Names, present: list[Any], free: list[Any], hint: str, reader: str | None
) -> errors.DataError:
    """All that are missing, each of alternatives, and which of the `free` columns they may be."""
    what, if_so = _seems(present), "if so"
    seems = what and f", which are those of {what}; see that this is the file you mean"
    of_judgments = missing[0] == ("query",) and all("grade" in one for one in missing[1:])
    if what == _VOTES and of_judgments:
        takes = "Assignments.from_frame" if where == "frame" else "read_assignments"
        seems, if_so = f", which are those of {what}; {takes} reads them", "if they are judgments"
    if missing[0][0] in ("system", "value") and what in ("judgments", "a run"):  # half of the input
        seems += "; judgments and runs make scores together, in this order"
    likely = _likely(missing, free)
    named = ", ".join(f"{key!r}: {own!r}" for key, own in likely.items())
    some, which = ("one", "it is") if len(missing) == 1 else ("some", "they are")
    said = f"; or say which {which}: {_said(reader, named)}"
    if reader is None:
        said = f": {', '.join(f'{own!r} to {key!r}' for key, own in likely.items())}"
    if missing == [("query",)] and not what and has_columns(present, ("item", "subject")):
        hint += "; if all are of one query, add a column with its id"
    advice = (seems and f"{seems}; {if_so}, add columns={{{named}}}") or (
        f"; rename {some}{said}{hint}" if present else hint
    )
    most = None if len(missing) == 1 else 5
    wanted = ", and for ".join(
        f"{' or '.join(map(repr, either))} (accepted: {_accepted(either, most)})"
        for either in missing
    )
    return errors.DataError(
        f"{where}: no column for {wanted}; columns present: {shown_all(map(str, present))}{advice}"
    )


def _said(reader: str | None, named: str) -> str:
    """How names of columns are said, to the `reader` that takes them."""
    return f"{reader}, columns={{{named}}})" if reader else f"columns={{{named}}}"


def _accepted(names: Iterable[str], most: int | None) -> str:
    """Spellings of these names, all or the first ones."""
    spellings = [alias for name in names for alias in COLUMN_ALIASES[name]]
    more = ["..."] if len(spellings) > (most or len(spellings)) else []
    return ", ".join(spellings[:most] + more)


def _likely(missing: _Names, free: list[Any]) -> dict[str, str]:
    """The columns that the missing ones may be, by canonical name; '...' where none is alike."""
    unknown = [name for name in free if not is_known(name)]
    as_many = len(missing) == len(unknown)  # then in this order, as most tables have it
    out: dict[str, str] = {}
    for either in missing:
        like = {one: name for name in either for one in unknown if may_be(one, name)}
        found = next(iter(like), unknown[0] if as_many else None)
        if found is not None:
            unknown.remove(found)
        out[like.get(found, either[0])] = "..." if found is None else str(found)
    return out


def may_be(name: Any, canonical: str) -> bool:
    """Whether a column's name is much like a spelling of a canonical name, or has one in it.

    Examples
    --------
    >>> may_be("Topic No.", "query"), may_be("Initials", "subject"), may_be("Topic No.", "item")
    (True, True, False)
    """
    import difflib

    plain = re.sub(r"\W", "", normalised(name))
    if canonical == "subject" and _PERSON.search(plain):
        return True
    spellings = _SPELLINGS[canonical]
    return any(plain.startswith(one) for one in spellings if len(one) > 2) or bool(
        difflib.get_close_matches(plain, spellings, n=1, cutoff=0.75)
    )


def given_columns(
    columns: Mapping[str, Any] | None, known: tuple[str, ...], present: list[Any], where: str
) -> dict[str, Any]:
    """Canonical name -> the column's own name, for the columns that the user named.

    Raises
    ------
    OptionError
        It is no mapping, or a name is not one of `known`, or given twice.
    DataError
        There is no such column.
    """
    if columns is None:
        return {}
    rule = "must be {name: your column}, such as {'query': 'topic_no'}"
    errors.require("columns", columns, isinstance(columns, Mapping), rule)
    out: dict[str, Any] = {}
    for key, own in columns.items():
        name = canonical_name(key, known)
        if name is None:
            raise _unknown_key(key, own, known, present)
        if name in out:
            raise OptionError(f"columns: {name!r} is given twice; keep one")
        if own not in present:
            raise no_column(where, own, present, f", which columns={{{key!r}: {own!r}}} names")
        out[name] = own
    return out


def no_column(where: str, name: Any, present: Iterable[Any], said_by: str) -> errors.DataError:
    """The error of a column that is named, by what `said_by` says, and is not there."""
    others = list(map(str, present))
    return errors.DataError(
        f"{where}: no column {shown(name)}{nearest(str(name), others)}{said_by}; columns present: "
        f"{shown_all(others)}"
    )


def canonical_name(key: Any, known: tuple[str, ...]) -> str | None:
    """The canonical name that a key is, or is a spelling of."""
    if key in known:
        return str(key)
    plain = normalised(key)
    names = [name for name in known if plain in _SPELLINGS[name]]
    return names[0] if len(names) == 1 else None


def _unknown_key(key: Any, own: Any, known: tuple[str, ...], present: list[Any]) -> OptionError:
    if key in present and canonical_name(own, known) is not None:
        return OptionError(
            f"columns: {{{key!r}: {own!r}}} is the wrong way round; write "
            f"columns={{{own!r}: {key!r}}}"
        )
    return OptionError(
        f"columns: {shown(key)} is no column that is read here{nearest(str(key), known)}; the "
        f"names are {', '.join(known)}"
    )


def _seems(present: Iterable[Any]) -> str:
    """What else has the columns `present`; empty if nothing."""
    names = {normalised(name) for name in present}
    for what, columns in _TABLES.items():
        if all(any(names & _SPELLINGS[name] for name in either) for either in columns):
            return what
    return ""


def kept_key(name: str) -> str:
    """What a column that keeps its own name is called among canonical names."""
    return f"{_KEPT}{name}"


def rival_key(name: str) -> str:
    """What a column is called among canonical names that could have been read as the grades."""
    return f"{_RIVAL}{name}"


def rival_of(key: str) -> str | None:
    """The own name of a column that could have been read as the grades; None of any other."""
    return key.removeprefix(_RIVAL) if key.startswith(_RIVAL) else None


def may_miss(key: str) -> bool:
    """Whether a row may lack a column that keeps its own name, or is a rival."""
    return key.startswith((_KEPT, _RIVAL))
