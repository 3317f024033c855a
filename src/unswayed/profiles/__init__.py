"""From records to named numbers with their doubt."""
