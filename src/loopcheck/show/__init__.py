"""Reports as people and machines read them. Each module draws one format; `entry` is what they draw."""
