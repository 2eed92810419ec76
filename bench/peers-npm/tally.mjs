// Where the bodies of the measured runs report; the counterpart of Tally.java.

let start = 0n;
let expected = 0;
let times = [];
let sleeping = 0;
let done = () => {};
let all = Promise.resolve();

export function expect(runs) {
  start = process.hrtime.bigint();
  expected = runs;
  times = [];
  sleeping = 0;
  all = new Promise((resolve) => (done = resolve));
}

function add(millis) {
  times.push(millis);
  if (times.length === expected) done();
}

/** A run's body was carried out: what is kept is the time since expect(). */
export const executed = () => add(Number(process.hrtime.bigint() - start) / 1e6);

/** A run is about to sleep. */
export const asleep = (count = 1) => (sleeping += count);

export const isAsleep = () => sleeping >= expected;

/** A run woke up: what is kept is how late it was. */
export const awake = (dueMillis) => add(Date.now() - dueMillis);

/** The times of all, when all have reported. */
export async function wait(seconds) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${expected - times.length} of ${expected} runs were not carried out within ${seconds} s`)),
      seconds * 1000,
    );
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
  return times;
}
