"""The Bayesian Truth Serum as a reward of a group, with everything that makes a group unfit."""

from __future__ import annotations

import hashlib
import math
from typing import ClassVar, Literal

import msgspec

from unswayed.errors import UsageError
from unswayed.items.item import canonical
from unswayed.rewards.reports import Report, read_reports
from unswayed.rewards.reward import RewardValue
from unswayed.rewards.serum import (
    FLOOR,
    score_bts,
    score_bts_loo,
    score_pts,
    score_rbts,
    score_rrbts,
)
from unswayed.rewards.settings import check_settings
from unswayed.rewards.shapes import Batch, group_rows

Variant = Literal["bts", "bts_loo", "rbts", "rrbts"]
_LEAST: dict[Variant, int] = {"bts": 3, "bts_loo": 3, "rbts": 3, "rrbts": 4}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Serum(msgspec.Struct, frozen=True, kw_only=True):
    """Pays reports inside a group by the Bayesian Truth Serum (arXiv 2608.25267).

    bts and bts_loo: alpha I + beta P + gamma 1[x = truth]; rbts and rrbts: the robust forms.
    A group pays None where it is not whole, where too few reports are read, or where its rewards
    are so alike that standardization inside the group would turn noise into advantages.
    """

    name: ClassVar[str] = "serum"
    needs: ClassVar[tuple[str, ...]] = ("group_id",)
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    variant: Variant = "bts"
    """Which form."""
    alpha: float = 1.0
    """Weight of the information score; 0 while predictions are warmed up."""
    beta: float = 1.0
    """Weight of the prediction score."""
    gamma: float = 0.0
    """Weight of the truth; needs the column `truth`, which is read on anchors alone where a column
    `anchor` tells them."""
    floor: float = FLOOR
    """Least share that a prediction may state; the paper's is 1e-12."""
    least_spread: float = 0.05
    """Least standard deviation of a group's rewards (population); 0 pays every group."""
    penalty: float | None = None
    """Paid for an unread report in a group with enough others; the paper's is -2."""
    expected_size: int | None = None
    """How many completions a whole group has; else the column `group_size` says it."""
    seed: int = 0
    """Seed of the order on the ring and of the member outside of it."""

    def __post_init__(self) -> None:
        check_settings(self, least_spread=0, expected_size=1)
        if not 0 < self.floor < 0.5:
            raise UsageError(
                "The floor of a serum clips no share",
                allowed="above 0 and below .5",
                given=repr(self.floor),
                next_step="leave it out, or state the least share that a prediction may have",
            )

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call; members are found by `group_id`, never by place."""
        reports = read_reports(batch)
        groups = group_rows(batch, expected_size=self.expected_size)
        values: dict[int, RewardValue] = {
            row: RewardValue(reason=reason) for row, reason in groups.reasons.items()
        }
        for key, rows in groups.members.items():
            unfit = self._why_unfit(batch, rows, reports)
            if unfit is not None:
                values.update((row, RewardValue(reason=unfit)) for row in rows)
            else:
                values.update(self._pay_group(batch, key, rows, reports))
        return [values[row] for row in range(len(batch))]

    def _why_unfit(self, batch: Batch, rows: tuple[int, ...], reports: list[Report]) -> str | None:
        if self.expected_size is None and batch.cell("group_size", rows[0]) is None:
            return "missing_column:group_size"
        n_read = sum(reports[row].reason is None for row in rows)
        if n_read < _LEAST[self.variant]:
            return f"too_few_read:{n_read}/{len(rows)}"
        if self._reads_truth(batch, rows[0]) and verdict_of(batch.cell("truth", rows[0])) is None:
            absent = batch.cell("truth", rows[0]) is None
            return "missing_column:truth" if absent else "unread_gold"
        return None

    def _reads_truth(self, batch: Batch, row: int) -> bool:
        """Whether gamma is paid: on anchors, or on every row where no column tells anchors."""
        if not self.gamma:
            return False
        return "anchor" not in batch.columns or is_yes(batch.cell("anchor", row))

    def _pay_group(
        self, batch: Batch, key: str, rows: tuple[int, ...], reports: list[Report]
    ) -> dict[int, RewardValue]:
        read = _on_ring(batch, [row for row in rows if reports[row].reason is None], self.seed)
        answers = [bool(reports[row].answer) for row in read]
        shares = [float(reports[row].share or 0.0) for row in read]
        parts = self._parts(key, answers, shares)
        truth = (
            verdict_of(batch.cell("truth", rows[0])) if self._reads_truth(batch, rows[0]) else None
        )
        values: dict[int, RewardValue] = {}
        for row, answer, own in zip(read, answers, parts, strict=True):
            if truth is not None:
                own["truth"] = self.gamma * (answer == truth)
            paid = math.fsum(own.values())
            said = "true" if answer else "false"
            values[row] = RewardValue(value=paid, answer=said, parts=dict(own))
        for row in rows:
            if row not in values:
                values[row] = _pay_unread(reports[row], self.penalty)
        return self._unless_alike(values)

    def _parts(self, key: str, answers: list[bool], shares: list[float]) -> list[dict[str, float]]:
        if self.variant in ("bts", "bts_loo"):
            form = score_bts if self.variant == "bts" else score_bts_loo
            pairs = [(1 - share, share) for share in shares]
            return [
                {
                    "information": self.alpha * each.information,
                    "prediction": self.beta * each.prediction,
                }
                for each in form([int(answer) for answer in answers], pairs, floor=self.floor)
            ]
        if self.variant == "rbts":
            return [{"robust": each} for each in score_rbts(answers, shares)]
        outside = int(_hash(self.seed, key)[:8], 16) % len(answers)
        return [{"robust": each} for each in score_rrbts(answers, shares, excluded=outside)]

    def _unless_alike(self, values: dict[int, RewardValue]) -> dict[int, RewardValue]:
        paid = [each.value for each in values.values() if each.value is not None]
        mean = math.fsum(paid) / len(paid)
        spread = math.sqrt(math.fsum((each - mean) ** 2 for each in paid) / len(paid))
        if spread >= self.least_spread:
            return values
        return {row: RewardValue(reason="degenerate_group") for row in values}


class PeerRates:
    """How often each answer was given to each question so far; survives a resumed run as JSON."""

    def __init__(self, counts: dict[str, tuple[int, int]] | None = None) -> None:
        self.counts: dict[str, tuple[int, int]] = dict(counts or {})

    def rates(self, question: str) -> tuple[float, float]:
        """Rates of "false" and "true": (count + 1) / (total + 2), .5 each at the start."""
        counts = self.counts.get(question, (0, 0))
        total = sum(counts) + 2
        return (counts[0] + 1) / total, (counts[1] + 1) / total

    def add(self, question: str, answers: list[bool]) -> None:
        """Count a group's answers."""
        no, yes = self.counts.get(question, (0, 0))
        self.counts[question] = (no + answers.count(False), yes + answers.count(True))

    def to_json(self) -> bytes:
        """The counts as JSON, to be saved beside a checkpoint."""
        return msgspec.json.encode(self.counts)

    @classmethod
    def from_json(cls, text: bytes) -> PeerRates:
        """The counts that `to_json` has written."""
        return cls(msgspec.json.decode(text, type=dict[str, tuple[int, int]]))


