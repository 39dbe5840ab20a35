"""The command line: `fuzzytruth VERB`, a module for one or several verbs.

`app` starts and ends it, and `commands` assembles the commands, which `derive` and `derived` make
of the verbs' signatures. They share `options`, `inputs`, `compared_scores`, `tables`, `output` and
`messages`; all texts for people leave by `typed_words`. This package computes nothing.
"""
