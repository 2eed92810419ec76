// pg-boss: jobs inserted in bulk, fetched in batches by a few workers at the shortest polling interval it allows.

import { createRequire } from "node:module";
import PgBoss from "pg-boss";
import * as tally from "./tally.mjs";

const version = createRequire(import.meta.url)("pg-boss/package.json").version;
const WORKERS = 4;
const BATCH = 500;
const POLL_SECONDS = 0.5;

let boss;

export default {
  packages: ["pg-boss"],
  settings: `pg-boss ${version}; ${WORKERS} workers with batches of ${BATCH}, polled every ${POLL_SECONDS} s`,
  durability: "Postgres; a batch is completed in one statement",
  cannot: {
    flow: "it has jobs, and no flows of steps",
    startWaiting: "nothing in it waits for a signal",
    fanOut: "its jobs have no children",
    block: "jobs of a dead worker expire after 15 minutes by default",
  },

  async open({ url }) {
    boss = new PgBoss({ connectionString: url, max: 10 });
    boss.on("error", () => {});
    await boss.start();
    await boss.createQueue("task");
    await boss.createQueue("sleeper");
    const options = { batchSize: BATCH, pollingIntervalSeconds: POLL_SECONDS };
    for (let i = 0; i < WORKERS; i++) {
      await boss.work("task", options, async (jobs) => jobs.forEach(() => tally.executed()));
      await boss.work("sleeper", options, async (jobs) => jobs.forEach((job) => tally.awake(job.data.due)));
    }
  },

  async tasks(count, payload) {
    await boss.insert(Array.from({ length: count }, () => ({ name: "task", data: { payload } })));
  },

  async sleepers(count, due) {
    const startAfter = new Date(due);
    await boss.insert(Array.from({ length: count }, () => ({ name: "sleeper", data: { due }, startAfter })));
    tally.asleep(count);
  },

  async close() {
    await boss?.stop({ graceful: false, wait: true });
    boss = undefined;
  },
};
