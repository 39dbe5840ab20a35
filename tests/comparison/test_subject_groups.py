"""Groups of subjects, as users name them."""

from __future__ import annotations

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.compare_groups import subject_groups
from fuzzytruth.errors import SubjectWarning


def scores(subjects=4, **given):
    values = np.random.default_rng(0).random((2, subjects, 3))
    return scores_of(values, **given)


def test_groups_come_in_the_order_of_the_mapping_and_subjects_in_that_of_the_scores():
    found = subject_groups(scores(), {"s3": "x", "s1": 2, "s0": "x", "s2": 2})
    assert list(found.items()) == [("x", ("s0", "s3")), ("2", ("s1", "s2"))]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"s0": "x", "s1": "y"}, "groups: 2 subjects are in no group and left out"),
        ({"s0": "x", "s1": "y", "s2": "y"}, "groups: 1 subject is in no group and left out"),
        ({"s0": "x", "s1": "y", "s2": "", "s3": "y"}, "groups: 1 subject is in no"),
    ],
)
def test_others_are_counted(groups, message):
    with pytest.warns(SubjectWarning, match=message):
        subject_groups(scores(), groups)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("team", r"groups='team': must be \{subject: group\}"),
        ({"s0": "x", "as1": "y"}, r"'as1' is no subject of these scores \(nearest: 's1'"),
        ({"u": "x", "v": "y"}, "'u', 'v' are no subjects of these scores"),
        ({"s0": "x", "s1": "x"}, "all subjects are in group 'x'; a comparison takes two groups"),
        ({}, "no subject is in any; a comparison takes two groups or more"),
        ({"s0": None}, "no subject is in any"),
    ],
)
def test_errors(groups, message):
    with pytest.raises(ft.OptionError, match=message):
        subject_groups(scores(), groups)


def test_only_crossed_subjects_have_groups():
    with pytest.raises(ft.OptionError, match="no subjects; evaluate with worlds='subject'"):
        subject_groups(scores_of(np.ones((2, 3))), {"s0": "x"})
    with pytest.raises(ft.OptionError, match="groups: the subjects are nested in queries"):
        subject_groups(scores(design="nested"), {"s0": "x", "s1": "y"})
