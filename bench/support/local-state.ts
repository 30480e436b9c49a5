/** Queues, sweeps and the start: what no caller asked for. */
export const BY_ITSELF = 'by itself';

/** What the watched local run tells, after each upload that it answered and when it is asked. */
export interface LocalState {
  /** Uploads answered with 200 or 202. */
  acknowledged: number;
  /** Messages that it has taken from its queues and not done with. */
  held: number;
  /** Calls of the API, by route. */
  calls: Record<string, number>;
  /** Requests to AWS, by the route that sent them or `BY_ITSELF`, then by service and operation, e.g. `DynamoDB Put`; a retry of the SDK is none of its own. */
  requests: Record<string, Record<string, number>>;
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
