"""The command line: `fuzzytruth VERB`, one module a verb.

`app` assembles the commands; `options`, `inputs`, `scoring`, `progress`, `tables`, `score_tables`,
`output` and `messages` hold what several of them need. Nothing is computed here.
"""
