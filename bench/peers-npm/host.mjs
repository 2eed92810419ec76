// The main program of a measured process on Node: reads one order a line as JSON and answers each with one line.
// The counterpart of Host.java and Carrying.java. Ends when its input does.

import { createInterface } from "node:readline";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as tally from "./tally.mjs";

const PATIENCE_SECONDS = 120;
const PAYLOAD_CHARS = 100_000;
const CHILDREN = 1000;
const SLEEPERS_A_SECOND = 2000;
const MOST_LEAD_SECONDS = 120;
const WARM_RUNS = { task: 500, sleepers: 200, payload: 20 };

class NotPossible extends Error {}

const peer = (await import(`./${process.argv[2]}.mjs`)).default;

function able(name) {
  if (!peer[name]) throw new NotPossible(peer.cannot?.[name] ?? "this adapter has nothing for it");
  return peer[name].bind(peer);
}

const now = () => Number(process.hrtime.bigint()) / 1e6;
const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

function measured(runs, millis, times, more = {}) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => (sorted.length ? sorted[Math.round(part * (sorted.length - 1))] : 0);
  return { runs, seconds: Math.max(0.001, millis / 1000), p50Millis: at(0.5), p99Millis: at(0.99), more };
}

async function drain(count, payload) {
  const tasks = able("tasks");
  tally.expect(count);
  const start = now();
  await tasks(count, payload);
  const times = await tally.wait(PATIENCE_SECONDS);
  return measured(count, now() - start, times);
}

async function loop({ runs, concurrency, seconds }, body) {
  const times = [];
  const start = now();
  const end = start + seconds * 1000;
  let next = 0;
  const one = async () => {
    while (now() < end && next++ < runs) {
      const began = now();
      await body();
      times.push(now() - began);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return measured(times.length, now() - start, times);
}

async function signals({ runs, seconds }) {
  const [start, signal] = [able("startWaiting"), able("signal")];
  const times = [];
  const end = now() + seconds * 1000;
  do {
    const id = await start();
    const began = now();
    await signal(id);
    times.push(now() - began);
  } while (times.length < runs && now() < end);
  return measured(times.length, times.reduce((a, b) => a + b), times);
}

async function sleepers(count) {
  const sleep = able("sleepers");
  for (let lead = 1 + count / SLEEPERS_A_SECOND; lead <= MOST_LEAD_SECONDS; lead *= 2) {
    const due = Date.now() + lead * 1000;
    tally.expect(count);
    await sleep(count, due);
    while (!tally.isAsleep() && Date.now() < due) await pause(10);
    const inTime = tally.isAsleep() && Date.now() < due;
    const times = await tally.wait(PATIENCE_SECONDS);
    if (inTime) return measured(count, Math.max(...times), times, { leadSeconds: lead });
  }
  throw new NotPossible(`it could not put ${count} runs to sleep within ${MOST_LEAD_SECONDS} s`);
}

async function fanOut({ runs, seconds }) {
  const fan = able("fanOut");
  const times = [];
  const start = now();
  do {
    const began = now();
    await fan(CHILDREN);
    times.push(now() - began);
  } while (times.length < runs && now() < start + seconds * 1000);
  return measured(times.length, now() - start, times);
}

function measure(order) {
  switch (order.work) {
    case "task":
    case "startup":
      return drain(order.runs, "");
    case "payload":
      return drain(order.runs, "x".repeat(PAYLOAD_CHARS));
    case "flow1":
      return loop(order, () => able("flow")(1));
    case "flow5":
      return loop(order, () => able("flow")(5));
    case "signal":
      return signals(order);
    case "sleepers":
      return sleepers(order.runs);
    case "fanout1000":
      return fanOut(order);
    default:
      throw new NotPossible("this is measured of Pawl only");
  }
}

async function warm(order) {
  const end = now() + order.warmSeconds * 1000;
  while (now() < end) {
    const runs = Math.min(order.runs, WARM_RUNS[order.work] ?? order.runs);
    await measure({ ...order, runs, seconds: Math.max(0.1, (end - now()) / 1000) });
    if (order.work === "sleepers") return;
  }
}

/** The bytes of a package and of all it depends on. */
function size(names, seen = new Set()) {
  const modules = join(dirname(fileURLToPath(import.meta.url)), "node_modules");
  let bytes = 0;
  for (const name of names) {
    const home = join(modules, name);
    if (seen.has(name) || !existsSync(home)) continue;
    seen.add(name);
    const about = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    const more = [...Object.keys(about.dependencies ?? {}), ...Object.keys(about.optionalDependencies ?? {})];
    bytes += bytesBelow(home) + size(more, seen);
  }
  return bytes;
}

function bytesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name);
    return sum + (entry.isDirectory() ? bytesBelow(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

async function open(order) {
  try {
    await peer.open(order);
    return { settings: peer.settings, durability: peer.durability };
  } catch (e) {
    return { missing: String(e?.message ?? e) };
  }
}

async function carryOut(order) {
  switch (order.do) {
    case "open":
      return open(order);
    case "warm":
      await warm(order);
      return {};
    case "measure":
      return measure(order);
    case "size":
      return { bytes: size(peer.packages) };
    case "most":
      throw new NotPossible(peer.cannot?.park ?? "nothing in it waits for a signal");
    case "block":
      throw new NotPossible(peer.cannot?.block ?? "this adapter has nothing for it");
    case "close":
      await peer.close();
      return {};
    default:
      throw new NotPossible(`this adapter knows no '${order.do}'`);
  }
}

const orders = createInterface({ input: process.stdin });
// Whatever is under way when the input ends is given up: nobody waits for it any more.
orders.on("close", () => process.exit(0));
for await (const line of orders) {
  let answer;
  try {
    answer = await carryOut(JSON.parse(line));
  } catch (e) {
    answer = e instanceof NotPossible ? { na: e.message } : { error: String(e?.stack ?? e).split("\n").slice(0, 3).join(" ") };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
