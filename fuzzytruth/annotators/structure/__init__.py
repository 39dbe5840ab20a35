"""Structure of disagreement among people: whether it matters who gave which vote, and to whom."""
