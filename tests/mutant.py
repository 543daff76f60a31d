"""A guarantee that can be taken away, and the files of tests that should miss it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One guarantee. code: what keeps it, once in its file below src/loopcheck. instead: what does not.

    tests: tests and marked scripts that are asked before all scripts are. lives: why it may live.
    """

    file: str
    code: str
    instead: str
    why: str
    tests: str = ""
    lives: str = ""


PASSES = "tests/test_passes.py"
ONCE = "tests/test_once.py"
CHECKPOINTS = "tests/test_mended_checkpoints.py"
PATHS, JUDGED = "tests/test_paths.py", "tests/test_judge.py"
JUDGE, WORDS, MOVES = "tests/test_static_judge.py", "tests/test_words.py", "tests/test_write_move.py"
COMPOSED = "tests/test_composed.py"
EVALUATED = "tests/test_ways_to_evaluate.py"
SHIELDED = "tests/test_shielded.py"
WRITTEN = "tests/test_written_twins.py"
STRUCTURE = "tests/test_ways_to_structure.py"
HIDDEN = "tests/test_hidden_twins.py"
GIVEN = "tests/test_given_twins.py"
LAYERS = "tests/test_hidden_layers.py"
APPLIED = "tests/test_ways_to_apply.py"
RESEARCH = "tests/test_research_loops.py"
SWITCHES = "tests/test_ways_to_switch.py"
OFFERED = "tests/test_written_by_users.py"
RECORDS = "tests/test_recording.py"
DOMAIN, VALUES, BOUNDS = "tests/test_domain.py", "tests/test_values.py", "tests/test_bounds.py"
EVENTS, RELEVANCE, SUMMARIES = "tests/test_interpret.py", "tests/test_relevance.py::test_what_acts", "tests/test_summaries.py"
WRITES, SAYS = "tests/test_overwrite.py", "tests/test_printable.py"
MENDS, HANDED, MAKERS = "tests/test_mended.py", "tests/test_mended_files.py", "tests/test_mended_makers.py"
AUDIT, RECORD = "tests/test_audit.py", "tests/test_record.py"
TALLIES = "tests/test_tallies.py"
ENDINGS = "tests/test_endings.py"
SILENCE, FORMATS, BASELINE = "tests/test_suppress.py", "tests/test_formats.py", "tests/test_baseline.py"

SETTINGS, CHANGES, OWN, SERVER = (
    "tests/test_config.py",
    "tests/test_changes.py",
    "tests/test_own_names.py",
    "tests/test_server.py",
)

FOLLOWED, NUMBERS = "tests/test_followed.py", "tests/test_numbers_taken.py"
UNSEEN = "tests/test_unseen_twins.py"
EVERYDAY = "tests/test_everyday_twins.py"
SCHEDULES = "tests/test_schedule_twins.py"
OPTIMIZED = "tests/test_optimized_twins.py"
EVALUATED_TWINS = "tests/test_evaluated_twins.py"
COMPUTED = "tests/test_computed_twins.py"
LOADED = "tests/test_loaded_twins.py"
PARTS_TWINS, RATE_TWINS = "tests/test_parts_twins.py", "tests/test_rate_twins.py"
STEPPING, GATHERED, PASSES_TWINS = "tests/test_stepping_twins.py", "tests/test_gathered_twins.py", "tests/test_passes_twins.py"
BORN, WANTED, RETAINED = "tests/test_born_modes.py", "tests/test_wanted_graphs.py", "tests/test_retained.py"
TWINS = "tests/test_right_evaluation.py tests/test_right_training.py"
