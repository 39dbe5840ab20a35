"""What evaluation under uncertain truth shares: the setting, draws of worlds, exact moments."""
