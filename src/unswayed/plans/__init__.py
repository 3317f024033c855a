"""Items times conditions: arms, content-hashed replays, confound checks, power and cost."""
