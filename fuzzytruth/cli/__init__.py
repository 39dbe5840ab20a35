"""The command line: `fuzzytruth VERB`, one module per verb.

`app` assembles the commands. They share `options`, `inputs`, `scoring` and `progress`; `tables`,
`score_tables` and `comparison_tables`; `output` and `messages`. This package computes nothing.
"""
