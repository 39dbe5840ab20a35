"""What figures have in common: looks, axes, names, texts that fit, layouts of trees."""
