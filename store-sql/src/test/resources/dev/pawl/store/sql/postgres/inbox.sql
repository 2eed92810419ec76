-- What producers and workers of a durable inbox say, in words that were settled before Pawl: each has to work as it stands. A word behind a colon
-- is a parameter, as psql has them.

-- name: create
insert into workflow.workflow_run (
  type,
  payload,
  idempotency_key
) values (
  'content.thumbnail.v1',
  '{"content_id":"c_123", "width": 300, "height": 300}',
  'content:c_123:thumbnail:300x300'
)
on conflict (idempotency_key) do nothing
returning id;

-- name: cancel
update workflow.workflow_run
set status = 'cancelled', updated_at = now()
where id = :run_id
  and status in ('pending', 'leased');

-- name: claim
select id, type, payload, attempt, max_attempts
from workflow.workflow_run
where status = 'pending'
  and (type like 'billing.%' or type like 'payment.%')
  and run_at <= now()
  and deleted_at is null
order by priority asc, created_at asc
for update skip locked
limit 1;

-- name: lease
update workflow.workflow_run
set status = 'leased',
    leased_by = :worker_id,
    lease_until = now() + interval '30 seconds',
    updated_at = now()
where id = :run_id;

-- name: heartbeat
update workflow.workflow_run
set lease_until = now() + interval '30 seconds',
    updated_at = now()
where id = :run_id and status = 'leased';

-- name: check
select status from workflow.workflow_run where id = :run_id;

-- name: note
insert into workflow.workflow_event (workflow_id, event_type, data)
values (:run_id, 'heartbeat', '{"extended_by_seconds": 30}');
