/** How many calls to one store a function makes at a time: below what the SDK opens sockets for. */
const AT_ONCE = 16;

/**
 * Does the work for all values, a few at a time. After a fault no more is begun; it is thrown when what was begun has
 * ended, so that nothing goes on behind the caller's back.
 */
export async function sideBySide<Value>(
  values: Iterable<Value>,
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const waiting = [...values];
  const faults: unknown[] = [];
  const take = async () => {
    while (waiting.length > 0 && faults.length === 0)
      await work(waiting.shift()!).catch((error: unknown) => faults.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, take));
  if (faults.length > 0) throw faults[0];
}
