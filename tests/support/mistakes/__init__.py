"""Plausible mistakes of users, by door: what the message contains, and the call.

Of a message the parts that help are given, in their order: place, value, remedy; `...` stands for
anything between. Each mistake stands here once; those of the formats of files stand in tests/io.
"""

from __future__ import annotations

from support.mistakes import command_line, figures, tables, verbs

#: what the error contains, and what gets it
ERRORS = tables.ERRORS | verbs.ERRORS | figures.ERRORS
#: what the warning contains, and what gets it
WARNINGS = tables.WARNINGS | verbs.WARNINGS
#: what the command line says, and its arguments
COMMANDS = command_line.COMMANDS
