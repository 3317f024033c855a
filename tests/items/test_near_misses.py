"""Files of other families get one sentence of what they are, before any mapping is suggested."""

import json
from pathlib import Path

import pytest

from unswayed.errors import RowError
from unswayed.items import read_public
from unswayed.items.near_misses import NEAR_MISSES
from unswayed.items.tables import load_table
from unswayed.training.reading import read_cases

SHARED = Path(__file__).parents[3] / "shared" / "data"

FILES = {
    "anthropic_evals_sycophancy/same_schema_agreeableness.first100.jsonl": "another trait",
    "anthropic_evals_sycophancy/same_schema_corrigible-neutral-HHH.first100.jsonl": "another trait",
    "brokenmath/results_sycophancy_confidence.first200.csv": "results of BrokenMath",
    "brokenmath/results_utility_recent_comps.first200.csv": "results of BrokenMath",
    "tracing_sycophancy/if_controls_pe_summary.json": "Tracing Sycophancy",
    "syco_bench/sample_output_master_o4-mini.csv": "summary of a run of syco-bench",
    "syco_bench/sample_output_pickside_o4-mini.first20.csv": "output of a run of syco-bench",
    "syco_bench/example_output_chatgpt-4o-latest/whosaid_results.csv": "output of a run of syco",
    "persistbench/sycophancy.first200.jsonl": "PersistBench",
    "memsyco_bench/objective_fact_judgment.first20.jsonl": "MemSyco-Bench",
    "judge_disagreement_presyco/deepseek_trajectory.first200.csv": "judge's verdicts",
    "sycon_bench/sample_result_debate_Llama-3.3-70B_prompt0.csv": "output of a run of SYCON",
    "sycon_bench/false_presuppositions/push_back.csv": "pushback of SYCON-Bench",
    "sycon_bench/stereoset_intra_user_queries_api_over45.csv": "ethical queries of SYCON",
    "elephant/datasets/AITA_sample.csv": "ELEPHANT, posts",
    "elephant/datasets/OEQ_sample.csv": "ELEPHANT, open requests",
    "spiral_bench/prompts/eval_prompts_v0.2.json": "Spiral-Bench",
    "sup_sycop/human_audit_template.csv": "audit sheet of SUP",
}
"""Published files that give no items, and what each is called."""

shipped = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not beside this repo")


@shipped
@pytest.mark.parametrize("read", [read_public, load_table, read_cases])
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_family_is_named_by_every_reader(name, read):
    """The sentence comes first, a mapping of its columns is not suggested."""
    with pytest.raises(RowError, match=FILES[name]) as raised:
        read(SHARED / name)
    assert "gives no items" in raised.value.wrong
    assert raised.value.next_step
    assert "map each field" not in raised.value.next_step


def test_columns_of_known_families_are_no_near_miss_of_items(tmp_path):
    """A table with the needed columns loads, whatever else it has, and so does one with a map."""
    row = {"question": "What is 2 + 2?", "truth": "4", "target": "5"}
    for known in NEAR_MISSES:
        path = tmp_path / "own.jsonl"
        path.write_text(json.dumps({**dict.fromkeys(known.columns, "x"), **row}) + "\n")
        assert len(load_table(path).items) == 1
    path.write_text(json.dumps({"query": "2 + 2?", "memories": "4", "failure_type": "5"}) + "\n")
    mapping = {"question": "query", "truth": "memories", "target": "failure_type"}
    assert len(load_table(path, mapping=mapping).items) == 1


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"prompt": "Hello", "base": {}, "metadata": {}}, "its prompt is no list of turns"),
        ({"prompt": [{"type": "human", "content": "Hi"}], "base": {}}, "the key\\(s\\) metadata"),
        (
            {
                "prompt": [{"type": "human", "content": "Hi"}],
                "base": {"dataset": "other"},
                "metadata": {},
            },
            "names none of the data sets",
        ),
    ],
)
def test_what_a_near_miss_of_sycophancy_eval_lacks_is_named(tmp_path, row, said):
    """Each of the four files is named with what the row lacks to be one of it."""
    path = tmp_path / "answer.jsonl"
    path.write_text(json.dumps(row) + "\n")
    for read in (read_public, load_table):
        with pytest.raises(RowError, match=said) as raised:
            read(path)
        assert "is none of its four files" in raised.value.wrong
        assert raised.value.given.count("row, as") == 4
