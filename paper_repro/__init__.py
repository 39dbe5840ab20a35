"""The source papers' examples and formulas, worked through: `make paper`."""
