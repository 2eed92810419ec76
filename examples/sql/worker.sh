#!/bin/sh
# A worker that is nothing but psql and a shell: it carries out runs of the type text.count.v1, {"text": "..."}, by counting words, until
# nothing is due.
#
#   examples/sql/worker.sh postgresql://user:password@host:5432/database
set -eu

url=$1
worker="$(hostname)-$$"

sql() {
  psql "$url" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --set=worker="$worker" "$@"
}

claim() {
  sql <<'END'
select workflow.reap() \g /dev/null
update workflow.workflow_run
set status = 'leased', leased_by = :'worker', lease_until = now() + interval '30 seconds', updated_at = now()
where id = (
  select id
  from workflow.workflow_run
  where status = 'pending'
    and type like 'text.count.%'
    and run_at <= now()
    and deleted_at is null
  order by priority asc, created_at asc
  for update skip locked
  limit 1)
returning id;
END
}

finish() {
  sql --set=run="$1" --set=words="$2" <<'END'
update workflow.workflow_run
set status = 'succeeded', result = to_json(:'words'::integer), updated_at = now()
where id = :'run' and status = 'leased' and leased_by = :'worker';
END
}

give_up() {
  sql --set=run="$1" --set=why="$2" <<'END'
update workflow.workflow_run
set status = 'failed', last_error = :'why', updated_at = now()
where id = :'run' and status = 'leased' and leased_by = :'worker';
END
}

while run=$(claim) && [ -n "$run" ]; do
  text=$(sql --set=run="$run" <<'END'
select payload ->> 'text' from workflow.workflow_run where id = :'run';
END
  )
  if [ -n "$text" ]; then
    finish "$run" "$(printf '%s' "$text" | wc -w | tr -d ' ')"
  else
    give_up "$run" "the payload has no text to count"
  fi
done
