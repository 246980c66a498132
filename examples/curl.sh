#!/usr/bin/env bash
# From nothing to an approved write, with curl alone. URL and KEY can be given; the defaults are those of `npm start`.
set -euo pipefail
URL=${URL:-http://127.0.0.1:3000}
KEY=${KEY:-$(cat "${DATA_DIR:-data}/api-key")}
api() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }
# The first id of a kind in the JSON that comes in; `|| true`, since grep fails where there is none.
first() { grep -o "$1_[0-9a-f]*" | head -n 1 || true; }

session=$(api -d '{"title": "curl.sh"}' "$URL/sessions" | first ses)
echo "session: $session"

# onApproval is "wait" by default: the answer is 202 with the run and what it asks for.
run=$(api -d '{"content": "write notes/hello.txt with \"Hello from curl\" then read notes/hello.txt"}' "$URL/sessions/$session/messages" | first run)
echo "run: $run"

call=$(api "$URL/approvals?status=pending&sessionId=$session" | first call)
echo "it asks for: $(api "$URL/approvals/$call" | grep -o '"summary":"[^"]*"')"
api -d '{"decision": "approve", "reason": "looks right"}' "$URL/approvals/$call" > /dev/null

echo "run settled: $(api -H 'Prefer: wait=60' "$URL/sessions/$session/runs/$run" | grep -o '"status":"[a-z_]*"' | head -n 1)"

# A second message, its answer as plain text. The key makes it safe to send again when the connection breaks.
api -H 'Accept: text/plain' -H "Idempotency-Key: curl-$session" -d '{"content": "list notes"}' "$URL/sessions/$session/messages"
echo

echo "events: $(api "$URL/sessions/$session/events?limit=200" | grep -o '"seq":' | wc -l)"
api -X DELETE "$URL/sessions/$session"
echo "deleted"
