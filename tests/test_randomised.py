"""Settings of randomised tests."""

import time

from hypothesis import Phase, given, settings
from hypothesis import strategies as st


@settings(max_examples=2, phases=[Phase.generate])
@given(st.booleans())
def test_slow_examples_do_not_fail(slow: bool) -> None:
    """Hypothesis's own deadline is 0.2 s; decorators inherit the profile of tests/conftest.py."""
    if slow:
        time.sleep(0.25)


def test_the_profile_is_loaded() -> None:
    assert settings().deadline is None
    assert settings(max_examples=3).deadline is None
