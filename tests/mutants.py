"""What no test would miss: guarantees of the house removed one at a time, each in a copy of the tree, and the tests asked.

    python tests/mutants.py                 every mutant, several at a time
    python tests/mutants.py paths.py loop   those whose file or reason holds a word
    python tests/mutants.py --jobs 1        one at a time

A mutant dies by the tests and scripts that its row names, or else by the static judge over all marked scripts: by the first that
fails, and passes without it. One that lives is a guarantee that nobody checks, unless its row says why it may. Exit status 1
where one lives without a reason, 2 where a row is stale, no row has a word, or what fails does so without the mutant, too.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import os
import py_compile
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
NEEDED = ["src", "rules", "fixtures", "tests", "pyproject.toml"]
MOST_SECONDS = 300
"""A mutant that takes longer is as dead as one that fails."""
SCRIPTS = ["scripts"]
"""All of them, as `failing.py` calls them."""


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
CHECKPOINTS = "tests/test_mended_checkpoints.py"
PATHS, JUDGED = "tests/test_paths.py", "tests/test_judge.py"
JUDGE, WORDS, MOVES = "tests/test_static_judge.py", "tests/test_words.py", "tests/test_write_move.py"
COMPOSED = "tests/test_composed.py"
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

MUTANTS = [
    Mutant(
        "read/domain/state.py",
        "united = self.symbol(term, [term])",
        "united = Symbol(term, frozenset([term]))",
        "what is taken of one of many objects is taken of that one",
        "fixtures/frameworks/rate_of_one_of_many.py",
    ),
    Mutant(
        "read/interpret/tables.py",
        "    return len(uses) == sum(_names(each, name) for each in nodes)",
        "    return True",
        "of a table's network with which more is done where it is made nothing is known",
        "tests/test_tables.py",
    ),
    Mutant(
        "read/interpret/tables.py",
        " and not words(cls.name) & CRITERION and not layerless(m, cls)",
        "",
        "a table of losses makes no network",
        "tests/test_tables.py",
    ),
    Mutant(
        "read/domain/values.py",
        '    Function: lambda value: Term("Function", value.code.title, value.frame.source.path, value.code.span),\n',
        "",
        "two tables of functions are told apart",
        "tests/test_tables.py",
    ),
    Mutant(
        "read/triage.py",
        r"|^from [.\w]+ import \*",
        "",
        "a table may hold what its file takes from others without saying so",
        "tests/test_tables.py",
    ),
    Mutant(
        "read/interpret/retained.py",
        "    held = bool(whole) if within is None else _is_loss(m, within)",
        "    held = True",
        "of a dictionary only the loss is one",
        "tests/test_retained.py",
    ),
    Mutant(
        "read/interpret/calls.py",
        " and m.state.assumed.keys() <= under.keys()",
        "",
        "a loss that another option chooses may fit the network that it is given",
        "rules/loopcheck_rules/sigmoid_before_bce_with_logits/good_chosen.py",
    ),
    Mutant(
        "read/program.py",
        "if writes(self._facts(each)) and each.code.name not in called",
        "if each.code.name not in called",
        "of what nobody calls, only what writes a checkpoint comes after training",
        "tests/test_written_by_users.py",
    ),
    Mutant(
        "states.py",
        "return before & since",
        "return set()",
        "a schedule that was stepped to where it was needs no state",
        "rules/loopcheck_rules/incomplete_checkpoint/good_replayed.py",
    ),
    Mutant(
        "loop.py",
        "return all(other.under.get(test, outcome) is outcome for test, outcome in self.under.items())",
        "return True",
        "of two models that a test chooses from, there is one",
        "tests/test_clothes.py",
    ),
    Mutant(
        "changes.py",
        '("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")',
        '("-c", "core.quotePath=false")',
        "git starts no program that a repository names",
        CHANGES,
    ),
    Mutant(
        "changes.py",
        '_git(top, "merge-base", ref, "HEAD",',
        '_git(top, "rev-parse", ref,',
        "others' changes are not ours",
        CHANGES,
    ),
    Mutant("changes.py", '    if ref.startswith("-"):', "    if False:", "a branch's name is no option of git", CHANGES),
    Mutant("cache.py", "json.dumps(sorted(same_as.items()))", '""', "what was kept is of what the settings said of names", OWN),
    Mutant(
        "job.py",
        "    learn(same_as)\n",
        "",
        "every process reads names as the settings say",
        OWN,
        lives="a process that is forked knows them",
    ),
    Mutant("read/triage.py", " or own.mentioned(data)", "", "a file is worth reading for the project's own names", OWN),
    Mutant(
        "read/triage.py",
        r"|\.add_argument\(",
        "",
        "what options are by themselves is read where they are declared",
        "fixtures/projects/options_elsewhere",
    ),
    Mutant(
        "read/front/index.py",
        'next((each for each in names if each.startswith("--")), names[0] if names else "")',
        '(names[-1] if names else "")',
        "an option is called by the first of its long names",
        "tests/test_index.py",
    ),
    Mutant(
        "read/interpret/rates.py",
        "if isinstance(rate, Choice) and not changes(m, rate.test):",
        "if False:",
        "where a setting decides between two rates, each is one",
        "fixtures/frameworks/rate_by_hand.py",
    ),
    Mutant(
        "read/interpret/rates.py",
        " and not changes(m, rate.test)",
        "",
        "what may come to be later is no setting",
        "fixtures/frameworks/rate_by_hand.py",
    ),
    Mutant(
        "read/interpret/rates.py",
        ' and "rate" in kept)',
        ")",
        "one of an optimizer's groups is not all of them",
        "fixtures/frameworks/rate_by_hand.py",
    ),
    Mutant(
        "read/interpret/rates.py",
        'return adopt(m.state, m.state.symbols[owner], "optimizer")',
        "return m.state.symbols[owner].role",
        "what has groups of parameters is an optimizer",
        "fixtures/frameworks/rate_by_hand_given.py",
    ),
    Mutant(
        "read/interpret/firsts.py",
        "known is None or self._is_set(known)",
        "known is None",
        "an option that is asked to be another than its default is not that",
        "fixtures/frameworks/rate_by_hand.py",
    ),
    Mutant(
        "read/vocabulary/optuna.py",
        "math.sqrt(low * high) if logarithmic and low > 0 else (low + high) / 2",
        "0.0",
        "a number that is searched for is one of those between which it is",
        "fixtures/frameworks/optuna_search.py",
    ),
    Mutant(
        "read/interpret/methods.py",
        "(m.state.list_graphs if isinstance(base, Items) else m.state.hold_graphs)(args.all)",
        "m.state.hold_graphs(args.all)",
        "what a list in sight has can be followed",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "read/interpret/retained.py",
        "        state.unread.pop(state.applied[term], None)\n",
        "",
        "what is differentiated after its pass has a graph for that",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "read/objects/passes.py",
        'event.verb in ("backward", "step") for event in events(body)',
        "False for event in events(body)",
        "a call that trains evaluates nothing",
        "tests/test_single_batches.py",
    ),
    Mutant(
        "read/objects/passes.py",
        'if any(each.verb == "backward" and each.open for each in seen):',
        "if False:",
        "a loss out of sight may be made of what a call hands back",
        "tests/test_single_batches.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "        if not asked.isdisjoint(event.on):",
        "        if False:",
        "what is differentiated by other means than a backward has a graph for that",
        "tests/test_single_batches.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "if in_sight and not tests and not any(map(on_purpose, names))",
        "if in_sight and not any(map(on_purpose, names))",
        "a unit test evaluates nothing",
        "tests/test_single_batches.py",
    ),
    Mutant(
        "write/wrap.py",
        "safe = _stays(source, whole) and not",
        "safe = not",
        "of a function that says nothing of itself somebody else may want the graph",
        "tests/test_single_batches.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "            if _done(event) not in sure:",
        "            if True:",
        "what is done to either of two objects is done whichever it is",
        "tests/test_clothes.py",
    ),
    Mutant(
        "read/objects/passes.py",
        'tuple(role.kind for role in event.on) if event.verb == "build" else event.at.place',
        "event.at.place",
        "an optimizer is made whichever of several classes it is of",
        "tests/test_clothes.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "{True: first if _fails(other) else first & second, False: second if _fails(then) else first & second}",
        "{True: first & second, False: first & second}",
        "what is not done where something goes wrong is done everywhere else",
        "tests/test_passes.py",
    ),
    Mutant(
        "read/vocabulary/python.py",
        "for leaf in leaves_of(over))",
        "for leaf in [over])",
        "a progress bar over one of two loaders is a pass",
        "tests/test_clothes.py",
    ),
    Mutant(
        "read/objects/passes.py",
        """                cast(MutableMapping[str, Fact], iterate.facts).pop("training", None)""",
        "                pass",
        "a loop before may have skipped batches of an iterator",
        "tests/test_passes.py",
    ),
    Mutant(
        "read/domain/counts.py",
        "return _is_loader(then) and _is_loader(other)",
        "return False",
        "the batches of one of two loaders are batches",
        "tests/test_clothes.py",
    ),
    Mutant(
        "read/domain/values.py",
        "each, trainable = self.each and other.each, self.trainable and other.trainable",
        "each, trainable = False, False",
        "a parameter of one of two models is one parameter",
        "tests/test_passes.py",
    ),
    Mutant(
        "read/interpret/ranks.py",
        "        elif not _spares_others(m, key):",
        "        else:",
        "an early exit of the first rank under a second test lets every rank through",
        "rules/loopcheck_rules/save_on_every_rank/bad_early_exit.py",
    ),
    Mutant(
        "read/interpret/ranks.py",
        "_speaks(m, key) and not first",
        "_speaks(m, key) and False",
        "a save of the first rank alone, or of a run without ranks, is one",
        "rules/loopcheck_rules/save_on_every_rank/good.py",
    ),
    Mutant(
        "read/interpret/models.py",
        'if m.active and _is_of_model(m.active[-1]) and "eval"',
        'if False and "eval"',
        "a method of a network is called by who trains as well",
        "tests/test_single_batches.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "cut = None if _asked_for_graph(state) else tensor.cut",
        "cut = tensor.cut",
        "a test for a graph lets nothing through that has none",
        "tests/test_retained.py",
    ),
    Mutant(
        "read/interpret/binding.py",
        "if isinstance(value, Tensor) and index and reports(last_name(element)):",
        "if False:",
        "what tells of a loss has no graph",
        "tests/test_retained.py",
    ),
    Mutant(
        "read/interpret/factors.py",
        "    if any(_counts(_whole(each.left), own) for each in again",
        "    if False and any(_counts(_whole(each.left), own) for each in again",
        "a number that is divided twice is measured by both",
        "fixtures/frameworks/lambda_spans.py",
    ),
    Mutant(
        "read/project.py",
        "found.file != importer and self._is_script(importer):",
        "found.file != importer:",
        "what has relative imports is no script, and its folder is not on the path",
        "tests/test_projects.py::test_a_script_in_a_package_has_its_own_folder_on_the_path",
    ),
    Mutant(
        "read/objects/passes.py",
        "first if _fails(other) else first & second",
        "first",
        "what is done before an error is done nowhere else",
        "tests/test_passes.py",
    ),
    Mutant(
        "write/wrap.py",
        "        graphs |= new",
        "        break",
        "what is computed of an output may be handed back with its graph",
        "tests/test_single_batches.py",
    ),
    Mutant(
        "read/interpret/members.py",
        "cls = m.fetched(base.typed) if base.typed is not None else None",
        "cls = None",
        "a field of what is annotated is worth what its class says",
        "tests/test_configurations.py",
    ),
    Mutant(
        "read/vocabulary/configurations.py",
        "return call.invoke(cls, ()) if isinstance(cls, Class) else",
        "return",
        "options that are read into a class are an object of that class",
        "fixtures/frameworks/dataclass_options.py",
    ),
    Mutant(
        "read/vocabulary/torch.py",
        '        facts["length"] = unit(span)\n',
        "        pass\n",
        "what a function measures the number of a step by is the length of its schedule",
        "fixtures/frameworks/lambda_spans.py",
    ),
    Mutant(
        "read/domain/counts.py",
        'one["shares"] += any(',
        'one["shares"] += 0 * any(',
        "a share of the batches may be the windows of all",
        "fixtures/frameworks/lambda_spans.py",
    ),
    Mutant(
        "read/domain/counts.py",
        'if power and name != "shares"',
        "if power",
        "what is left of a count without a share of it counts the same",
        "fixtures/frameworks/lambda_spans.py",
    ),
    Mutant(
        "read/domain/counts.py",
        'return "batches" if _told(counted)',
        "return None if _told(counted)",
        "steps times the micro-batches of a window are batches",
        "rules/loopcheck_rules/scheduler_cadence/bad_prepared.py",
    ),
    Mutant(
        "read/domain/counts.py",
        'if _told(each) != {"updates": 1}',
        "",
        "what is called steps is that where another is known to be",
        "fixtures/frameworks/schedule_by_name.py",
    ),
    Mutant(
        "read/domain/counts.py",
        "return Counter()  # of which each counts its own",
        "return None",
        "a number of processes changes nothing of what is counted",
        "fixtures/frameworks/schedule_by_name.py",
    ),
    Mutant(
        "read/interpret/members.py",
        'case Api(table), _ if function(some := f"{table}.*"):',
        'case Api(table), _ if function(some := f"{table}.?"):',
        "what a package's table has is what a page says of all in it",
        "fixtures/frameworks/schedule_by_name.py",
    ),
    Mutant(
        "read/vocabulary/transformers.py",
        'constant = "constant" in str(worth(call.get(0, "name")))',
        "constant = False",
        "a constant rate has no length",
        "fixtures/frameworks/schedule_by_name.py",
    ),
    Mutant(
        "read/domain/counts.py",
        '("int" | "float", _)',
        '("int", _)',
        "a share of a count counts the same",
        "fixtures/frameworks/lambda_spans.py",
    ),
    Mutant(
        "read/interpret/functions.py",
        "if not _is_exception(each[1])] or returns",
        "if True] or returns",
        "an exception that is returned is none of the values that a program goes on with",
        "rules/loopcheck_rules/plateau_without_metric/bad_several.py",
    ),
    Mutant(
        "read/interpret/loops.py",
        "all(role_of(leaf) is not None for leaf in leaves_of(value))",
        "role_of(value) is not None",
        "a loop over objects that are this or that is over objects",
        "rules/loopcheck_rules/plateau_without_metric/bad_several.py",
    ),
    Mutant(
        "read/interpret/binding.py",
        "            freeze(state, base.models, False)\n",
        "",
        "parameters that a loop tells to need a gradient are none that need none",
        "rules/loopcheck_rules/zero_grad_discards_gradients/bad_two_critics.py",
    ),
    Mutant(
        "rule.py",
        " all(one.isdisjoint(other) for one, other in combinations(wholes, 2))",
        " True",
        "what is computed again is not thrown away",
        "rules/loopcheck_rules/zero_grad_discards_gradients/good_measured_first.py",
    ),
    Mutant(
        "rule.py",
        "roles and all(not self.role.made_from.isdisjoint(role.wholes) for role in roles)",
        "roles",
        "what another's loss leaves is not wanted",
        "rules/loopcheck_rules/zero_grad_discards_gradients/good_critics_in_turn.py",
    ),
    Mutant(
        "config.py",
        "key=lambda item: item[0] != REQUIRED",
        "key=lambda item: item[0]",
        "a version comes before new keys",
        SETTINGS,
    ),
    Mutant("desk.py", "Wishes(force_exclude=True)", "Wishes()", "what is excluded is not judged in an editor", SERVER),
    Mutant(
        "desk.py",
        "job, beside=self._texts).report",
        "job).report",
        "an editor's unsaved texts count, of other files, too",
        SERVER,
    ),
    Mutant("lsp/server.py", "waiting.cancel()\n        loop", "pass\n        loop", "typing is waited for", SERVER),
    Mutant(
        "lsp/texts.py", "int(self._codec.client_num_units(text))", "len(text)", "an editor counts columns in its own way", SERVER
    ),
    Mutant(
        "lsp/answers.py",
        "and desk.mends(text.path, finding):",
        "and True:",
        "a fix that is offered in an editor was judged",
        SERVER,
        lives="no script has a repair that does not hold",
    ),
    Mutant(
        "measured.py",
        "rel_tol=of_itself, abs_tol=in_all",
        "rel_tol=1.0, abs_tol=in_all",
        "numbers that are kept are those that are measured",
        "tests/test_cli.py",
    ),
    Mutant(
        "suppress.py",
        "for name in ignore.names if names(rule, (name,)) and ignore.concerns(spans)}",
        "for name in ignore.names if names(rule, (name,))}",
        "a comment is in use where it stands, and not anywhere",
        SILENCE,
    ),
    Mutant(
        "check.py",
        "unused = suppress.unused(ignores, met, rules) if whole else []",
        "unused = suppress.unused(ignores, met, rules)",
        "of a file that was not judged in full nobody says that a comment is not needed",
        SILENCE,
    ),
    Mutant(
        "check.py",
        "places = (seen, *(_span(at) for event in events for at in (event.at, *(site for _, site in event.origins))))",
        "places = (seen,)",
        "a comment is in use that silences what another file tells of",
        SILENCE,
    ),
    Mutant(
        "baseline.py",
        "left[_key(finding)] -= 1",
        "pass",
        "the baseline knows as many findings as are in it, and not all that are alike",
        BASELINE,
    ),
    Mutant(
        "baseline.py",
        "or omits(report.path, each.code, Confidence[each.confidence.upper()])",
        "",
        "the baseline keeps what nobody looked for",
        BASELINE,
    ),
    Mutant(
        "check.py",
        "told = [rule.code, around, *",
        "told = [rule.code, *",
        "a finding in another function is another finding",
        BASELINE,
    ),
    Mutant(
        "show/formats/azure.py",
        """return _data(text).replace(";", "%3B").replace("]", "%5D")""",
        "return _data(text)",
        "a name of a file ends no property of a command",
        FORMATS,
    ),
    Mutant(
        "show/formats/junit.py",
        "return quoteattr(printable(text))",
        "return quoteattr(text)",
        "what XML cannot hold is not in it",
        FORMATS,
    ),
    Mutant(
        "show/formats/pylint.py",
        "path = printable(entry.primary.path)",
        "path = entry.primary.path",
        "a name of a file makes no line of its own",
        FORMATS,
    ),
    Mutant(
        "automaton.py",
        "if partial and not (link.gap and link.gap.match.possible(event)):",
        "if partial and not (link.gap and link.gap.match.certain(event)):",
        "what may be what a gap excludes breaks the chain",
        "tests/test_automaton.py",
    ),
    Mutant(
        "automaton.py",
        "if meets and sure:",
        "if meets:",
        "what only may concern the object completes nothing",
        "tests/test_automaton.py",
    ),
    Mutant(
        "bug.py",
        "return (event.verb, event.at) == (before.verb, before.at)",
        "return event.at == before.at",
        "`again` is the same verb at the place, not whatever a library does there",
        "tests/test_bug.py",
    ),
    Mutant(
        "rule.py",
        "if self.at.certain(event)",
        "if event.verb in self.at.verbs",
        "of two events of one verb a finding points at the one with the facts that `at` asks for",
        "tests/test_sense.py",
    ),
    Mutant(
        "bug.py",
        'if event.verb == "escape":\n            held',
        "if False:\n            held",
        "what is handed to code out of sight may have had anything done to it",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "all(event.facts.get(name, value) == value",
        "all(event.facts.get(name) == value",
        "an unknown fact may be what a gap excludes",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "all(event.facts.get(name) == value",
        "all(event.facts.get(name, value) == value",
        "an unknown fact completes nothing",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "    if event.open:\n",
        "    if False:\n",
        "an event of unknown origin may concern every object of its kind",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "return not others and any(on.kind in kinds and unseen - {on.kind} for on in event.on)",
        "return False",
        "an object with a side that is out of sight may be concerned",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "spreads = event.verb not in glossary or glossary[event.verb].parts",
        "spreads = True",
        "a mode that is set on a part is not set on the whole",
        JUDGE,
    ),
    Mutant(
        "survey.py",
        "for event in self.events if not _makes_part(event)",
        "for event in self.events",
        "a layer that is only made is not judged apart from the whole",
        JUDGE,
    ),
    Mutant(
        "judge.py",
        "if key not in best or verdict.share > best[key].share:",
        "if key not in best:",
        "of two verdicts on one place the certain one is told",
        JUDGE,
    ),
    Mutant(
        "judge.py",
        "if (done := frozenset(own.items())) in walked:",
        "done = frozenset(own.items())\n        if False:",
        "what has the same done to it is walked once",
        lives="it saves time; a verdict of the same events is told once anyway",
    ),
    Mutant(
        "judge.py",
        "[-order.get(event, -1) for event in verdict.witness.events]",
        "[order.get(event, -1) for event in verdict.witness.events]",
        "the nearest events are the story that is told",
        JUDGE,
    ),
    Mutant(
        "read/imports.py",
        "(hands_on(facts) or makes(facts))",
        "hands_on(facts)",
        "a function that makes what code of other files trains is where that is trained",
        "tests/test_projects_reach.py",
    ),
    Mutant(
        "read/triage.py",
        "return trains(data) or _MAKES.search(data) is not None",
        "return trains(data)",
        "a file that makes a library's network is read where it is imported",
        "tests/test_projects_reach.py",
    ),
    Mutant(
        "read/domain/values.py",
        "return first if len(places) < 2 else str(first)",
        "return first",
        "of two activations on two ways, none is taken away",
        "tests/test_projects_reach.py",
    ),
    Mutant(
        "read/domain/state.py",
        "merged = merged.doubted(name)",
        "pass",
        "of two tensors of which one has a graph, nobody knows whether that which is kept has it",
        "fixtures/summed_losses.py",
    ),
    Mutant(
        "paths.py",
        " if other.way.turns == path.way.turns",
        "",
        "before a counter has hit nothing is known of the configuration",
        JUDGED,
    ),
    Mutant(
        "read/interpret/operators.py",
        "case Api(name) if not present and _may_be_false(name):",
        "case Api(name) if False:",
        "a setting of a package out of sight may be off",
        VALUES,
    ),
    Mutant(
        "paths.py",
        "recurs = 0 if self.coarse else bit & self._recurring",
        "recurs = 0",
        "the same test goes the same way",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "keeps = ~sum(1 << self._number[test.key] for test in bound)",
        "keeps = ~0",
        "what a loop binds is another test on its next pass",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "    for number, following in turn.moves:",
        "    for number, following in ():",
        "a counter moves on by one: what held of its successor holds of it",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "begins = 0 if self.coarse else turn.begins",
        "begins = 0",
        "a counter starts at nought: its first pass is known",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "over = turn.alone | turn.ebbs & path.known & ~path.held",
        "over = turn.ebbs & path.known & ~path.held",
        "what holds on the first pass alone does not on the second",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "over = turn.alone | turn.ebbs & path.known & ~path.held",
        "over = turn.alone",
        "a counter that is above a number stays above it",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "for path in ended if not path.held & turn.ends)",
        "for path in ended)",
        "after the last pass there is no other",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "way = _turned(path.way, number, outcome) if counted else path.way",
        "way = path.way",
        "both outcomes of a counter's test happen in every run: they are no doubt",
        PATHS,
    ),
    Mutant(
        "paths.py",
        "rivals = self._rivals.get(test.key, 0)\n        recurs",
        "rivals = 0\n        recurs",
        "one value does not equal two constants",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        'exits["fall"] = exits.pop("return", frozenset()) | exits.get("fall", frozenset())',
        "pass",
        "a return ends the call and nothing more",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "exits: Exits = {}\n        seen: Paths",
        'exits: Exits = {"fall": paths}\n        seen: Paths',
        "a loop runs at least once",
        JUDGED,
    ),
    Mutant(
        "paths.py",
        "while not paths <= seen:",
        "for _ in range(1):",
        "a loop runs until nothing new comes out: the first pass and the steady state differ",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "if not (way.made or builds or lasting):",
        "if False:",
        "nothing happens to an object that is not there yet",
        JUDGED,
    ),
    Mutant(
        "bug.py",
        "return event.verb in glossary and glossary[event.verb].lasts",
        "return False",
        "a mode is that of what is made of the model later, too",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "    telling = _telling(sets)\n",
        "    telling = 0\n",
        "a test is forgotten once both outcomes lead to one place",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "if not test.counter and rebound.isdisjoint(test.names):",
        "if not test.counter:",
        "what is bound anew on a pass is no configuration",
        JUDGED,
    ),
    Mutant(
        "read/interpret/summaries.py",
        "            return self.own.isdisjoint(name.parts())\n        term",
        "            return True\n        term",
        "a function that goes through a generator of its own is summarised",
        SUMMARIES,
    ),
    Mutant("paths.py", "> MOST_PATHS:", "> 10**9:", "paths are bounded", JUDGE),
    Mutant(
        "paths.py",
        "            if share is Share.EVERY or not self.coarse:\n",
        "            if True:\n",
        "where tests are not told apart only what is certain is believed",
        PATHS,
    ),
    Mutant(
        "verdict.py",
        "(rule.every_path and not verdict.certain)",
        "False",
        "a rule that wants every path is silent on some",
        JUDGE,
    ),
    Mutant("verdict.py", "not rule.stands(verdict.witness)", "False", "what `where` refuses goes", JUDGE),
    Mutant(
        "verdict.py", "if not _spoken_for(*each, best)", "if True", "one defect is told by the rule that knows it better", JUDGE
    ),
    Mutant(
        "verdict.py", "return -verdict.share, unknown, unknown", "return 0, unknown, unknown", "what is certain goes first", JUDGE
    ),
    Mutant("verdict.py", "return -verdict.share, unknown,", "return -verdict.share, False,", "then what assumes nothing", JUDGE),
    Mutant(
        "verdict.py",
        "rule.is_shown(witness), part, story",
        "rule.is_shown(witness), False, story",
        "what is about the object itself goes before a part of it",
        JUDGE,
    ),
    Mutant(
        "read/domain/state.py",
        "return tensor.detached() if self.records is False else tensor",
        "return tensor",
        "what is computed without autograd has no graph",
        "tests/test_values.py",
    ),
    Mutant(
        "read/interpret/calls.py",
        "return m.state.computed(tensor)",
        "return tensor",
        "and so has a loss",
        "rules/loopcheck_rules/graph_retained_in_metric/good_held_out_nodes.py",
    ),
    Mutant(
        "read/front/index.py",
        'self.uses[name].add(f"{method}=")',
        "pass",
        "a schedule whose step gives something back is none of torch's",
        "tests/test_index.py",
    ),
    Mutant(
        "read/domain/state.py",
        "return any(self.heap.get((MODES, whole)) == Const(not training) for whole in wholes)",
        "return False",
        "a part that is put in train mode while the rest is in eval mode is wanted so",
        "rules/loopcheck_rules/missing_eval_mode/good_part_that_samples.py",
    ),
    Mutant(
        "record/modules.py",
        "return any(model.modules < each.modules and each.mode is not mode for _, each in self._cast.living())",
        "return False",
        "and so it is in a run",
        "tests/test_rules.py::test_verdict[run-missing-eval-mode]",
    ),
    Mutant(
        "read/front/index.py",
        "if node.id in self.facts.parameters:",
        "if False:",
        "a parameter called `dropout` is no layer",
        "rules/loopcheck_rules/missing_eval_mode/good_share_of_zero.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "if found is None and layers and all(_holds_plain(m, value, role) for value in layers):",
        "if False:",
        "of a network whose layers are all known, what its code would do under a test says nothing",
        "rules/loopcheck_rules/missing_eval_mode/good_share_of_zero.py",
    ),
    Mutant(
        "read/interpret/operators.py",
        "_handed_out(state, counter) or _has_length(divisor)",
        "_handed_out(state, counter)",
        "what happens once in an epoch may well be where that ends",
        "rules/loopcheck_rules/missing_set_epoch/good_counted_epochs.py",
    ),
    Mutant(
        "read/interpret/models.py",
        " or _learns(m, role, args)",
        "",
        "code out of sight that is handed a network may adapt it, or apply it without autograd",
        "rules/loopcheck_rules/missing_no_grad/good_method_by_name.py",
    ),
    Mutant(
        "read/domain/state.py",
        "                turn.held.add(event)",
        "                pass",
        "who keeps a graph may want it",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "read/domain/state.py",
        '        if tensor.term.head == "formal":\n            self.shared()\n        for event',
        "        for event",
        "a helper may take the numbers of what it is given",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "read/interpret/retained.py",
        '        facts.pop("read", None)',
        "        pass",
        "what is differentiated after the pass was wanted",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "read/program.py",
        "                m.state.hold_graphs(m.invoke(function.code, function, UNSEEN))",
        "                m.invoke(function.code, function, UNSEEN)",
        "who calls what nobody here calls may want the graph of what it returns",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "read/interpret/expressions.py",
        "        m.state.hold_graphs(value)\n        return value",
        "        return value",
        "a generator hands its graphs on",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "loop.py",
        'event.facts.get("validating") is False and not event.evaluates]',
        'event.facts.get("validating") is False]',
        "an evaluation by its use is told where training does not come by",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "write/sites.py",
        "self.event.evaluates and _trains(place)",
        'self.event.facts.get("validating") and _trains(place)',
        "a loop that trains in other runs is not put under `no_grad`",
        "tests/test_numbers_taken.py",
    ),
    Mutant(
        "read/interpret/functions.py",
        "guards=here.guards, arm=None,",
        "guards=here.guards,",
        "a pass is one under whatever test its function is called",
        "tests/test_modes.py::test_a_pass_is_one_whoever_calls_it_under_whatever_test",
    ),
    Mutant(
        "read/objects/passes.py",
        "event.during = (turn.function, turn.arm) if",
        "event.during = turn.function if",
        "a repair that goes around a pass in one arm of an `if` does not mend that in the other",
        "tests/test_modes.py::test_a_pass_in_the_other_arm_of_an_if_is_one_of_its_own",
    ),
    Mutant(
        "read/objects/passes.py",
        '        if trains:\n            learn(event, "validating", False)\n',
        "        if trains and not holding_out:\n",
        "a pass that trains is no evaluation, whatever it is called",
        "fixtures/accelerate_trainer_refactored.py",
    ),
    Mutant(
        "read/interpret/tallies.py",
        'made.how in ("shared", "total", "summed")',
        "made.how in ()",
        "a loss that is weighted by its samples is no mean of its batch",
        TALLIES,
    ),
    Mutant(
        "read/interpret/tallies.py",
        "found is None or found[0] in m.state.here.passes",
        "found is None",
        "what is shown on the way is not what an evaluation comes to",
        TALLIES,
    ),
    Mutant(
        "read/objects/passes.py",
        "    return (turn.over.partition",
        "    return (turn.over, turn.inside) if part else (turn.over.partition",
        "a loop inside a pass over a loader is a part of it",
        "rules/loopcheck_rules/missing_no_grad/good_probe_of_views.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "if _together(own, step_guards)]",
        "]",
        "a step under the other outcome of a test is of another program's windows",
        "tests/test_interpret.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "turn.forwards = [each for each in turn.forwards if not (isinstance(each.at, Site) and each.at.node is node)]",
        "pass",
        "an evaluation looks at what it computes",
        "rules/loopcheck_rules/missing_no_grad/good_warm_up_run.py",
    ),
    Mutant(
        "verdict.py",
        "() if rule.mends_passes else ",
        "",
        "one repair that goes around a pass is one finding",
        "fixtures/capital_networks.py",
    ),
    Mutant(
        "read/interpret/binding.py",
        "                without(m, base, m.evaluate(base), m.evaluate(index))",
        "                pass",
        "an option that is deleted is not given",
        VALUES,
    ),
    Mutant(
        "read/objects/passes.py",
        "        _flushed(direct, seen)\n",
        "",
        "a step after a pass takes up what the pass has left over",
        "rules/loopcheck_rules/dropped_accumulation_tail/good_flush.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "    if skipped or not full or",
        "    if not full or",
        "what does not fill a window may be skipped before its backward",
        "fixtures/accumulation_whole_windows.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "return _Count((last - rest) % divisor != 0,",
        "return _Count(True,",
        "a pass of a whole number of windows leaves nothing over",
        "rules/loopcheck_rules/zero_grad_discards_gradients/good_chunked_loss.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "if turn.adapted.isdisjoint(event.on):",
        "if True:",
        "what is differentiated by other means than a backward is not merely evaluated",
        "rules/loopcheck_rules/missing_eval_mode/good_adapted_to_task.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "        around[-1].adapted |= turn.adapted\n",
        "        pass\n",
        "what an inner loop adapts the outer one does not merely evaluate",
        "rules/loopcheck_rules/missing_eval_mode/good_adapted_to_task.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "    if not trains or steps:\n",
        "    if True:\n",
        "gradients that a step after the loop may read are told with that step",
        "rules/loopcheck_rules/missing_set_epoch/good_gradient_statistics.py",
    ),
    Mutant(
        "read/objects/passes.py",
        'cast(MutableMapping[str, Fact], event.facts).pop("averaged", None)',
        "pass",
        "gradients that are edited by hand may be divided there",
        "rules/loopcheck_rules/unscaled_accumulation_loss/good_gradients_divided.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "set(others_guards) <= set(guards) and _may_share(event, other)",
        "True",
        "a clearing under another test, or of other parameters, is not this backward's",
        "rules/loopcheck_rules/missing_zero_grad/good_counts_cover_all.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "if windows and not _every_pass(ways) and all(_waits(step_guards, own, beside) for _, step_guards in guarded):",
        "if windows and not _every_pass(ways):",
        "one step that does not wait, and there is no window",
        "rules/loopcheck_rules/unscaled_accumulation_loss/good_two_rates.py",
    ),
    Mutant(
        "read/objects/passes.py",
        'if event.facts.get("managed") is False:',
        "if False:",
        "the program's own backward is for when there is no framework",
        "rules/loopcheck_rules/raw_backward_under_framework/good_flag.py",
    ),
    Mutant(
        "write/insert.py",
        "if call and EACH_STEP & methods_in(fix.text) and _called_again(level, call):",
        "if False:",
        "what belongs to one step is not put into a helper that runs several times for it",
        MENDS,
    ),
    Mutant(
        "write/fit.py",
        " and _dumped(fitting) == _dumped(after)",
        "",
        "no line is broken where that makes other code of it",
        "tests/test_fit.py",
    ),
    Mutant(
        "write/fit.py",
        "                        continue  # it is in a string\n",
        "                        pass\n",
        "what stands in a string stays where it is",
        "tests/test_fit.py",
    ),
    Mutant(
        "write/breaks.py",
        "or inside.goes_on or",
        "or",
        "no line is broken in which a string begins that goes on",
        "tests/test_fit.py",
    ),
    Mutant(
        "write/checkpoint.py",
        '            raise NoPlan("another state has that key")\n',
        "            pass\n",
        "no state is saved under the key of another",
        CHECKPOINTS,
    ),
    Mutant(
        "write/checkpoint.py",
        "* may_lack(source, of) for of",
        "* False for of",
        "what is made in some runs only is saved in those",
        CHECKPOINTS,
    ),
    Mutant(
        "write/move.py",
        'place = past_skips(place, moved[-1]) if event.verb == "zero_grad" else place',
        "pass",
        "gradients that a step skips are cleared at the end of their window",
        MOVES,
    ),
    Mutant(
        "write/move.py",
        "[*calls_in(outer.node.test)] or any(effects(each.source, each.node).binds & test.reads for each in between)",
        "[]",
        "what each arm does for itself moves under the same test, and only where that has the same outcome",
        MOVES,
    ),
    Mutant(
        "write/insert.py",
        "    if between := _before_it_in_the_pass(fix, level, place, witness):\n",
        "    if between := None:\n",
        "train mode comes back after an evaluation that comes before the training of its pass",
        MENDS,
    ),
    Mutant(
        "write/insert.py",
        'if "{epoch}" in fix.text and restarts(',
        "if False and restarts(",
        "a sampler is told no counter of batches where the loader begins anew among them",
        MENDS,
    ),
    Mutant(
        "write/expressions.py",
        'if "method" in event.names and (test := left_out(witness, event, level.event)):',
        "if test := '':",
        "a method that only a wrapper has is called where every run has wrapped",
        MENDS,
    ),
    Mutant(
        "read/interpret/wrapping.py",
        "if key is not None and (held or key in known or _unwraps(value)):",
        "if key is not None and held:",
        "what was taken out of a wrapper in some runs is no wrapper",
        "rules/loopcheck_rules/wrapped_state_dict/good_taken_out.py",
    ),
    Mutant(
        "write/edits.py",
        "unit = unit_at(source, statements[0].node)",
        "unit = source.module.default_indent",
        "lines go in by the indentation of those around",
        MENDS,
    ),
    Mutant(
        "write/expressions.py",
        "(asked := _asked_by_name(source, level.node, was)):",
        '(asked := ""):',
        "who names an optimizer gets that one",
        MENDS,
    ),
    Mutant(
        "select.py",
        "if renamed := [rule for rule in rules if selector in rule.formerly]:",
        "if renamed := []:",
        "a rule is found by what it was called",
        "tests/test_renamed.py",
    ),
    Mutant(
        "show/links.py",
        "if not stream.isatty() or",
        "if",
        "no address stands raw where links are not followed",
        "tests/test_links.py",
    ),
    Mutant(
        "testing.py",
        "    assert twin is not None, ",
        "    assert True, ",
        "nothing is mended that no person has mended, too",
        "tests/test_twins.py",
    ),
    Mutant(
        "write/naming.py",
        "if not free or unnamed in found.reads:",
        "if not free:",
        "a counter that somebody reads keeps its name",
        MENDS,
    ),
    Mutant(
        "write/wrap.py",
        "names & effects(level.source, each).reads for each in backwards",
        "False for each in backwards",
        "what a pass hands back to be trained on keeps its graph",
        MENDS,
    ),
    Mutant(
        "write/edits.py",
        "statement.last + _blank_below(source, first, statement.last)",
        "statement.last",
        "no two blank lines are left where a statement was",
        "tests/test_write.py",
    ),
    Mutant(
        "scope.py",
        "        if code not in own.fixable:\n",
        "        if False:\n",
        "what the settings leave to a person is not mended",
        "tests/test_cli.py",
    ),
    Mutant(
        "write/effects.py", "            or self.leaves\n", "", "a fix moves nothing past the end of a pass or a function", MOVES
    ),
    Mutant(
        "write/effects.py",
        "            or self.reads_what(verb)\n",
        "",
        "a fix moves nothing past what looks at what the verb changes",
        MOVES,
    ),
    Mutant(
        "words.py",
        "        if on_purpose(text):\n",
        "        if False:\n",
        "what wants dropout on held-out data is left to it",
        WORDS,
    ),
    Mutant("words.py", "    if said & TRAINING:\n        return False\n", "", "data of both kinds is not held out", WORDS),
    # the reader: what it stands on
    Mutant("read/domain/terms.py", "term = None if known is None else known()", "term = None", "equal terms are one", DOMAIN),
    Mutant(
        "read/domain/terms.py",
        "if self.size > LONGEST:",
        "if self.size > 2 * LONGEST:",
        "a term that is written out is bounded",
        f"{BOUNDS}::test_how_long_a_term_is_written_out",
    ),
    Mutant(
        "read/domain/terms.py",
        "fresh = {each: None for each in term.operands if isinstance(each, Term) and each not in seen}",
        "fresh = [each for each in term.operands if isinstance(each, Term) and each not in seen]",
        "a term that holds another twice yields it once",
        DOMAIN,
    ),
    Mutant(
        "read/domain/terms.py", "return type(value).__name__, repr(value)", "return repr(value)", "`1` and `1.0` are two", EVENTS
    ),
    Mutant(
        "read/domain/heap.py",
        "        for key, before in self._notes.pop().items():\n",
        "        for key, before in (self._notes.pop(), ())[1]:\n",
        "what an arm changes is undone for the other",
        DOMAIN,
    ),
    Mutant(
        "read/domain/heap.py",
        "                notes.pop((owner, name), None)\n",
        "                pass\n",
        "what nobody can ask for any more is left by no arm",
        DOMAIN,
    ),
    Mutant(
        "read/interpret/functions.py",
        "    if not frame.kept:\n",
        "    if True:\n",
        "a function that was made in a call sees its variables after it",
        EVENTS,
    ),
    Mutant(
        "read/domain/heap.py",
        "        notes, self._notes = self._notes, []\n",
        "        notes = self._notes\n",
        "a module is executed for every arm, whoever imports it first",
        DOMAIN,
    ),
    Mutant(
        "read/domain/state.py",
        "            return self._united([*leaves_of(then), *leaves_of(other)], name)\n",
        '            return self.fresh("joined")\n',
        "of many objects of one kind, the kind is known and what they are built from",
        "rules/loopcheck_rules/clip_after_step/bad_factory_of_many.py",
    ),
    Mutant(
        "read/objects/link.py",
        "    stepping = _stepping(seen) or optimizers\n",
        "    stepping = optimizers\n",
        "the optimizer that steps is the one in question",
        EVENTS,
    ),
    Mutant(
        "check.py",
        "_meeting(verdict) is asked.source or ",
        "",
        "a story is told in the file where it comes together",
        "tests/test_projects_reach.py::test_a_story_is_told_where_it_comes_together",
    ),
    Mutant(
        "check.py",
        " or _told_of(read, at) is asked.source",
        " or at.source is asked.source",
        "what ends in a file of helpers is told where they are called, in whosever program",
        "tests/test_checkpoint_helpers.py",
    ),
    Mutant(
        "check.py",
        "if stands_alone(each, source.index)}",
        "}",
        "a word of training makes no training code of a file of helpers",
        "tests/test_checkpoint_helpers.py",
    ),
    Mutant(
        "states.py",
        "                event.told = _handed_over(event, seen)\n",
        "",
        "what a helper of another file is given to write is told where that is put together",
        "tests/test_checkpoint_helpers.py",
    ),
    Mutant(
        "states.py",
        '    event.origins = tuple(("build", site) for site in made.values())\n',
        "",
        "where that was made which a checkpoint leaves out is shown",
        "tests/test_checkpoint_helpers.py",
    ),
    Mutant(
        "read/triage.py",
        "acts(data) or _DEFINES",
        "trains(data) or _DEFINES",
        "a file that writes checkpoints, and trains nothing, is followed",
        "tests/test_checkpoint_helpers.py",
    ),
    Mutant(
        "read/front/relevance.py",
        "not _FILED.isdisjoint(facts.taken) or ",
        "",
        "a function that reads a checkpoint, and is handed no object, does something",
        "tests/test_checkpoint_helpers.py",
    ),
    Mutant(
        "read/vocabulary/optimizers.py",
        "momentum.default if isinstance(momentum, Symbol) else momentum",
        "momentum",
        "a momentum that is an option is there unless it is 0 where nobody sets it",
        "rules/loopcheck_rules/incomplete_checkpoint/good_options.py",
    ),
    Mutant(
        "read/vocabulary/torch.py",
        "last = call.get(LAST_EPOCHS.get(name, 99), ",
        "last = call.get(99, ",
        "a schedule is told by its place, too, after which epoch it goes on",
        "rules/loopcheck_rules/incomplete_checkpoint/good_told_by_place.py",
    ),
    Mutant(
        "read/vocabulary/torch.py",
        "(name in LAST_EPOCHS or len(call.args) < 3)",
        "len(call.args) < 3",
        "a schedule of three arguments has none of them for an epoch, if that comes after these",
        "rules/loopcheck_rules/incomplete_checkpoint/bad_schedule.py",
    ),
    Mutant(
        "check.py",
        "(*verdict.witness.events, *_made(read, verdict))",
        "verdict.witness.events",
        "who made an object is told what is done with it elsewhere",
        "tests/test_projects_reach.py::test_who_made_the_object_is_told_of_it",
    ),
    Mutant(
        "read/interpret/operators.py",
        "condition.names | _elsewhere(state, counter) if",
        "condition.names if",
        "a count that lives in an object moves on with the loop that tests it",
        "fixtures/projects/update_predicate",
    ),
    Mutant(
        "read/domain/state.py",
        '            return self.choice(condition, then, other, key[1] if isinstance(key[1], str) else "")\n',
        "            return then\n",
        "a name that two arms bind is a choice after them",
        f"{DOMAIN} {VALUES}",
    ),
    Mutant(
        "read/domain/state.py",
        "            self.assumed = self._assuming(before, condition, falls)\n",
        "            pass\n",
        "after an arm that leaves the other outcome holds",
        f"{DOMAIN} {EVENTS}",
    ),
    Mutant(
        "read/domain/state.py",
        "            self.assumed = self._assuming(before, condition, outcome)\n",
        "            pass\n",
        "a test goes one way in its arms",
        DOMAIN,
    ),
    Mutant(
        "read/domain/state.py",
        "self.live = falls or falls_not",
        "self.live = True",
        "where both arms leave nothing goes on",
        DOMAIN,
    ),
    Mutant(
        "read/domain/state.py",
        "self.out, self.assumed = before, assumed",
        "self.out = before",
        "what a block assumed is forgotten with it",
        DOMAIN,
    ),
    Mutant(
        "read/domain/state.py",
        "self.here, self.assumed, self.live = Here(frame), {}, True",
        "self.here = Here(frame)",
        "a module is executed under no path condition",
        DOMAIN,
    ),
    Mutant(
        "read/domain/state.py",
        "first if alike(first, second) else _either",
        "_either",
        "arms of like events are no branch",
        DOMAIN,
    ),
    Mutant(
        "read/domain/state.py",
        "            assumed.update(new)\n",
        "            break\n",
        "a condition that was assumed decides a test once the others are known",
        DOMAIN,
    ),
    Mutant(
        "read/domain/conditions.py",
        "case And(left, right) if outcome:\n            return {**implied(left, True), **implied(right, True)}",
        "case And(left, right) if outcome:\n            return {}",
        "where both of two tests hold either does",
        DOMAIN,
    ),
    Mutant(
        "read/objects/passes.py",
        "ways = region.ways(outcome) if counted else [region.guards(outcome)]",
        "ways = [region.guards(outcome)]",
        "a step after `full or last` waits for a window",
        "rules/loopcheck_rules/missing_zero_grad/good_counts_cover_all.py",
    ),
    Mutant(
        "read/interpret/summaries.py",
        "m.modules.noted.borrow(summary.noted, summary.files)",
        "pass",
        "who applies a summary depends on what was looked at for it",
        "tests/test_cache.py",
    ),
    Mutant(
        "read/domain/state.py",
        "        then, other = _taken(then, test, True), _taken(other, test, False)\n",
        "",
        "a choice is not made twice by one test",
        DOMAIN,
    ),
    Mutant("read/domain/conditions.py", "then = True if then == test else", "then =", "a test holds where it holds", DOMAIN),
    Mutant(
        "read/domain/values.py",
        'history = (*history, Made("mixed"))',
        "pass",
        "of parts of which one was hidden nobody knows",
        DOMAIN,
    ),
    Mutant(
        "read/domain/values.py",
        'made & {"shared", "hidden", "total"}',
        'made & {"shared", "total"}',
        "what was hidden may be divided",
        f"{DOMAIN} {VALUES}",
    ),
    # the reader: what is bounded
    *(
        Mutant(
            f"read/{file}.py",
            f"{bound} = {value}",
            f"{bound} = 2 * {value}",
            f"there is a bound: {bound}",
            f"{BOUNDS}::test_{test}",
        )
        for file, bound, value, test in (
            ("interpret/budget", "DEEPEST_CALL", "12", "how_deep_calls_are_followed"),
            ("interpret/budget", "MOST_CALLS", "2000", "how_many_calls_of_an_entry_are_followed"),
            ("interpret/budget", "MOST_IN_ALL", "2500", "how_many_calls_are_followed_in_all"),
            ("interpret/budget", "MOST_FORKS", "4000", "how_many_tests_are_read_both_ways"),
            ("interpret/budget", "MOST_FORKS_ASIDE", "2000", "how_many_tests_leave_the_rest_to_those_that_train"),
            ("interpret/budget", "MOST_UNROLLED", "8", "how_many_objects_are_worth_a_pass_each"),
            ("interpret/budget", "MOST_MAKERS", "16", "how_many_makers_of_a_table_are_asked"),
            ("interpret/budget", "MOST_ITEMS", "32", "how_long_a_list_is_filled_in_sight"),
            ("interpret/summaries", "MOST_SHAPES", "8", "for_how_many_shapes_a_function_is_summarised"),
            ("interpret/summaries", "MOST_FORKS", "1500", "how_many_tests_a_summary_is_made_of"),
            ("domain/state", "DEEPEST_CHOICE", "4", "how_many_tests_a_value_depends_on"),
            ("domain/terms", "LONGEST", "60", "how_long_a_term_is_written_out"),
            ("domain/values", "MOST_PARTS", "2000", "how_long_a_list_is"),
            ("domain/values", "MOST_STEPS", "24", "how_many_operations_of_a_tensor_are_kept"),
            ("interpret/operators", "LARGEST", "10**12", "what_is_folded"),
            ("interpret/operators", "LONGEST", "10_000", "what_is_folded"),
            ("library", "MOST_CALLERS", "3", "how_many_callers_are_read"),
            ("library", "FARTHEST_CALLER", "2", "how_far_up_callers_are_read"),
            ("library", "LARGEST", "300_000", "how_large_a_file_is_followed"),
            ("library", "MOST_KEPT", "300", "how_many_programs_are_kept"),
            ("project", "MOST_FILES", "5000", "in_how_many_files_callers_are_searched"),
        )
    ),
    Mutant(
        "read/interpret/budget.py", "        self._before += self.calls\n", "        pass\n", "entries share a budget", BOUNDS
    ),
    Mutant(
        "read/interpret/budget.py",
        "        self.calls = 0\n\n    def refuses",
        "        pass\n\n    def refuses",
        "each entry has one",
        BOUNDS,
    ),
    Mutant("read/interpret/budget.py", "[code.name] = None", "", "what was not read is told", BOUNDS),
    # the reader: what it makes of code
    Mutant(
        "read/interpret/loops.py",
        "    turn.variables = _havoc(m, body)\n",
        "",
        "what a loop binds is no constant in it",
        f"{VALUES} {EVENTS}",
    ),
    Mutant(
        "paths.py",
        'exits.get("fall", frozenset()) | exits.get("exit", frozenset())',
        'exits.get("fall", frozenset())',
        "a program that ends by a call comes to the end of the run",
        ENDINGS,
    ),
    Mutant(
        "maybe.py",
        'exits.get("fall", 0) | exits.get("exit", 0)',
        'exits.get("fall", 0)',
        "a chain that a call ends is possible",
        ENDINGS,
    ),
    Mutant(
        "read/interpret/functions.py",
        "    state.live = not ended\n",
        "    state.live = True\n",
        "who calls what ends the program does not go on",
        ENDINGS,
    ),
    Mutant(
        "read/interpret/functions.py",
        "    if state.live or returns or ended:",
        "    if state.live or returns:",
        "what a function does before it ends the program is done",
        ENDINGS,
    ),
    Mutant(
        "read/interpret/rows.py",
        'leave("abort" if self.loops else "exit")',
        'leave("exit")',
        "who gives up in a loop has not come to the end",
        ENDINGS,
    ),
    Mutant(
        "read/interpret/unseen.py",
        "                m.state.live = True\n",
        "                pass\n",
        "what is called back and ends the program does not end it here",
        ENDINGS,
    ),
    Mutant(
        "loop.py",
        "(mine.row < theirs.row for mine, theirs in zip(*ways, strict=False) if mine != theirs)",
        "(one.row < other.row for _ in ways)",
        "what stands above in the text is told where the code that holds both calls it",
        "tests/test_loop.py",
    ),
    Mutant(
        "read/interpret/rows.py",
        "names = names_of(given) if lasting else names_of(given) | m.state.here.loops",
        "names = names_of(given) | m.state.here.loops",
        "what has one answer for good has it on every pass of a loop",
        PASSES,
    ),
    Mutant(
        "read/interpret/rows.py",
        "names = names_of(given) if lasting else names_of(given) | m.state.here.loops",
        "names = names_of(given)",
        "what may change is asked anew on every pass",
        PASSES,
    ),
    Mutant(
        "read/interpret/unseen.py",
        "    return me is not None and (entry or name in _OF_STRINGS)\n",
        "    return False\n",
        "a string, and what has a key, are the same on every pass",
        PASSES,
    ),
    Mutant(
        "read/interpret/members.py",
        "isinstance(handed_on, Function) and not any(each.code is handed_on.code for each in m.active)",
        "False",
        "what an object has not is handed on where its class says so",
        f"{VALUES} rules/loopcheck_rules/missing_zero_grad/good_handed_on.py",
    ),
    Mutant(
        "read/interpret/members.py",
        " and not any(each.code is handed_on.code for each in m.active)",
        "",
        "who hands on is not asked for what it lacks itself",
        VALUES,
    ),
    Mutant(
        "read/vocabulary/torch.py",
        ', "zero_grad": "optimizer"',
        "",
        "an object of who knows what kind that clears gradients may clear any",
        EVENTS,
    ),
    Mutant(
        "read/interpret/loops.py",
        ".difference(*turn.through.values())",
        "",
        "a count goes on from one epoch to the next",
        PASSES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "if begins and turn.leaves[key] == inner.leaves[key]:",
        "if begins:",
        "unless it begins elsewhere there",
        PASSES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "pairs = [(each.replaced(begun, counted), each) for each in asked]",
        "pairs = []",
        "what a pass counts the next one begins with",
        PASSES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "for number, value in ((begun, start), (counted, start + 1))]",
        "for number, value in ((begun, start),)]",
        "a count that begins again is one more once counted",
        PASSES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "if start == 0 and (window := remainder(key)) and",
        "if (window := remainder(key)) and",
        "a count that begins again elsewhere is in no window",
        PASSES,
    ),
    Mutant(
        "read/interpret/loops.py",
        ' or counted is Term("+", begun, _number(1))',
        "",
        "`n = n + 1` counts as well",
        PASSES,
    ),
    Mutant(
        "read/interpret/operators.py",
        "first = begin is not None and _constant(begin + added) == rest",
        "first = begin is not None",
        "what a count is on the first pass is where it begins",
        PASSES,
    ),
    Mutant(
        "read/domain/state.py",
        "            return None if number is None else number + 1\n",
        "            return None\n",
        "a number that was counted once is one more",
        PASSES,
    ),
    Mutant(
        "paths.py",
        "for test in bound if test.following is not None] + [*region.brings]",
        "for test in bound if test.following is not None]",
        "what a pass makes of a variable tells tests of the next",
        PASSES,
    ),
    Mutant(
        "read/objects/passes.py",
        "            if not turn.copied:\n                _cleared_each_pass(direct)\n",
        "            _cleared_each_pass(direct)\n",
        "gradients whose numbers are taken on each pass are not for a step behind",
        f"{PASSES} rules/loopcheck_rules/accumulation_defeated/good_sharpness_aware.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "        around[-1].copied |= turn.copied\n",
        "",
        "in the loop around as well",
        f"{PASSES} rules/loopcheck_rules/accumulation_defeated/good_sharpness_aware.py",
    ),
    Mutant(
        "read/interpret/expressions.py",
        "    copied(m, left)\n    copied(m, right)\n",
        "",
        "what is computed of gradients takes their numbers",
        PASSES,
    ),
    Mutant(
        "read/interpret/binding.py",
        'case Params() | Symbol() | Tensor() if name == "grad":',
        'case Params() | Symbol() if name == "grad":',
        "gradients that are put back are edited, whoever holds them",
        "rules/loopcheck_rules/zero_grad_discards_gradients/good_put_back.py",
    ),
    Mutant(
        "read/interpret/members.py",
        "handed_on = None if derives(m, base.cls) else method_of",
        "handed_on = method_of",
        "what a base has that is out of sight is not handed on",
        VALUES,
    ),
    Mutant(
        "read/interpret/members.py",
        "if found is None and base.role and (base.role.kind, name) in methods():",
        "if False:",
        "a method that `getattr` is asked for by its name is that method",
        EVENTS,
    ),
    Mutant(
        "rule.py",
        "return above(self[match].at, self[other].at)",
        "return False",
        "where the schedule comes after the update in the text, no early end makes it come before",
        "rules/loopcheck_rules/scheduler_before_optimizer/good_early_stop.py",
    ),
    Mutant(
        "loop.py",
        "        return dict.fromkeys(chain([self], *(role.made_from for role in self.of))).keys()\n",
        "        return frozenset([self]).union(*(role.made_from for role in self.of))\n",
        "what objects are made of comes in an order",
        "tests/test_loop.py",
    ),
    Mutant(
        "read/program.py",
        "        return known and not self.library.importers(self.source.file, name)\n",
        "        return known\n",
        "a function that another file imports is not left behind",
        ENDINGS,
    ),
    Mutant(
        "read/program.py",
        "        alone = [each for each in alone if not self._is_left_behind(*each)]\n",
        "",
        "a function of a script that nobody speaks of is never run",
        ENDINGS,
    ),
    Mutant(
        "check.py",
        "Confidence.MEDIUM if rule.is_shown(verdict.witness) else Confidence.LOW",
        "Confidence.LOW",
        "who switches a network to train mode says that modes matter",
        "tests/test_grounds.py",
    ),
    Mutant(
        "read/vocabulary/layers.py",
        'any(name == "config" or "drop" in name for name in call.keywords)',
        "False",
        "a configuration that is handed in may have no dropout",
        "tests/test_grounds.py",
    ),
    Mutant(
        "write/insert.py",
        "for event in witness.events[:last] if",
        "for event in witness.events if",
        "what comes after the event that a text is put before has no part in where it may stand",
        "tests/test_grounds.py",
    ),
    Mutant(
        "read/interpret/loops.py",
        " and of not in layers",
        "",
        "a layer that a loop binds has a mode of its own",
        "rules/loopcheck_rules/missing_train_restore/bad_frozen_layers.py",
    ),
    Mutant(
        "read/vocabulary/layers.py",
        'return Stream((call.unknown("name"), call.me) if call.name.startswith("named_") else (call.me,))',
        "return call.pure()",
        "the layers of a network are parts of it",
        "tests/test_grounds.py",
    ),
    Mutant(
        "write/insert.py",
        '(of in layers or of.startswith(f"{model}."))',
        "False",
        "a whole that goes into train mode takes its layers out of eval mode",
        "tests/test_grounds.py",
    ),
    Mutant(
        "read/interpret/methods.py",
        "return m.state.computed(base) if name in COPIES else base",
        "return base",
        "a copy that is made without autograd has no graph",
        "tests/test_retained.py",
    ),
    Mutant(
        "words.py",
        "return None if falling == rising else",
        "return",
        "a metric that is called a gain and a loss is neither",
        "tests/test_grounds.py",
    ),
    Mutant(
        "read/domain/state.py",
        "tuple(dict.fromkeys(arm for role in roles for arm in self.arms.get(role, (role,))))",
        "tuple(roles)",
        "what one stands for in place of many is each of them once",
        "tests/test_grounds.py",
    ),
    Mutant(
        "verdict.py",
        "unknown and not rule.is_shown(witness), part",
        "False, part",
        "of verdicts on what nobody knows the one that the program itself speaks for is told",
        "tests/test_grounds.py",
    ),
    Mutant(
        "read/objects/passes.py",
        "        if windows and not _every_pass(ways) and all(",
        "        if windows and all(",
        "optimizers that take turns, a step of one on every pass, have no window",
    ),
    Mutant(
        "read/vocabulary/torch.py",
        "    return Const(False) if call.by_itself else call.question()\n",
        "    return call.pure()\n",
        "what a program starts under a flag is not there without it",
        VALUES,
    ),
    Mutant(
        "read/domain/state.py",
        "        return bool(self.grouped) and all(excluded)\n",
        "        return bool(self.grouped)\n",
        "a group of processes may be there wherever no test says otherwise",
        VALUES,
    ),
    Mutant(
        "read/vocabulary/torch.py",
        "    if call.counts_on(function):\n",
        "    if False:\n",
        "a schedule that adds the epoch of a checkpoint goes on where it was",
    ),
    Mutant(
        "read/interpret/factors.py",
        "        return any(of_file(m.evaluate(each)) for each in added)\n",
        "        return bool(added)\n",
        "what adds another number begins anew",
        EVENTS,
    ),
    Mutant(
        "read/interpret/dropout.py",
        "            return not is_unset(cls, share)\n",
        "            return True\n",
        "a share that everybody leaves at 0 drops nothing",
    ),
    Mutant(
        "read/interpret/drops.py",
        "    return placed[place - 1] if by_place else named.get(parameter.name, parameter.default)\n",
        "    return parameter.default\n",
        "one that somebody hands a constructor does",
        EVENTS,
    ),
    Mutant(
        "read/interpret/drops.py",
        "    return bool(told) and all(",
        "    return all(",
        "so may one of a class that nobody in sight makes an object of",
        EVENTS,
    ),
    Mutant(
        "read/interpret/loops.py",
        "            assign(m, each, given)\n",
        "            if isinstance(each, ir.Name):\n                assign(m, each, given)\n",
        "an attribute that a loop binds is bound",
        VALUES,
    ),
    Mutant(
        "read/interpret/binding.py",
        "            for element in elements:\n                yield from targets_of(element)\n",
        "            yield from (each for element in elements for each in targets_of(element) if isinstance(each, ir.Name))\n",
        "one in a tuple that its body binds is no constant either",
        VALUES,
    ),
    Mutant(
        "read/interpret/operators.py",
        "    return any(base in turn.given for turn in state.here.passes)\n",
        "    return base is not counter and any(base in turn.given for turn in state.here.passes)\n",
        "where a number that comes with the batch begins again, nobody knows",
    ),
    Mutant(
        "read/interpret/loops.py",
        "    unsettle_items(m, body, bool(_called(body)))\n",
        "",
        "nor is what it puts under a key of a dict",
        VALUES,
    ),
    Mutant(
        "read/interpret/rows.py",
        "    site = () if at is None else",
        "    site = () if True else",
        "two calls of what makes an object make two",
        VALUES,
    ),
    Mutant(
        "read/interpret/summaries.py",
        'Term("site", *term.operands, at) if term.head == "site" else None',
        "None",
        "what a summarised function makes is another object at each of its calls",
        VALUES,
    ),
    Mutant(
        "read/interpret/functions.py",
        "    if not returns_early(body):",
        "    if True:",
        "what was bound before an early return is bound",
        VALUES,
    ),
    Mutant(
        "read/domain/jumps.py",
        "found.setdefault(key, value)",
        "pass",
        "what is bound before an early return is bound",
        VALUES,
    ),
    Mutant(
        "read/domain/jumps.py",
        "value = last.bound.get(key, before)",
        "value = last.bound.get(key)",
        "where a function returns early, what it binds later is not bound",
        VALUES,
    ),
    Mutant(
        "read/domain/jumps.py",
        "        if {*outcomes} == {True, False}:",
        "        if False:",
        "a value that is bound before an early return depends on the tests alone that tell the ways there apart",
        VALUES,
    ),
    Mutant(
        "read/interpret/operators.py",
        "if right.keys is not None and not state.here.passes:",
        "if right.keys is not None:",
        "a pass of a loop may find another key in a dict than the one before",
        VALUES,
    ),
    Mutant(
        "read/interpret/lineage.py",
        "    return False if made_here and",
        "    return False if",
        "of the object whose method is read alone it is not known that it is of no other class",
        VALUES,
    ),
    Mutant(
        "read/interpret/lineage.py",
        "    if value.role is not None:\n        return None\n    if cls in",
        "    if cls in",
        "a model of a class may be in a wrapper of another",
        VALUES,
    ),
    Mutant(
        "read/interpret/summaries.py",
        "    for bound in [_left(m, called, left, given, at) for left in summary.left]:",
        "    for bound in (_left(m, called, left, given, at) for left in summary.left):",
        "what a summary leaves is told by what was before the call",
        VALUES,
    ),
    Mutant(
        "read/interpret/binding.py",
        "    for owner in (*state.frame.around(), state.frame.me):",
        "    for owner in ():",
        "a list is the same one under each of its names",
        VALUES,
    ),
    Mutant(
        "read/interpret/functions.py",
        "    copy_out(m, results, frame)\n",
        "",
        "a list that a function changed is changed for its caller",
        VALUES,
    ),
    Mutant(
        "read/interpret/editing.py",
        "    return any(isinstance(held.get",
        "    return False and any(isinstance(held.get",
        "a method that changes its object's list is not summarised",
        VALUES,
    ),
    Mutant(
        "read/front/index.py",
        "        through = {name for name, called in facts.hands if called in self.imported or called in self._editing}",
        "        through = set[str]()",
        "nor is a function that hands a list on to one that changes it",
        VALUES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "            base, name = state.frame.me, name[5:]\n",
        "            continue\n",
        "nor what it binds in its object",
        f"{VALUES} {EVENTS}",
    ),
    Mutant(
        "read/interpret/loops.py",
        "counter = not state.counters.isdisjoint(names_of(value))",
        "counter = False",
        "a counter stays one",
        VALUES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "dict.fromkeys(counter.names, start)",
        "dict.fromkeys(counter.names, 0)",
        "a loop may count from one",
        f"{EVENTS} {VALUES}",
    ),
    Mutant(
        "read/interpret/loops.py",
        "return worth and not _leaves(node.body)",
        "return worth",
        "a loop that is left is not unrolled",
        EVENTS,
    ),
    Mutant(
        "read/interpret/loops.py",
        "loops=state.here.loops | {label}",
        "loops=state.here.loops",
        "a call on one pass is another on the next",
        EVENTS,
    ),
    Mutant(
        "read/interpret/loops.py",
        "counts.bound if counts and counts.start == 0",
        "counts.bound if counts",
        "a range from one has another number of passes",
        EVENTS,
    ),
    Mutant(
        "read/interpret/operators.py",
        "if remainder[1] == _constant(1):",
        "if False:",
        "every number is divisible by one",
        EVENTS,
    ),
    Mutant(
        "read/interpret/operators.py",
        "following = _moved_on(counter, divisor, rest, running is not None)",
        "following = None",
        "what held of a counter's successor holds of it on the next pass",
        EVENTS,
    ),
    Mutant(
        "read/interpret/operators.py",
        "        case _ if _is_counter(counter) or (running and counts.offset(counter)[1] == 0):\n",
        "        case _:\n",
        "of what is computed from a counter in another way nobody knows",
        EVENTS,
    ),
    Mutant(
        "read/interpret/operators.py",
        "shifted = _in_step(*remainder)",
        'shifted = Term("==", Term("%", *remainder[:2]), remainder[2])',
        "`i % k == k - 1` is `(i + 1) % k == 0`",
        EVENTS,
    ),
    Mutant(
        "read/interpret/operators.py",
        "last = zero_based and",
        "last =",
        "the last pass is that of a counter from nought",
        EVENTS,
    ),
    Mutant(
        "read/interpret/operators.py",
        "return a.averaged() if _of_this_pass(state, right) else",
        "return",
        "an average over this pass's data is none over a window",
        EVENTS,
    ),
    Mutant(
        "read/interpret/operators.py",
        "if a and b:\n        return a.merged(b)",
        "if a and b:\n        return a",
        "a sum is of all its parts",
        VALUES,
    ),
    Mutant(
        "read/interpret/statements.py",
        "    _at_last(m)\n    if m.state.here.caller",
        "    if m.state.here.caller",
        "finally runs before a return",
        EVENTS,
    ),
    Mutant(
        "read/interpret/statements.py",
        "_at_last(m, landing.finals)",
        "_at_last(m)",
        "a jump stays in what is around its loop",
        EVENTS,
    ),
    Mutant("read/domain/jumps.py", " if key != GRAD}", "}", "a scope ends with a jump out of it", VALUES),
    Mutant(
        "read/domain/jumps.py",
        'state.leave("break" if to.once else how)',
        "state.leave(how)",
        "over objects that are not told apart, a pass that is left is left once",
        EVENTS,
    ),
    Mutant(
        "read/domain/jumps.py",
        "    if not conditions or value is other",
        "    if True or value is other",
        "what is bound before a jump holds under its conditions",
        VALUES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "[*at.broken, Way((), after)] if through else at.broken",
        "[*at.broken, Way((), after)]",
        "an endless loop is left by a jump only",
        VALUES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "    if not leads.broken:\n        m.execute(orelse)\n",
        "    m.execute(orelse)\n",
        "the else of a loop that is broken off is not read",
        f"{EVENTS} {VALUES}",
    ),
    Mutant(
        "read/front/from_ast.py",
        "return (*elsewhere, *lowered)",
        "return (*lowered, *elsewhere)",
        "what a function says of its variables holds from its beginning",
        f"{VALUES} tests/test_lowering.py",
    ),
    Mutant(
        "read/interpret/names.py",
        "            if m.apart and frame",
        "            if False and frame",
        "a summary does not hold what a function may bind again",
        VALUES,
    ),
    Mutant(
        "read/program.py",
        "        self._unsettle_shared()\n",
        "",
        "what functions bind is not known to one that is read alone",
        VALUES,
    ),
    Mutant(
        "read/interpret/loops.py",
        "| (shared if shared and _called(body) else set())",
        "",
        "what a function that is called binds is no constant in a loop",
        VALUES,
    ),
    Mutant(
        "read/interpret/functions.py",
        "    if parameter.name in called.defaults:\n",
        "    if False:\n",
        "a default is evaluated where its function is defined",
        f"{VALUES} {EVENTS}",
    ),
    Mutant(
        "read/imports.py",
        "        if full_name in self._sought:\n            return None\n",
        "",
        "modules that have a name from each other are read",
        "tests/test_projects_reach.py",
    ),
    Mutant(
        "read/library.py",
        ' or (self._ask("small", file) and self._leads(file, name))',
        "",
        "a file that only leads on is followed",
        "tests/test_projects_reach.py",
    ),
    Mutant(
        "read/interpret/statements.py",
        "for at in reversed(range(outer, len(finals))):",
        "for at in range(outer, len(finals)):",
        "the innermost finally first",
        EVENTS,
    ),
    Mutant(
        "read/interpret/functions.py",
        "returns=returns, finals=(),",
        "returns=returns,",
        "a call has finals of its own",
        EVENTS,
    ),
    Mutant(
        "read/interpret/statements.py",
        "if m.state.frame.module == 0:",
        "if True:",
        "the main guard of an imported module is not run",
        VALUES,
    ),
    Mutant("read/interpret/statements.py", "    state.heap[GRAD] = before\n", "", "a scope ends", f"{VALUES} {EVENTS}"),
    Mutant(
        "read/interpret/statements.py",
        "for assumed, callback in reversed(exits):",
        "for assumed, callback in exits:",
        "an exit stack runs from its end",
        EVENTS,
    ),
    Mutant(
        "read/interpret/statements.py",
        "            state.under(assumed, callback)",
        "            callback()",
        "each exit under the condition of its entry",
        EVENTS,
    ),
    Mutant(
        "read/interpret/statements.py",
        '    elif not any(ways):\n        m.state.leave("return")',
        "",
        "a return in a managed body leaves the function around",
        EVENTS,
    ),
    Mutant(
        "read/interpret/statements.py",
        "    if _asks_mode(found):",
        "    if False:",
        "a look at the mode is about to restore it",
        EVENTS,
    ),
    Mutant(
        "read/interpret/functions.py",
        "        with m.state.within(frame=called.frame):\n            default =",
        "        if True:\n            default =",
        "defaults are evaluated where the function is defined",
        VALUES,
    ),
    Mutant(
        "read/interpret/functions.py",
        "return value if args.complete else hidden(value)",
        "return value",
        "what depends on arguments out of sight is hidden",
        EVENTS,
    ),
    Mutant(
        "read/interpret/functions.py",
        "        if key in state.conditions and len(then)",
        "        if False and len(then)",
        "a value is returned under what had been assumed",
        VALUES,
    ),
    Mutant(
        "read/interpret/functions.py",
        "recursive = any(each.code is code for each in m.active)",
        "recursive = False",
        "a function that calls itself is read once",
        EVENTS,
    ),
    Mutant(
        "read/interpret/functions.py",
        "    if wrapped is not None:\n",
        "    if False:\n",
        "the project's decorators are read",
        VALUES,
    ),
    Mutant(
        "read/interpret/functions.py",
        'if any(event.verb == "step" for event in events(region)):',
        "if True:",
        "an optimizer of the project may step itself",
        EVENTS,
    ),
    Mutant(
        "read/interpret/unseen.py",
        '        m.state.emit("escape", reached, node)',
        "        pass",
        "what is handed to code out of sight escapes",
        EVENTS,
    ),
    Mutant(
        "read/interpret/unseen.py",
        "            _called_back(m, node, value, name)\n    if given",
        "            pass\n    if given",
        "code out of sight may call what it is handed",
        EVENTS,
    ),
    Mutant("read/interpret/unseen.py", 'else "hidden")', 'else "foreign")', "code out of sight may divide", f"{VALUES} {EVENTS}"),
    Mutant(
        "read/interpret/binding.py",
        "        result = before  # ",
        "        pass  # ",
        "a model that code out of sight hands back is that model",
        VALUES,
    ),
    Mutant(
        "read/interpret/calls.py",
        'case Function(ir.Code(name="forward"), me=',
        'case Function(ir.Code(name="no forward"), me=',
        "model.forward is one forward of the whole",
        EVENTS,
    ),
    Mutant(
        "read/interpret/expressions.py",
        'if found is (node.word == "or"):',
        "if False:",
        "what `or` does not reach is not evaluated",
        EVENTS,
    ),
    Mutant(
        "read/interpret/expressions.py",
        "return chosen(m.state, found, left, right)",
        "return chosen(m.state, found, Const(True), right)",
        "`or` is worth one of its sides",
        VALUES,
    ),
    Mutant(
        "read/interpret/summaries.py",
        "return not _is_data(self.m, part) or any(",
        "return any(",
        "an object of the project that does something is handed out whole",
        SUMMARIES,
    ),
    Mutant(
        "read/domain/state.py",
        "            raise Eventful\n        known",
        "            pass\n        known",
        "what acts is interpreted at each call site",
        SUMMARIES,
    ),
    Mutant(
        "read/interpret/summaries.py",
        "shape.append((name, value.code))",
        'shape.append((name, "function"))',
        "what is called back is not taken for another function",
        SUMMARIES,
    ),
    Mutant(
        "read/interpret/summaries.py",
        "            _leave(m, *bound)\n",
        "            pass\n",
        "what a function leaves is left at each call site",
        SUMMARIES,
    ),
    Mutant(
        "read/interpret/members.py",
        "state.heap.get((base, term_of(index)))",
        "None",
        "an item that is set is what it was set to",
        VALUES,
    ),
    Mutant(
        "read/program.py",
        "            self._unsettle(cls, instance)\n",
        "            pass\n",
        "what other methods bind is not what the constructor left",
        EVENTS,
    ),
    Mutant("read/program.py", "        link(region)\n", "", "the one optimizer is that of the loss", EVENTS),
    Mutant(
        "read/program.py",
        "        spare_alternatives(region)\n",
        "",
        "a backward beside a framework's is for when there is none",
        EVENTS,
    ),
    Mutant("read/objects/link.py", "if own and len(near) == 1:", "if False:", "names tell which optimizer is whose", EVENTS),
    Mutant(
        "read/objects/link.py",
        "for loop in loops(region) if unlinked else ():",
        "for loop in ():",
        "the one optimizer that steps in a loop trains the one model of that loop",
        "fixtures/frameworks/trainers_of_a_package.py",
    ),
    Mutant(
        "read/interpret/models.py",
        'switches = method != "forward" or (told',
        "switches = (told",
        "a method out of sight may turn autograd off by itself",
        "fixtures/frameworks/session_called_model.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "needs_grad = recorded() if needs_grad else needs_grad",
        "pass",
        "a network whose own forward turns autograd off records no graph",
        f"{RECORDS}::test_a_decorator_is_such_a_scope",
    ),
    Mutant(
        "read/interpret/recording.py",
        "if any(model in each.wholes for each in m.state.frozen):",
        "if False:",
        "a network of frozen parts is looked into",
        f"{RECORDS}::test_a_frozen_part_is_all_that_there_is",
    ),
    Mutant(
        "read/interpret/recording.py",
        "return True if True in (one, other) else None",
        "return None",
        "a graph of a part is one of the whole",
        f"{RECORDS}::test_a_part_under_no_grad_leaves_the_graph_of_the_rest",
    ),
    Mutant(
        "read/interpret/recording.py",
        "with state.undone(), state.within",
        "with state.within",
        "what a forward does that is looked into alone is not done by that",
        f"{RECORDS}::test_what_is_looked_at_for_this_alone_stays_as_it_was",
    ),
    Mutant(
        "read/interpret/loops.py",
        "one_of(m, given, containers[each.name])",
        "pass",
        "of models that were made alike each is what all are",
        f"{RECORDS}::test_of_models_that_are_made_alike_each_is_frozen",
    ),
    Mutant(
        "read/interpret/members.py",
        'return one_of(m, state.symbol(Term("item"',
        'return (lambda it, _: it)(state.symbol(Term("item"',
        "so is the one under a key",
        f"{RECORDS}::test_of_models_that_are_made_alike_each_is_frozen",
    ),
    Mutant(
        "read/interpret/binding.py",
        "            joined(m, container, value)\n",
        "",
        "a ModuleDict holds what is put under a key",
        f"{RECORDS}::test_forces_are_gradients_of_what_a_wrapper_holds_by_its_key",
    ),
    Mutant(
        "read/interpret/binding.py",
        "m.state.renewed |= {inner, *whole.wholes}",
        "pass",
        "a frozen network with a new layer records from there",
        f"{RECORDS}::test_a_frozen_network_that_is_given_a_new_layer_records_from_there",
    ),
    Mutant(
        "read/interpret/models.py",
        "state.renewed = frozenset(each for each in state.renewed if each.wholes.isdisjoint(models))",
        "pass",
        "and not once it is frozen as a whole",
        f"{RECORDS}::test_a_frozen_network_that_is_given_a_new_layer_records_from_there",
    ),
    Mutant(
        "read/objects/passes.py",
        "elif holding_out and not _of_another_model(turn, event):",
        "elif holding_out:",
        "a pass over models is none over data",
        f"{RECORDS}::test_a_pass_over_models_is_none_over_data",
    ),
    Mutant(
        "read/domain/values.py",
        "return made.doubted(str(index)) if",
        "return made if",
        "one of several outputs may be a number",
        "tests/test_retained.py::test_of_several_outputs_the_one_that_a_backward_walks_has_a_graph",
    ),
    Mutant(
        "read/interpret/retained.py",
        "turn.retained += [event for doubts, event in turn.doubted if doubts <= state.walked and event not in turn.retained]",
        "pass",
        "and is none where a backward walks it",
        "tests/test_retained.py::test_whichever_it_is",
    ),
    Mutant(
        "read/interpret/models.py",
        'made = made.doubted(method) if method != "forward" and needs_grad is None else made',
        "pass",
        "what a method out of sight measures may have no graph",
        "tests/test_retained.py::test_what_a_method_of_a_model_measures_may_have_none",
    ),
    Mutant(
        "read/interpret/models.py",
        "and name not in known}",
        "}",
        "layers that are handed in are known where who makes them is",
        "tests/test_modes.py::test_what_a_network_is_handed_is_known_where_its_maker_is",
    ),
    Mutant(
        "read/interpret/models.py",
        "if not _is_pythons(classes, name)}",
        "}",
        "an exception is no layer",
        "tests/test_modes.py::test_what_a_network_is_handed_is_known_where_its_maker_is",
    ),
    Mutant(
        "read/vocabulary/layers.py",
        'return bool(_MODELESS.match(name)) or name.endswith("Loss")',
        "return bool(_MODELESS.match(name))",
        "a loss has no modes",
        "tests/test_modes.py::test_what_a_network_is_handed_is_known_where_its_maker_is",
    ),
    Mutant(
        "read/interpret/models.py",
        "return all(isinstance(each, Class) and (each in within or layerless(m, each, (*within, cls))) for each in made)",
        "return not made",
        "a criterion that makes what has no layers has none",
        "tests/test_modes.py::test_a_criterion_that_makes_what_has_no_layers_has_no_modes",
    ),
    Mutant(
        "read/vocabulary/layers.py",
        'str(hub.value).partition(":")[0] == "pytorch/vision"',
        "False",
        "a hub has what torchvision makes",
        "tests/test_modes.py::test_a_hub_has_what_torchvision_makes",
    ),
    Mutant(
        "read/domain/state.py",
        "self.arms[united.role] = tuple(",
        "_ = tuple(",
        "one network in place of many takes gradients where one of them does",
        f"{RECORDS}::test_one_of_many_networks_is_what_each_of_them_is",
    ),
    Mutant(
        "read/interpret/models.py",
        "if layers != idle or",
        "if layers or",
        "a loss module that only computes has no layers",
        f"{RECORDS}::test_a_loss_module_records_nothing_of_what_has_no_graph_unless_it_learns",
    ),
    Mutant(
        "read/vocabulary/layers.py",
        "(?!PReLU$)",
        "",
        "a PReLU has a parameter",
        f"{RECORDS}::test_a_loss_module_records_nothing_of_what_has_no_graph_unless_it_learns",
    ),
    Mutant(
        "read/interpret/retained.py",
        "for term in tensor.forwards:",
        "for term in ():",
        "what a backward goes back to, behind a loop too, had to be recorded",
        f"{RECORDS}::test_what_a_backward_behind_the_loop_goes_back_to_had_to_be_recorded",
    ),
    Mutant(
        "read/interpret/models.py",
        "state.applied.update((term, event) for term in computed.forwards if state.applied[term] in seen)",
        "pass",
        "so had a method's forward",
        f"{RECORDS}::test_what_a_backward_behind_the_loop_goes_back_to_had_to_be_recorded",
    ),
    Mutant(
        "read/domain/values.py",
        "forwards = self.forwards | other.forwards",
        "forwards = self.forwards",
        "and all that a sum is made of",
        f"{RECORDS}::test_what_a_backward_behind_the_loop_goes_back_to_had_to_be_recorded",
    ),
    Mutant(
        "read/interpret/hiding.py",
        "nodes = _reached(code)",
        "nodes = [*ir.walk(*code.body)]",
        "layers of a branch that is switched off for good are none",
        "tests/test_hidden_layers.py",
    ),
    Mutant(
        "read/interpret/hiding.py",
        "if times[name] == 1:",
        "if True:",
        "and a variable that is bound again may switch it on",
        "tests/test_hidden_layers.py",
    ),
    Mutant(
        "read/interpret/hiding.py",
        " + Counter(code.parameters.names)",
        "",
        "so may who gives it as an argument",
        "tests/test_hidden_layers.py",
    ),
    Mutant(
        "read/interpret/operators.py",
        "not present and state.is_number(term):",
        "not present and term in state.begins:",
        "a number that a loop counts is true where it is not 0",
        PASSES,
    ),
    Mutant(
        "read/vocabulary/python.py",
        "return Const(True) if call.holds(of, name) else call.question()",
        "pass",
        "what an object has it has on the next pass, too",
        PASSES,
    ),
    Mutant(
        "read/vocabulary/python.py",
        "return Const(True) if call.holds(of, name) else call.question()",
        "return call.question()",
        "and what it is given in sight it has",
        PASSES,
    ),
    Mutant(
        "read/interpret/unseen.py",
        "and not trained_by(function):",
        "and False:",
        "who calls back what trains nothing may do so without autograd",
        f"{RECORDS}::test_who_calls_back_what_trains_nothing_may_do_so_without_autograd",
    ),
    Mutant(
        "read/interpret/unseen.py",
        'not in {*sys.stdlib_module_names, "builtins"} and',
        "not in () and",
        "Python's own library switches no autograd",
        f"{RECORDS}::test_who_calls_back_what_trains_nothing_may_do_so_without_autograd",
    ),
    Mutant(
        "read/interpret/unseen.py",
        " and not trained_by(function):",
        ":",
        "nor does who calls back what trains",
        f"{RECORDS}::test_who_calls_back_what_trains_does_not",
    ),
    Mutant(
        "read/program.py",
        "bare |= (facts.bare | facts.handed)",
        "bare |= facts.bare",
        "a function that is handed over is read where it is",
        f"{RECORDS}::test_who_calls_back_what_trains_nothing_may_do_so_without_autograd",
    ),
    Mutant(
        "read/interpret/composing.py",
        "len(scales) == 1 and scales[0].built and",
        "len(scales) == 1 and",
        "a loss scale that an object was given is not its own",
        f"{COMPOSED}::test_a_scale_that_others_may_update_is_theirs",
    ),
    Mutant(
        "read/program.py",
        "left = hands_out(m, cls, attribute) or self._may_call(UPDATING, attribute)",
        "left = False",
        "nor is one that its user can update",
        f"{COMPOSED}::test_a_scale_that_others_may_update_is_theirs",
    ),
    Mutant(
        "read/program.py",
        "if not between or not self._may_call(UNSCALING, attribute):",
        "if True:",
        "nor clipped with a scale that its user may have taken out",
        f"{COMPOSED}::test_a_scale_that_others_may_take_out_is_not_clipped",
    ),
    Mutant(
        "read/interpret/offering.py",
        "any(map(loads, known)) and",
        "True and",
        "what is never read again is no checkpoint to go on from",
        f"{OFFERED}::test_of_what_others_say_or_do_once_nothing_is_told",
    ),
    Mutant(
        "read/interpret/offering.py",
        "<= own for index in files",
        "or True for index in files",
        "a checkpoint that others in sight have written is written when they say",
        f"{OFFERED}::test_of_what_others_say_or_do_once_nothing_is_told",
    ),
    Mutant(
        "read/interpret/offering.py",
        'lines = [f"has.{name} = turn" for name in sorted(turned)]',
        "lines = list[str]()",
        "nor does one keep its file whose name training changes",
        f"{OFFERED}::test_of_what_others_say_or_do_once_nothing_is_told",
    ),
    Mutant(
        "read/program.py",
        "any(map(steps_once, m.state.out))",
        "True",
        "a class that has the loop of its training is asked for a checkpoint when that is over",
        f"{OFFERED}::test_of_what_others_say_or_do_once_nothing_is_told",
    ),
    Mutant(
        "read/domain/state.py",
        "and any(map(_has_states, values)):",
        "and False:",
        "of a checkpoint that is put together under many tests it is known what it may hold",
        f"{OFFERED}::test_what_a_class_knows_the_file_of_is_written_over",
    ),
    Mutant(
        "read/interpret/surroundings.py",
        "if hidden or _is_registered(m, called) else before",
        "if hidden else before",
        "what is registered may be called without autograd",
        f"{RECORDS}::test_what_others_find_in_a_registry_they_may_call_without_autograd",
    ),
    Mutant(
        "read/interpret/surroundings.py",
        "return not learns and",
        "return",
        "and not what trains",
        f"{RECORDS}::test_but_not_what_trains",
    ),
    Mutant(
        "read/interpret/methods.py",
        "if any(isinstance(each, Function) for each in args.all.values):",
        "if False:",
        "what is made of a model out of sight may call functions back",
        f"{RECORDS}::test_who_calls_back_what_trains_nothing_may_do_so_without_autograd",
    ),
    Mutant(
        "read/interpret/wrapping.py",
        'case ir.Call(function=ir.Attribute(name="unwrap_model")):',
        "case None:",
        "a model may be taken out of its framework on purpose",
        "tests/test_managed.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "apart = tensor.apart or any(turn.apart for turn in state.here.passes[-1:])",
        "apart = any(turn.apart for turn in state.here.passes[-1:])",
        "also where there is no loop",
        "tests/test_managed.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "            turn.apart = True",
        "            pass",
        "and whatever becomes of what it computes",
        "tests/test_managed.py",
    ),
    Mutant(
        "read/interpret/wrapping.py",
        "m.state.heap[(APART, key)] = Const(apart)",
        "pass",
        "and by whatever name",
        "tests/test_managed.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "_wants_gradients(m) or _differentiates(m, role) or",
        "_wants_gradients(m) or",
        "a forward that takes gradients needs its graph",
        "fixtures/frameworks/unrolled_optimization.py",
    ),
    Mutant(
        "read/interpret/operators.py",
        "if (always := _on_all_passes(state, left, op, right)) is not None:",
        "if (always := None) is not None:",
        "where a counter begins decides what is asked of it on every pass",
        f"{PASSES}::test_what_a_counter_is_on_all_passes_decides_a_test",
    ),
    Mutant(
        "read/interpret/loops.py",
        "if counted.rises:",
        "if True:",
        "and does not where it counts down",
        f"{PASSES}::test_what_a_counter_is_on_all_passes_decides_a_test",
    ),
    Mutant(
        "read/interpret/models.py",
        "if found and _came_out_plain(m, made, role):",
        "if False:",
        "what a constructor says of dropout comes to nothing where the share is 0",
        "tests/test_modes.py::test_what_a_constructor_says_is_what_has_come_of_it",
    ),
    Mutant(
        "read/interpret/models.py",
        'return "forward" in methods and not any(map(moded_by_name, spoken))',
        'return "forward" in methods',
        "and what its forward drops does not",
        "tests/test_modes.py::test_what_a_constructor_says_is_what_has_come_of_it",
    ),
    Mutant(
        "read/interpret/operators.py",
        "return state.test(term_of(value), names_of(value))",
        'return state.test(state.new("test"), frozenset())',
        "an attribute of something known is the same each time it is asked for",
        "fixtures/frameworks/settings_or_defaults.py",
    ),
    Mutant(
        "read/interpret/models.py",
        "if by and m.active and clips(m.active[-1].code.name):",
        "if False:",
        "a function of the project that clips by hand is a clip",
        "fixtures/frameworks/clip_by_hand.py",
    ),
    Mutant(
        "read/interpret/dropout.py",
        " or any(map(_knows_when, callers))",
        "",
        "dropout that a method does which is called where the network trains is switched with it",
        "rules/loopcheck_rules/ungated_functional_dropout/good_helper.py",
    ),
    Mutant(
        "read/interpret/dropout.py",
        "if not asks_mode(test):",
        "if True:",
        "dropout under a test of the mode is switched with it",
        "rules/loopcheck_rules/ungated_functional_dropout/good_guarded.py",
    ),
    Mutant(
        "read/interpret/dropout.py",
        " and _is_settled(each)",
        "",
        "a share that a variable has may be that of the mode",
        "rules/loopcheck_rules/ungated_functional_dropout/good_by_mode.py",
    ),
    Mutant(
        "read/interpret/dropout.py",
        "_on_demand(code) | _without_share(cls, code)",
        "_on_demand(code)",
        "what is taken where the share is 0 alone drops nothing",
        "rules/loopcheck_rules/ungated_functional_dropout/good_without_share.py",
    ),
    Mutant(
        "read/interpret/dropping_helpers.py",
        "return bool(flags - {share}) or ",
        "return ",
        "a flag that a function is given besides its share of dropout may be the mode",
        "tests/test_grounds.py::test_a_function_that_may_know_when_to_drop",
    ),
    Mutant(
        "read/interpret/dropout.py",
        "and _leaves(each)",
        "and False",
        "what comes after a return of one mode is for the other",
        "rules/loopcheck_rules/ungated_functional_dropout/good_by_mode.py",
    ),
    Mutant(
        "read/interpret/probabilities.py",
        "return {**known, **(_sure(after) if by_mode else after)}",
        "return {**known, **after}",
        "probabilities that are made where nothing is trained are no logits of the loss",
        "rules/loopcheck_rules/softmax_before_cross_entropy/good_ways.py",
    ),
    Mutant(
        "read/interpret/probabilities.py",
        "(self.block(then, _sure(known)), self.block(other, _sure(known)))",
        "(self.block(then, known), self.block(other, known))",
        "what is made on one way is not what a later arm is given",
        "rules/loopcheck_rules/softmax_before_cross_entropy/good_ways.py",
    ),
    Mutant(
        "read/interpret/ranks.py",
        " and term not in told",
        "",
        "a test for the folder that a file is in lets all ranks through",
        "rules/loopcheck_rules/save_on_every_rank/bad_folder.py",
    ),
    Mutant(
        "read/interpret/activations.py",
        "case statement if name in _bound(statement):",
        "case statement if False:",
        "what an arm may have bound is not what a network ends in",
        "rules/loopcheck_rules/softmax_before_cross_entropy/good_logits_in_training.py",
    ),
    Mutant(
        "read/domain/values.py",
        'return replace(self, activation="") if self.activation else self',
        "return self",
        "what is computed of probabilities is none",
        VALUES,
    ),
    Mutant(
        "read/triage.py",
        "(_WORDS.search(data) is not None and not _of_another_library(data))",
        "(_WORDS.search(data) is not None)",
        "loops of another library are none of torch's",
        "fixtures/frameworks/paddle_training.py",
    ),
    Mutant(
        "read/program.py",
        "in (calls if owner else bare)]",
        "in ((calls if owner else bare) if owner else calls)]",
        "what is no method is called by its bare name",
        "fixtures/frameworks/evaluation_with_its_meter.py",
    ),
    Mutant(
        "config.py",
        "min_confidence: Confidence = Confidence.MEDIUM",
        "min_confidence: Confidence = Confidence.LOW",
        "what is as likely wrong as right is for those who ask",
        "tests/test_config.py",
    ),
    Mutant(
        "read/imports.py",
        "            self.preamble.append",
        "            (lambda region: None)",
        "what an imported module does is done",
        EVENTS,
    ),
    Mutant(
        "read/library.py",
        'rb"^(?:(?:async )?def|class) "',
        'rb"^(?:(?:async )?def |class |)"',
        "a module is followed for its settings",
        VALUES,
    ),
    Mutant(
        "read/front/relevance.py",
        "        facts.yields\n        or ",
        "        ",
        "a generator may manage what stands in its `with`",
        RELEVANCE,
    ),
    Mutant(
        "read/front/relevance.py",
        "        or speaks(facts)\n        or not _FOR",
        "        or not _FOR",
        "what speaks of training is read",
        RELEVANCE,
    ),
    Mutant(
        "read/front/relevance.py",
        "        or not _FOR_OTHERS.isdisjoint(facts.calls)\n",
        "",
        "`train` may be anything's",
        RELEVANCE,
    ),
    Mutant(
        "read/front/relevance.py",
        "        or not _OBJECTS.isdisjoint(facts.mentions)\n",
        "",
        "what makes an object is read",
        RELEVANCE,
    ),
    Mutant(
        "read/front/relevance.py",
        "        or makes(facts)\n",
        "",
        "so is what makes one of a class out of sight",
        RELEVANCE,
    ),
    Mutant(
        "read/front/relevance.py",
        "        or not facts.parameters.isdisjoint(facts.bare)\n",
        "",
        "what is handed in may be code",
        RELEVANCE,
    ),
    Mutant(
        "read/front/relevance.py",
        "    return index.reaching(",
        "    return frozenset(",
        "what calls what acts, acts",
        "tests/test_relevance.py::test_what_reaches_code_that_acts",
    ),
    # what must not go wrong whatever there is: files, terminals, time and memory
    Mutant(
        "write/overwrite.py",
        "    if target.read_bytes() != before:",
        "    if False:",
        "an edit made meanwhile is not lost",
        WRITES,
    ),
    Mutant(
        "write/hand.py",
        "    if said > 1 or others:",
        "    if others:",
        "who else calls a function in its file is not broken",
        HANDED,
    ),
    Mutant(
        "write/hand.py", "    if said > 1 or others:", "    if said > 1:", "who else calls it from another is not, either", HANDED
    ),
    Mutant(
        "job.py",
        "        if absent := names - files.keys():",
        "        if absent := set[str]():",
        "only what was named is written",
        HANDED,
    ),
    Mutant(
        "write/effects.py",
        "        known |= _read_in(source, here) - bound(here)",
        "        known |= set(names)",
        "a star brings no `self`",
        MENDS,
    ),
    Mutant(
        "write/apply.py",
        "if more := unasked(changed, there) - unasked(data, library):",
        "if more := Counter[str]():",
        "no repair makes a bug that nobody asked about",
        MENDS,
    ),
    Mutant("write/move.py", "        tests.append(code(outer.node.test))\n", "", "what leaves an `if` keeps its test", MOVES),
    Mutant(
        "write/insert.py",
        "    if not tests and made_under is not None:",
        "    if False:",
        "what a caller may lack is asked for there",
        MENDS,
    ),
    Mutant(
        "write/cover.py",
        '    if not level.unsure.get("model") and _always_wrapped(level):',
        "    if True:",
        "a model without the wrapper is not asked for `no_sync`",
        MAKERS,
    ),
    Mutant(
        "write/names.py",
        "target_of(source, node) == name and len(bindings) == 1",
        "target_of(source, node) == name",
        "one of several schedules is not told a metric",
        MAKERS,
    ),
    Mutant(
        "write/overwrite.py",
        "        for each in reversed(done):",
        "        for each in ():",
        "of two files that are mended together neither is, where one cannot be",
        WRITES,
    ),
    Mutant("write/overwrite.py", "    if found.st_nlink == 1:", "    if True:", "a file of two names stays one file", WRITES),
    Mutant("write/overwrite.py", "    os.fchmod(handle, stat.S_IMODE(found.st_mode))\n", "", "permissions stay", WRITES),
    Mutant("write/overwrite.py", "if not found.st_mode & 0o222 or", "if", "what may only be read is not written", WRITES),
    Mutant("write/overwrite.py", "        os.ftruncate(handle, len(data))\n", "", "a shorter file has no old end", WRITES),
    Mutant(
        "job.py",
        "if not job.dry and not inside(path, job.roots):",
        "if False:",
        "a link out of what was named is not written",
        WRITES,
    ),
    Mutant("printable.py", "unicodedata.category(char) not in _RAW", "True", "nothing that is said turns a terminal round", SAYS),
    Mutant("cli/check.py", 'return printable(text, kept="\\t\\f") + (', "return text + (", "nor does a patch", SAYS),
    Mutant("alone.py", "    del sys.path[0]", "    pass", "nothing in the current folder is run", "tests/test_startup.py"),
    Mutant("read/domain/values.py", "    if total > MOST_PARTS:", "    if False:", "a value holds no more than so many", BOUNDS),
    Mutant(
        "paths.py",
        "len(moved.onward) > MOST_PARTIALS",
        "False",
        "so many matches are followed and no more",
        "tests/test_paths.py",
    ),
    Mutant(
        "read/text.py",
        "    if exceeds(text, MOST_WORDS):",
        "    if False:",
        "a file of so many words is analysed and no longer one",
        BOUNDS,
    ),
    Mutant(
        "read/depth.py",
        "            if depth > limit:\n                return len",
        "            if False:\n                return len",
        "libcst is not left with a pattern",
        BOUNDS,
    ),
    Mutant(
        "record/gauge.py",
        "        self._active += 1\n",
        "        self._active += 1\n        torch.rand(1)\n",
        "an audit draws nothing from a random state of the program's",
        f"{AUDIT}::test_the_weights_are_the_same_to_the_last_bit",
    ),
    Mutant(
        "record/gauge.py",
        "torch._foreach_norm(grads)",
        "torch._foreach_norm(torch._foreach_mul_(grads, 0.5) or grads)",
        "an audit reads gradients and leaves them alone",
        f"{AUDIT}::test_the_weights_are_the_same_to_the_last_bit",
    ),
    Mutant(
        "cli/audit.py",
        "else die(recorded.status)",
        "else 0",
        "the exit code of an audit is the program's",
        f"{AUDIT}::test_exit_code_and_output_are_the_programs",
    ),
    Mutant(
        "cli/audit.py",
        "failed and recorded.status == 0",
        "failed",
        "what the run shows does not stand for the program's own failure",
        f"{AUDIT}::test_fail_on",
    ),
    Mutant(
        "record/guest.py",
        "        if trace.tb_frame.f_code.co_filename != UNSEEN:",
        "        if True:",
        "a crash of an audited program shows no frame of ours",
        f"{AUDIT}::test_exit_code_and_output_are_the_programs",
    ),
    Mutant(
        "auditing/launch.py",
        "        process.send_signal(number)",
        "        pass",
        "a signal reaches the program that is audited",
        f"{AUDIT}::test_a_signal_reaches_the_program_and_ends_both",
    ),
    Mutant(
        "record/patch.py",
        "        while self._undo and not _compiled():",
        "        while False:",
        "what an audit has put into torch is taken out",
        f"{AUDIT}::test_in_a_block",
    ),
    Mutant(
        "record/patch.py",
        "        self.live = False\n        self.tell(error)",
        "        raise error",
        "an error of the recorder's is not the program's",
        f"{AUDIT}::test_the_program_goes_on_without_a_recorder_that_fails",
    ),
    Mutant(
        "record/session.py",
        "self._most is None and passes >= PASSES and self.steps >= FEWEST",
        "False",
        "two passes over the data are enough",
        f"{AUDIT}::test_two_passes_over_the_data_are_enough",
    ),
    Mutant(
        "record/session.py",
        "self.steps >= (MOST if self._most is None else self._most) or",
        "",
        "no more steps are recorded than were asked for",
        f"{AUDIT}::test_recording_stops_and_the_program_goes_on",
    ),
    Mutant(
        "record/session.py",
        "        self._due = self.steps & (self.steps - 1) == 0",
        "        self._due = False",
        "who is killed has left a record",
        f"{AUDIT}::test_who_is_killed_has_left_a_record",
    ),
    Mutant(
        "record/guest.py",
        "    os._exit = _after(guest.leave, os._exit)  # type: ignore[assignment]\n",
        "",
        "who ends by os._exit has left all of it",
        f"{AUDIT}::test_who_is_killed_has_left_a_record",
    ),
    Mutant(
        "record/recorder.py",
        "pickle.loads(pickle.dumps(self._seen()))",
        "self._seen()",
        "what is kept of a run on its way changes nothing in the rest",
        "tests/test_observations.py::test_what_is_kept_on_the_way_changes_nothing",
    ),
    Mutant(
        "record/guest.py",
        "run.trace[self._inherited :]",
        "run.trace",
        "a process that loads data does not hand in what its parent did",
        f"{AUDIT}::test_who_only_loads_data_has_nothing_to_tell",
    ),
    Mutant(
        "auditing/sightings.py",
        "(*first.ranks, run.rank)",
        "(0,)",
        "what one rank does is told of that rank",
        f"{AUDIT}::test_ranks_make_one_report",
    ),
    Mutant(
        "auditing/report.py",
        "    for rank in sorted({*range(world)} - {run.rank for run in runs}):",
        "    for rank in ():",
        "a rank that has left nothing is missed",
        f"{AUDIT}::test_a_rank_that_is_lost_is_told_of",
    ),
    Mutant(
        "record/site.py",
        "    folders |= {folder for folder in sys.path if Path(folder).name in _INSTALLED}\n",
        "",
        "packages of another environment are not the user's code",
        "tests/test_record.py::test_packages_of_another_environment_are_not_the_users",
    ),
    Mutant(
        "record/curves.py",
        "        and all(each is None or _is_arithmetic(each) for each in called)\n",
        "",
        "no code of the program's is called to see what a scheduler plans",
        "tests/test_curves.py",
    ),
    Mutant(
        "record/curves.py",
        "{id(optimizer): stand_in}",
        "{id(optimizer): optimizer}",
        "to see what a scheduler plans moves no learning rate",
        "tests/test_curves.py",
    ),
    Mutant(
        "auditing/silence.py",
        "        if not self._spares(finding):",
        "        if True:",
        "a finding that is too unsure to be shown is told of as such",
        "tests/test_silence.py",
    ),
    Mutant(
        "auditing/silence.py",
        "each.at.place != event.at.place",
        "True",
        "of what keeps the judge silent, that is named without which it would speak",
        "tests/test_silence.py",
    ),
    Mutant(
        "auditing/contradiction.py",
        " and not self._ended:",
        " and False:",
        "a run that was not seen to its end contradicts nothing that only the end decides",
        f"{AUDIT}::test_what_the_run_did_otherwise_contradicts_once_its_end_was_seen",
    ),
    Mutant(
        "record/site.py",
        'while frame and not frame.f_code.co_filename.startswith("<loopcheck"):  # the hook',
        'while frame and frame.f_code.co_filename.startswith(("<loopcheck", _PACKAGE)):',
        "what the recorder computes for itself is not the program's",
        "tests/test_observations.py::test_what_the_recorder_computes_for_itself_is_not_the_programs",
    ),
    Mutant(
        "record/data.py",
        "        weakref.finalize(iterator, self.batches.pop, number, None).atexit = False\n",
        "",
        "of a pass that was left nothing is kept",
        f"{RECORD}::test_what_nobody_will_look_at_is_not_kept",
    ),
    Mutant(
        "record/overwriting.py",
        "                if len(self._handed) >= MOST_HANDED:\n",
        "                if False:\n",
        "weights that are looked at by the thousand are not kept",
        f"{RECORD}::test_what_nobody_will_look_at_is_not_kept",
    ),
    Mutant(
        "record/checkpoints.py",
        "of._replace(copied=True)",
        "of._replace(copied=not of.copied)",
        "a copy of a copied state does not stand for the state",
        f"{RECORD}::test_a_copy_of_a_copied_state_is_of_the_same_object",
    ),
    Mutant(
        "read/front/index.py",
        "                self.gives(keyword.arg, keyword.value)\n",
        "",
        "a file in which a loss is told to be a sum over samples is left alone",
        TALLIES,
    ),
    Mutant("outline.py", ", library=self._library)", ")", "what is drawn and judged is read once", "tests/test_show_page.py"),
    Mutant(
        "job.py",
        'read = library if pool.METHOD == "fork" else None',
        "read = None",
        "copies of a process have what it has read",
        "tests/test_show_page.py",
    ),
]


class Spoiled(Exception):
    """What fails with a mutant fails without it, too, and proves nothing."""


def stale(mutants: Sequence[Mutant] = MUTANTS) -> list[str]:
    """What rows no longer fit the house: code that is not once in its file or no Python without it, tests that are gone."""
    found = []
    for mutant in mutants:
        text = (ROOT / "src" / "loopcheck" / mutant.file).read_text(encoding="utf-8")
        if (times := text.count(mutant.code)) != 1:
            found.append(f"{mutant.file}: `{mutant.code}` stands there {times} times")
        elif not _parses(text.replace(mutant.code, mutant.instead)):
            found.append(f"{mutant.file}: with `{mutant.instead}` it is no Python")
        found += [f"{mutant.file}: no {each}" for each in mutant.tests.split() if not (ROOT / each.partition("::")[0]).exists()]
    return found


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def chosen(words: Sequence[str]) -> list[Mutant]:
    """The mutants whose file or reason holds one of the words; all where there is none."""
    return [each for each in MUTANTS if not words or any(word in f"{each.file} {each.why}" for word in words)]


def planted(folder: Path) -> Path:
    """A copy of what tests need of the house, in this folder."""
    for name in NEEDED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    # by their hashes, for within one second two mutants of a file look like one
    compileall.compile_dir(folder / "src", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return folder


def killer(mutant: Mutant, tree: Path) -> str:
    """What fails in the tree without this guarantee; nothing where it lives. Raises Spoiled."""
    for asked in (mutant.tests.split(), SCRIPTS):
        with _mutated(tree / "src" / "loopcheck" / mutant.file, mutant):
            by = failing(tree, asked)
        if by and failing(tree, [by] if (tree / by.partition("::")[0]).exists() else asked):
            raise Spoiled(by)
        if by:
            return by
    return ""


@contextmanager
def _mutated(file: Path, mutant: Mutant) -> Iterator[None]:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(mutant.code, mutant.instead), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(text, encoding="utf-8")


def failing(tree: Path, asked: Sequence[str]) -> str:
    """The first of these tests and scripts that fails in a tree, or how asking them ended."""
    if not asked:
        return ""
    path = os.pathsep.join(str(tree / each) for each in ("src", "rules", "tests"))
    try:
        ran = subprocess.run(
            [sys.executable, "tests/failing.py", *asked],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            encoding="utf-8",
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"taking more than {MOST_SECONDS} s"
    said = ran.stdout.splitlines() or [""]
    return "" if ran.returncode == 0 else said[-1] or f"exit status {ran.returncode}"


@dataclass(frozen=True)
class Fate:
    """How a mutant fared. by: what fails with it; spoiled: and without it, which proves nothing."""

    mutant: Mutant
    seconds: float
    by: str = ""
    spoiled: str = ""

    def __str__(self) -> str:
        if self.spoiled:
            return f"{self.spoiled} fails without it, too"
        return f"dies by {self.by}" if self.by else f"LIVES: {self.mutant.lives or 'nobody knows why'}"


def fates(mutants: Sequence[Mutant], jobs: int) -> Iterator[Fate]:
    """How each fared, as soon as it is known."""
    trees: queue.SimpleQueue[Path] = queue.SimpleQueue()

    def fate(mutant: Mutant) -> Fate:
        tree, began = trees.get(), time.monotonic()
        by, spoiled = "", ""
        try:
            by = killer(mutant, tree)
        except Spoiled as error:
            spoiled = str(error)
        finally:
            trees.put(tree)
        return Fate(mutant, time.monotonic() - began, by, spoiled)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        for number in range(jobs):
            trees.put(planted(Path(folder) / str(number)))
        try:
            for done in as_completed([pool.submit(fate, each) for each in mutants]):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def main(arguments: Sequence[str]) -> int:
    """Print how each mutant fared; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", help="of the files or reasons of those to take; all without one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time; one for each core")
    options = parser.parse_args(arguments)
    if rows := stale():
        print("stale rows:", *rows, sep="\n  ")
        return 2
    if not (mutants := chosen(options.words)):
        print(f"no mutant has {' or '.join(map(repr, options.words))} in its file or reason")
        return 2
    began = time.monotonic()
    known = []
    for fate in fates(mutants, min(max(options.jobs, 1), len(mutants))):
        known.append(fate)
        print(f"{fate.seconds:4.0f} s  {fate.mutant.file}: {fate.mutant.why}: {fate}", flush=True)
    died = sum(bool(each.by) for each in known)
    spoiled = sum(bool(each.spoiled) for each in known)
    excused = sum(bool(each.mutant.lives) for each in known if not each.by and not each.spoiled)
    unexplained = len(known) - died - spoiled - excused
    print(
        f"{len(known)} mutants in {(time.monotonic() - began) / 60:.0f} minutes: {died} die, {excused} live for a reason,"
        f" {unexplained} without one, {spoiled} by what fails anyway"
    )
    return 2 if spoiled else 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
