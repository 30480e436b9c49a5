/** A task and what is known of it, as a caller would hand it in. */
export interface Text {
  task: string;
  content: string;
}

/** Work for the bench: what lies there before, and what is admitted. */
export interface AdmissionWork {
  /** One neighbour for each task: near enough for the judge, and no duplicate. */
  seeds: Text[];
  /** In the order in which they are handed out: the two of a pair of twins stand side by side. */
  items: Text[];
  /** Places in `items` of the two of which one may be live. */
  twins: [number, number][];
}

const LETTERS = 8;
const FROM = 'a'.charCodeAt(0);

/** A word of letters in no order, so that no two words have much in common. */
function wordOf(n: number, salt: number): string {
  let state = (Math.imul(n + 1, 0x9e37_79b1) ^ Math.imul(salt + 1, 0x85eb_ca6b)) >>> 0;
  const letters = Array.from({ length: LETTERS }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9;
    return String.fromCharCode(FROM + ((state >>> 9) % 26));
  });
  return letters.join('');
}

const taskOf = (n: number): string => [1, 2, 3, 4].map((salt) => wordOf(n, salt)).join(' ');
const clause = (n: number, salt: number): string =>
  `Open the ${wordOf(n, salt)} valve of the ${wordOf(n, salt + 1)} line before noon.`;

const seedOf = (n: number): Text => ({ task: taskOf(n), content: clause(n, 10) });
const itemOf = (n: number): Text => ({
  task: taskOf(n),
  content: `${clause(n, 20)} ${clause(n, 30)}`,
});
/** The same knowledge in another order: no fingerprint tells, only the judge. */
const reworded = (n: number): Text => ({
  task: taskOf(n),
  content: `${clause(n, 30)} ${clause(n, 20)}`,
});

/**
 * `count` items, each with one seeded neighbour and no other. With `twins` every third one is the twin of the one
 * before it: word for word, or in turns the same said in another order.
 */
export function admissionWork(count: number, twins: boolean): AdmissionWork {
  const work: AdmissionWork = { seeds: [], items: [], twins: [] };
  for (let n = 0; work.items.length < count; n += 1) {
    work.seeds.push(seedOf(n));
    work.items.push(itemOf(n));
    if (!twins || n % 2 === 1 || work.items.length === count) continue;
    work.twins.push([work.items.length - 1, work.items.length]);
    work.items.push(n % 4 === 0 ? itemOf(n) : reworded(n));
  }
  return work;
}
