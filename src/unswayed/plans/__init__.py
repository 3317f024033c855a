"""Items times conditions: factors, arms, content-hashed replays, confound checks, power and cost."""
