#!/bin/sh
# Lets an agent work on the commit that is checked out, and brings back what it changed as a patch.
# Needs nothing but git and curl.
#
#   ECLUSE_URL=https://agent.example ECLUSE_KEY=... ./ecluse-patch.sh 'Fix the typo in README.md'
#
# The agent's answer goes to stdout, the patch to ECLUSE_PATCH (default: ecluse.patch; empty when nothing changed).
#
#   ECLUSE_POLICY           the session's policy as JSON (default: {"mode":"auto"}, which needs a key that may
#                           approve; set it empty to take the server's own)
#   ECLUSE_IDEMPOTENCY_KEY  the same key never starts a second run, also when the connection breaks in the middle
#   ECLUSE_TIMEOUT          longest wait for the answer, in seconds (default: 1800)
#
# Exit codes: 0 done, the patch applies (or is empty) · 1 the agent did not finish its work
#             2 the request was refused, or the server is not there · 3 the patch does not apply
set -eu

: "${ECLUSE_URL:?the base URL of the server}" "${ECLUSE_KEY:?an API key}"
[ $# -eq 1 ] || { echo "usage: $0 MESSAGE" >&2; exit 2; }
message=$1
patch=${ECLUSE_PATCH:-ecluse.patch}
policy=${ECLUSE_POLICY-'{"mode":"auto"}'}
key=${ECLUSE_IDEMPOTENCY_KEY:-$(date +%s)-$$}
root=$(git rev-parse --show-toplevel)
case $patch in /*) ;; *) patch=$PWD/$patch ;; esac

work=$(mktemp -d)
session=
finish() {
  status=$?
  [ -z "$session" ] || call DELETE "$session" > /dev/null 2>&1 || true
  rm -rf "$work"
  exit $status
}

# call METHOD PATH [curl options]: the body of the answer is in $work/body, its status is printed. The key stands in a
# file, since every user of the machine can read the arguments of a program.
call() {
  method=$1 path=$2
  shift 2
  curl -sS --request "$method" --header "@$work/auth" --max-time "${ECLUSE_TIMEOUT:-1800}" \
    --retry 5 --retry-connrefused --dump-header "$work/headers" --output "$work/body" --write-out '%{http_code}' "$@" "$ECLUSE_URL$path"
}

# json TEXT: a JSON string.
json() {
  printf '%s' "$1" | LC_ALL=C tr -d '\000-\010\013-\037' | LC_ALL=C sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e "s/$(printf '\t')/\\\\t/g" |
    awk 'BEGIN { printf "\"" } { printf "%s%s", sep, $0; sep = "\\n" } END { printf "\"" }'
}

refused() { # refused EXIT-CODE WHAT STATUS
  echo "$2 (HTTP $3):" >&2
  cat "$work/body" >&2 2> /dev/null || true
  echo >&2
  exit "$1"
}

trap finish EXIT
trap 'exit 2' INT TERM
(umask 077 && printf 'Authorization: Bearer %s\n' "$ECLUSE_KEY" > "$work/auth")

status=$(call POST /sessions --header 'Content-Type: application/json' --header "Idempotency-Key: $key" \
  --data "{\"title\":\"ci\"${policy:+,\"policy\":$policy}}") || refused 2 'The server is not there' "${status:-none}"
case $status in 200 | 201) ;; *) refused 2 'No session was made' "$status" ;; esac
session=$(tr -d '\r' < "$work/headers" | sed -n 's/^[Ll]ocation: *//p')

# A workspace takes no links from outside, so those of the repository stay where they are.
set --
git -C "$root" ls-tree -rz HEAD | tr '\000' '\n' | sed -n "s/^120000[^$(printf '\t')]*$(printf '\t')//p" > "$work/links"
while IFS= read -r link; do set -- "$@" ":(exclude,top,literal)$link"; done < "$work/links"
git -C "$root" archive --format=tar.gz --output="$work/tree.tar.gz" HEAD -- . "$@"
status=$(call PUT "$session/archive" --header 'Content-Type: application/gzip' --data-binary "@$work/tree.tar.gz") || refused 2 'The upload broke off' none
[ "$status" = 200 ] || refused 2 'The files were not taken' "$status"

printf '{"content":%s,"onApproval":"fail"}' "$(json "$message")" > "$work/message"
status=$(call POST "$session/messages" --header 'Content-Type: application/json' --header 'Accept: text/plain' \
  --header "Idempotency-Key: $key" --data-binary "@$work/message") || refused 2 'The answer did not come' none
case $status in
  200) cat "$work/body"; echo ;;
  409 | 424) refused 1 'The agent did not finish' "$status" ;;
  *) refused 2 'The message was refused' "$status" ;;
esac

status=$(call GET "$session/diff" --header 'Accept: text/x-diff') || refused 2 'The patch did not come' none
[ "$status" = 200 ] || refused 2 'There is no patch' "$status"
cp "$work/body" "$patch"
if [ ! -s "$patch" ]; then
  echo 'Nothing has changed.' >&2
  exit 0
fi
git -C "$root" apply --check "$patch" || { echo "The patch does not apply; it is in $patch." >&2; exit 3; }
git -C "$root" apply --stat "$patch" >&2
