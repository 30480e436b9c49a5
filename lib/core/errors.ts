/** The closed family of errors that cross a port or leave a use case. `runtime` maps `code` to HTTP and `retryable` to the queue. */
export class KnowHubError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly field: string | undefined;
  constructor(
    code: string,
    message: string,
    options: { retryable?: boolean; field?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    // Not the class's name, which the minifier changes.
    this.name = code;
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.field = options.field;
  }
}

/** The caller's fault: names the field (R3.7). */
export class InvalidInput extends KnowHubError {
  constructor(field: string, message: string) {
    super('invalid_input', message, { field });
  }
}

export class NotFound extends KnowHubError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/** The state does not allow it (409). */
export class Conflict extends KnowHubError {
  constructor(message: string) {
    super('conflict', message);
  }
}

/** The call may or may not have happened: a time-out, a lost answer, a 5xx. */
export class Unclear extends KnowHubError {
  constructor(message: string, cause?: unknown) {
    super('unclear', message, { retryable: true, cause });
  }
}

/** The store answered, but not with everything: shards missing, a page cut short. Never read it as "nothing there". */
export class Partial extends KnowHubError {
  constructor(message: string) {
    super('partial', message, { retryable: true });
  }
}

/** The search index is missing or cannot be reached: admissions wait, keyword lookups go on. */
export class IndexUnavailable extends KnowHubError {
  constructor(message: string, cause?: unknown) {
    super('index_unavailable', message, { retryable: true, cause });
  }
}

/** Outage, throttling or time-out of a model. */
export class ModelUnavailable extends KnowHubError {
  constructor(message: string, cause?: unknown) {
    super('model_unavailable', message, { retryable: true, cause });
  }
}
