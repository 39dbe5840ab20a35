"""Plausible mistakes of users, by door: what the message contains, and the call.

Of a message the parts that help are given, in their order: place, value, remedy; `...` stands for
anything between. Each mistake stands here once, those of commands in
tests/golden/mistakes_of_commands.txt, those of the formats of files in tests/io.
"""

from support.mistakes import figures, tables, verbs

#: what the error contains, and what gets it
ERRORS = tables.ERRORS | verbs.ERRORS | figures.ERRORS
#: what the warning contains, and what gets it
WARNINGS = tables.WARNINGS | verbs.WARNINGS