class PeerTruth(msgspec.Struct, frozen=True, kw_only=True):
    """Pays agreement with a peer, more for answers that are rarer so far (Peer Truth Serum).

    Needs no prediction. The rates of a question (column `item_id`) are counted after each group,
    so a second call with the same completions pays differently; save `rates` with checkpoints.
    """

    name: ClassVar[str] = "peer_truth"
    needs: ClassVar[tuple[str, ...]] = ("group_id", "item_id")
    bounds: ClassVar[tuple[float, float]] = (-1.0, math.inf)
    rates: PeerRates
    """The counts so far; begin with `PeerRates()`."""
    penalty: float | None = None
    """Paid for an unread answer; the paper's is -1."""
    expected_size: int | None = None
    """How many completions a whole group has; else the column `group_size` says it."""
    seed: int = 0
    """Seed of the order on the ring."""

    def __post_init__(self) -> None:
        check_settings(self, expected_size=1)

    def score(self, batch: Batch) -> list[RewardValue]:
        """Pay every completion of a call, then count its answers."""
        reports = read_reports(batch)
        groups = group_rows(batch, expected_size=self.expected_size)
        values: dict[int, RewardValue] = {
            row: RewardValue(reason=reason) for row, reason in groups.reasons.items()
        }
        for _, rows in sorted(groups.members.items()):
            values.update(self._pay_group(batch, rows, reports))
        return [values[row] for row in range(len(batch))]

    def _pay_group(
        self, batch: Batch, rows: tuple[int, ...], reports: list[Report]
    ) -> dict[int, RewardValue]:
        question = batch.cell("item_id", rows[0])
        if question is None:
            return {row: RewardValue(reason="missing_column:item_id") for row in rows}
        if self.expected_size is None and batch.cell("group_size", rows[0]) is None:
            return {row: RewardValue(reason="missing_column:group_size") for row in rows}
        read = _on_ring(batch, [row for row in rows if reports[row].answer is not None], self.seed)
        if len(read) < 2:
            reason = f"too_few_read:{len(read)}/{len(rows)}"
            return {row: RewardValue(reason=reason) for row in rows}
        answers = [bool(reports[row].answer) for row in read]
        paid = score_pts(answers, self.rates.rates(str(question)))
        self.rates.add(str(question), answers)
        values = {
            row: RewardValue(value=value, answer="true" if answer else "false")
            for row, value, answer in zip(read, paid, answers, strict=True)
        }
        for row in rows:
            if row not in values:
                values[row] = _pay_unread(reports[row], self.penalty)
        return values


def _pay_unread(report: Report, penalty: float | None) -> RewardValue:
    if penalty is None or report.reason in ("no_text", "machine_error"):
        return RewardValue(reason=report.reason, unread=report.reason)
    return RewardValue(value=penalty, unread=report.reason)


def _on_ring(batch: Batch, rows: list[int], seed: int) -> list[int]:
    """Rows in the order of a seeded hash of `completion_id`, else of the text; never by place."""

    def place(row: int) -> str:
        named = batch.cell("completion_id", row)
        return _hash(seed, str(batch.texts[row] if named is None else named))

    return sorted(rows, key=place)


def _hash(seed: int, text: str) -> str:
    return hashlib.sha256(f"{seed}\0{text}".encode()).hexdigest()


def is_yes(cell: object) -> bool:
    """Whether a cell says yes, as a flag or in words."""
    return cell is True or cell == 1 or str(cell).casefold() == "true"


def verdict_of(cell: object) -> bool | None:
    """Whether a cell says true or false; None where it says neither."""
    return None if cell is None else _TRUTHS.get(canonical(str(cell)))
