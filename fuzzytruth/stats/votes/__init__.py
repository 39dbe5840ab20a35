"""Models of who votes how reliably, and what the votes say of them."""
