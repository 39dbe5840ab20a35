"""Lists of subjects against lists of systems."""
