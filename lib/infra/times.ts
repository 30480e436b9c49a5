import { Duration } from 'aws-cdk-lib';

/**
 * The law of times (design, section 2): a function is over before its lease ends, and its lease before its claim is
 * taken away. The gateway of an HTTP API waits for 30 s at most, whatever a function is allowed.
 */
export const WORKER_TIMEOUT = Duration.seconds(90);
export const HTTP_TIMEOUT = Duration.seconds(29);

/** Lambda's own advice for a queue: six times the timeout of the function that it feeds. */
export const VISIBILITY_TIMEOUT = Duration.seconds(6 * WORKER_TIMEOUT.toSeconds());

/** After so many receives a message becomes a dead letter. */
export const MAX_RECEIVES = 5;

/** How long a dead letter waits for somebody to look at it: the most that SQS knows. */
export const DEAD_LETTER_RETENTION = Duration.days(14);

/** How often the sweep comes by (R4.8). */
export const SWEEP_EVERY = Duration.minutes(1);
