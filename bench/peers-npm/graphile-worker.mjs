// graphile-worker with the settings that its page on performance is about: a local queue, and completions in batches.

import { createRequire } from "node:module";
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import * as tally from "./tally.mjs";

const version = createRequire(import.meta.url)("graphile-worker/package.json").version;
const CONCURRENT_JOBS = 24;
const LOCAL_QUEUE = 500;

let runner;
let utils;

export default {
  packages: ["graphile-worker"],
  settings: `graphile-worker ${version}; ${CONCURRENT_JOBS} jobs at once, local queue of ${LOCAL_QUEUE}, completions batched without delay`,
  durability: "Postgres; completions are written in batches",
  cannot: {
    flow: "it has jobs, and no flows of steps",
    startWaiting: "nothing in it waits for a signal",
    fanOut: "its jobs have no children",
    block: "jobs of a dead worker stay locked for hours by default",
  },

  async open({ url }) {
    const preset = {
      worker: {
        connectionString: url,
        concurrentJobs: CONCURRENT_JOBS,
        maxPoolSize: CONCURRENT_JOBS + 1,
        localQueue: { size: LOCAL_QUEUE },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: new Logger(() => () => {}),
      },
    };
    utils = await makeWorkerUtils({ preset });
    await utils.migrate();
    runner = await run({
      preset,
      noHandleSignals: true,
      taskList: {
        task: async () => tally.executed(),
        sleeper: async ({ due }) => tally.awake(due),
      },
    });
  },

  async tasks(count, payload) {
    const specs = Array.from({ length: count }, () => ({ identifier: "task", payload: { payload } }));
    await utils.addJobs(specs);
  },

  async sleepers(count, due) {
    const runAt = new Date(due);
    await utils.addJobs(Array.from({ length: count }, () => ({ identifier: "sleeper", payload: { due }, runAt })));
    tally.asleep(count);
  },

  async close() {
    await runner?.stop();
    await utils?.release();
    runner = utils = undefined;
  },
};
