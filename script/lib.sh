# shellcheck shell=bash
# What the scripts share: where the repository is, how they speak, how a step is logged. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # for those who source this
log_dir=$root/build/log

# say WORDS: one short line about what is going on. To stderr, so that stdout stays for results.
say() {
    printf '== %s\n' "$*" >&2
}

# fail SENTENCE: the one clear sentence a script ends with when it cannot go on.
fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# cores: how many this process may use.
cores() {
    nproc 2>/dev/null || echo 1
}

# run_quiet NAME COMMAND...: all it says goes to build/log/NAME.log. Returns the command's exit code.
run_quiet() {
    local log=$log_dir/$1.log
    shift
    mkdir -p "$log_dir"
    "$@" >"$log" 2>&1 </dev/null
}

# run_logged NAME COMMAND...: as run_quiet, but when it fails, what its log says is wrong is shown.
run_logged() {
    local log=$log_dir/$1.log code=0
    run_quiet "$@" || code=$?
    if [ "$code" -ne 0 ]; then
        # Compilers say what is wrong long before the last line.
        grep -E -A 3 '[Ee]rror|warning: |FAILED' "$log" | head -n 30 >&2 || tail -n 15 "$log" >&2
        say "$1 failed; all of it is in ${log#"$root"/}"
    fi
    return "$code"
}
