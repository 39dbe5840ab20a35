"""The command line: `fuzzytruth VERB`, one module per verb.

`app` starts and ends it, and `commands` assembles the commands. They share `options`, `inputs`,
`scoring` and `progress`; `tables`, `score_tables` and `comparison_tables`; `output`, `typed_words`,
`messages` and `usage`. This package computes nothing.
"""
