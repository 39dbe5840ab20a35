"""Which votes to collect next."""
