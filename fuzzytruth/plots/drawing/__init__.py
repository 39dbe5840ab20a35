"""What figures have in common: axes, looks, texts that fit, layouts of trees, matrices and rows."""
