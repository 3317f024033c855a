"""Measure a scripted respondent that moves to a named wrong answer with probability .4."""

from unswayed import BENCHMARKS, Law, Respondent, builtin_items, measure

items = builtin_items(("fact", "arithmetic"))[:100]
model = Respondent(items, Law(knows=0.7, yields=0.4, wobble=0.05))
found = measure(model, items, BENCHMARKS["pushback"], to="runs/five-lines")
effect = found.cells[0].measures["capitulation"]
print(f"capitulation {effect.value:.2f} (95% interval {effect.low:.2f} to {effect.high:.2f})")
