"""`Distribution`, those that have a name, and what lies between two of them."""
