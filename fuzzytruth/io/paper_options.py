"""Options of tables for papers, whatever they show."""

from __future__ import annotations

from fuzzytruth.core.validation import option_flag, option_text, optional_text, whole_number

_MOST_DIGITS = 100


def check_paper_options(*, digits: int, caption: str | None, bold: bool, label: str = "") -> None:
    r"""Raise an `OptionError` that names the first option of another type.

    Parameters
    ----------
    digits : int
        Decimals.
    caption : str, optional
    bold : bool
    label : str
        What ``\ref`` names.
    """
    whole_number("digits", digits, 0, _MOST_DIGITS)
    optional_text("caption", caption)
    option_text("label", label)
    option_flag("bold", bold)
