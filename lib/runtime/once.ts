/** Made at the first use and kept; a failure is not kept, so that the next use tries again. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
