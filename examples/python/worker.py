#!/usr/bin/python3
"""A worker in Python that speaks nothing but SQL to Pawl's Postgres store.

    python3 worker.py --url postgresql://user:password@host:5432/database --prefix 'text.%'

It needs psycopg: Debian's package python3-psycopg, or python3-psycopg2. Write your own handlers into HANDLERS, or import
work() and give it a dictionary of yours.
"""

import argparse
import json
import os
import signal
import socket
import sys
import threading
import time
import traceback
import uuid

try:
    import psycopg as driver
except ImportError:
    import psycopg2 as driver

RUNTIME = "python"

# What the registry keeps for others, or has switched off, is left alone.
CLAIM = """
update workflow.workflow_run
set status = 'leased', leased_by = %s, lease_until = now() + %s * interval '1 second', updated_at = now()
where id = (
  select r.id
  from workflow.workflow_run r
  where r.status = 'pending'
    and ({prefixes})
    and r.run_at <= now()
    and r.deleted_at is null
    and not exists (
      select from workflow.workflow_registry g
      where g.workflow_name = r.type and (not g.is_enabled or g.runtime not in ('any', %s)))
  order by r.priority asc, r.created_at asc
  for update skip locked
  limit 1)
returning id, type, payload, attempt, status
"""

HEARTBEAT = """
update workflow.workflow_run
set lease_until = now() + %s * interval '1 second', updated_at = now()
where id = %s and status = 'leased' and leased_by = %s
"""

SUCCEED = """
update workflow.workflow_run
set status = 'succeeded', result = %s, updated_at = now()
where id = %s and status = 'leased' and leased_by = %s
"""

# Pawl counts the attempts, waits longer each time, and makes it failed after the last one.
TRY_AGAIN = """
update workflow.workflow_run
set status = 'pending', last_error = %s, updated_at = now()
where id = %s and status = 'leased' and leased_by = %s
"""

FAIL = """
update workflow.workflow_run
set status = 'failed', last_error = %s, updated_at = now()
where id = %s and status = 'leased' and leased_by = %s
"""

# An attempt less: the run goes back unharmed.
GIVE_BACK = """
update workflow.workflow_run
set status = 'pending', attempt = attempt - 1, last_error = %s, run_at = now() + interval '1 minute', updated_at = now()
where id = %s and status = 'leased' and leased_by = %s
"""


class Permanent(Exception):
    """Raised by a handler for which another attempt is no use."""


class Run:
    """A run that this worker holds, as its handler sees it."""

    def __init__(self, row):
        self.id, self.type, payload, self.attempt, self.status = row
        self.id = str(self.id)
        self.payload = json.loads(payload) if isinstance(payload, str) else payload
        self.lost = threading.Event()

    def is_cancelled(self):
        """Whether the run was cancelled, or taken over by somebody else: stop, whatever you return is not wanted."""
        return self.lost.is_set()


def shout(run):
    return {"text": run.payload["text"].upper(), "attempt": run.attempt}


def fail(run):
    raise ValueError("attempt %d: %s" % (run.attempt, run.payload["why"]))


def refuse(run):
    raise Permanent(run.payload["why"])


def wait(run):
    """Waits for ever, like work that takes long, but looks up now and then."""
    while not run.is_cancelled():
        time.sleep(0.01)
    print("stopped", run.id, flush=True)


HANDLERS = {"text.shout.v1": shout, "text.fail.v1": fail, "text.refuse.v1": refuse, "text.wait.v1": wait}


class Beat(threading.Thread):
    """Renews the lease while the handler works, on a connection of its own."""

    def __init__(self, url, run, worker, lease):
        super().__init__(daemon=True)
        self.url, self.run_held, self.worker, self.lease = url, run, worker, lease
        self.done = threading.Event()

    def run(self):
        try:
            connection = driver.connect(self.url)
            connection.autocommit = True
            with connection.cursor() as cursor:
                while not self.done.wait(self.lease / 3):
                    cursor.execute(HEARTBEAT, (self.lease, self.run_held.id, self.worker))
                    if cursor.rowcount == 0:
                        break
            connection.close()
        except driver.Error as error:
            # Somebody else holds the run, or the database is gone: either way it is not ours any more.
            print("lost", self.run_held.id, error, file=sys.stderr, flush=True)
        if not self.done.is_set():
            self.run_held.lost.set()


def failure(error):
    """An exception as Pawl keeps it. A plain sentence would do as well."""
    return json.dumps({
        "code": "ERROR",
        "type": type(error).__name__,
        "message": str(error) or type(error).__name__,
        "stack": "".join(traceback.format_exception(type(error), error, error.__traceback__)),
    })


def carry_out(cursor, url, run, worker, lease, handlers):
    if run.type not in handlers:
        cursor.execute(GIVE_BACK, ("no handler for %s in %s" % (run.type, worker), run.id, worker))
        return
    beat = Beat(url, run, worker, lease)
    beat.start()
    try:
        result = handlers[run.type](run)
        ending = (SUCCEED, json.dumps(result))
    except Permanent as error:
        ending = (FAIL, failure(error))
    except Exception as error:
        ending = (TRY_AGAIN, failure(error))
    finally:
        beat.done.set()
        beat.join()
    if not run.is_cancelled():
        statement, said = ending
        cursor.execute(statement, (said, run.id, worker))


def work(url, prefixes, handlers, lease=30.0, poll=1.0, stop=None, until_idle=False):
    """Claims and carries out runs whose type begins with one of the prefixes, until told to stop."""
    stop = stop or threading.Event()
    worker = "%s-%d-%s" % (socket.gethostname(), os.getpid(), uuid.uuid4().hex[:8])
    claim = CLAIM.format(prefixes=" or ".join(["r.type like %s"] * len(prefixes)))
    connection = driver.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        while not stop.is_set():
            # What died workers in SQL left behind becomes claimable.
            cursor.execute("select workflow.reap()")
            cursor.execute(claim, [worker, lease] + list(prefixes) + [RUNTIME])
            row = cursor.fetchone()
            if row is None:
                if until_idle:
                    break
                stop.wait(poll)
                continue
            run = Run(row)
            if run.status == "leased":
                carry_out(cursor, url, run, worker, lease, handlers)
    connection.close()


def main():
    options = argparse.ArgumentParser(description="Carries out runs of Pawl's Postgres store.")
    options.add_argument("--url", required=True)
    options.add_argument("--prefix", action="append", required=True, help="such as 'text.%%'; may be given several times")
    options.add_argument("--lease", type=float, default=30.0, help="seconds")
    options.add_argument("--until-idle", action="store_true", help="end when nothing is due")
    chosen = options.parse_args()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    work(chosen.url, chosen.prefix, HANDLERS, lease=chosen.lease, stop=stop, until_idle=chosen.until_idle)


if __name__ == "__main__":
    main()
