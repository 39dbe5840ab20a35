"""The data types, and how they are read and written."""
