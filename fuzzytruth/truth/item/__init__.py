"""Items as queries, for which categories are retrieved."""
