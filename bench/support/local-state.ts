/** What the watched local run tells, after each upload that it answered and when it is asked. */
export interface LocalState {
  /** Uploads answered with 200 or 202. */
  acknowledged: number;
  /** Messages that it has taken from its queues and not done with. */
  held: number;
  /** By service and operation, e.g. `DynamoDB PutItem`; retries of the SDK are not told apart. */
  requests: Record<string, number>;
  /** Bytes. */
  memory: { rss: number; heap: number };
  /** Messages that wait in each queue, delayed ones included; only when asked. */
  queues?: Record<string, number>;
  /** The number of the question. */
  answers?: number;
}

export interface ToWatcher {
  ask: number;
}
