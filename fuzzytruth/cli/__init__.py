"""The command line: `fuzzytruth VERB`, one module a verb.

`app` assembles the commands. What several of them need: `options`, `inputs`, `scoring` and
`progress`; `tables`, `score_tables` and `comparison_tables`; `output` and `messages`. Nothing is
computed here.
"""
