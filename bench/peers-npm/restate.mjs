// Restate: its server in a process of its own with its own log on disk, and the handlers in this one.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import * as restate from "@restatedev/restate-sdk";
import * as clients from "@restatedev/restate-sdk-clients";
import * as tally from "./tally.mjs";

// Its SDK uses what came with Node 22.
Promise.withResolvers ??= function () {
  const all = {};
  all.promise = new this((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
};

const here = dirname(fileURLToPath(import.meta.url));
const version = createRequire(import.meta.url)("./package.json").dependencies["@restatedev/restate-server"];
// The program itself: the command of that name is a script that would have to be ended as well.
const binary = join(here, `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`);
const START_SECONDS = 30;
const SENDS_AT_ONCE = 64;

const bench = restate.service({
  name: "bench",
  handlers: {
    task: async (ctx, payload) => {
      tally.executed();
      return payload.length;
    },
    steps: async (ctx, count) => {
      let last = 0;
      for (let i = 0; i < count; i++) last = await ctx.run("step", () => i);
      return last;
    },
    sleeper: async (ctx, due) => {
      tally.asleep();
      await ctx.sleep(Math.max(0, due - (await ctx.date.now())));
      tally.awake(due);
    },
    parent: async (ctx, children) => {
      const all = [];
      for (let i = 0; i < children; i++) all.push(ctx.serviceClient(bench).task(""));
      return (await restate.RestatePromise.all(all)).length;
    },
  },
});

const waiting = restate.workflow({
  name: "waiting",
  handlers: {
    run: async (ctx) => ctx.promise("go"),
    go: async (ctx, value) => ctx.promise("go").resolve(value),
  },
});

let server;
let directory;
let ingress;
let listening;
let started = 0;

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
    probe.on("error", reject);
  });
}

/** The shell in between ends the server when this process is gone, however it went. */
function startServer(environment) {
  const script = '"$0" >"$1" 2>&1 & pid=$!; read -r end; kill -9 "$pid"; wait "$pid" 2>/dev/null';
  return spawn("sh", ["-c", script, binary, join(directory, "server.log")], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...process.env, ...environment },
  });
}

async function eventually(what, attempt) {
  const end = Date.now() + START_SECONDS * 1000;
  for (;;) {
    try {
      const answer = await attempt();
      if (answer.ok) return;
      if (Date.now() > end) throw new Error(`${answer.status} ${await answer.text()}`);
    } catch (e) {
      if (Date.now() > end) throw new Error(`${what} did not work within ${START_SECONDS} s: ${e.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function manyAtOnce(count, one) {
  let next = 0;
  const send = async () => {
    while (next++ < count) await one();
  };
  await Promise.all(Array.from({ length: SENDS_AT_ONCE }, send));
}

export default {
  packages: ["@restatedev/restate-sdk", "@restatedev/restate-sdk-clients", "@restatedev/restate-server"],
  settings: `Restate server ${version}, one node, defaults; handlers over HTTP/2, calls through its ingress`,
  durability: "its own log in RocksDB on the same disk, as it is configured by default",
  cannot: { block: "its runs live in its own server, which this adapter ends with its process" },

  async open() {
    directory = mkdtempSync(join(tmpdir(), "pawl-bench-restate"));
    const [ingressPort, adminPort, nodePort, handlerPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    listening = await listen(handlerPort);
    server = startServer({
      RESTATE_BASE_DIR: directory,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${nodePort}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${nodePort}`,
      RESTATE_DISABLE_TELEMETRY: "true",
      DO_NOT_TRACK: "1",
    });
    await eventually("to register the handlers with Restate's server", () =>
      fetch(`http://127.0.0.1:${adminPort}/deployments`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ uri: `http://127.0.0.1:${handlerPort}` }),
      }),
    );
    ingress = clients.connect({ url: `http://127.0.0.1:${ingressPort}` });
  },

  tasks: (count, payload) => manyAtOnce(count, () => ingress.serviceSendClient(bench).task(payload)),

  flow: (steps) => ingress.serviceClient(bench).steps(steps),

  async startWaiting() {
    const id = `w${started++}`;
    await ingress.workflowClient(waiting, id).workflowSubmit();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return id;
  },

  async signal(id) {
    const client = ingress.workflowClient(waiting, id);
    const result = client.workflowAttach();
    await client.go(1);
    await result;
  },

  sleepers: (count, due) => manyAtOnce(count, () => ingress.serviceSendClient(bench).sleeper(due)),

  fanOut: (children) => ingress.serviceClient(bench).parent(children),

  async close() {
    const ended = server && new Promise((resolve) => server.once("exit", resolve));
    server?.stdin.end();
    await ended;
    listening?.close?.();
    if (directory) rmSync(directory, { recursive: true, force: true });
    server = directory = ingress = listening = undefined;
  },
};

/** An HTTP/2 server that can be closed again. */
async function listen(port) {
  const { createServer: http2 } = await import("node:http2");
  const handler = restate.createEndpointHandler({ services: [bench, waiting], logger: () => {} });
  const sessions = new Set();
  const http = http2(handler);
  http.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  await new Promise((resolve) => http.listen(port, "127.0.0.1", resolve));
  return {
    close() {
      sessions.forEach((session) => session.destroy());
      http.close();
    },
  };
}
