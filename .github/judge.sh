#!/usr/bin/env bash
# Judges what action.yml is asked to: findings on their lines, the job's summary, and a SARIF log. Ends as loopcheck does.
set -euo pipefail

arguments=()

# take LINES: each line that is not empty is an argument, whatever it holds.
take() {
    local line
    while IFS= read -r line; do
        if [[ -n $line ]]; then arguments+=("$line"); fi
    done <<<"$1"
}

take "${LOOPCHECK_OPTIONS:-}"
arguments+=(--)
take "${LOOPCHECK_PATHS:-.}"

sarif="$RUNNER_TEMP/loopcheck.sarif"
summary="$RUNNER_TEMP/loopcheck.md"
status=0
loopcheck check --output-format github --output "sarif:$sarif" --output "markdown:$summary" "${arguments[@]}" || status=$?
if [[ -f $summary ]]; then cat "$summary" >>"$GITHUB_STEP_SUMMARY"; fi
if [[ -f $sarif ]]; then echo "sarif=$sarif" >>"$GITHUB_OUTPUT"; fi
exit "$status"
