import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@aws-lambda-powertools/logger';
import type { Log } from '#lib/ports.ts';

/** A port's log, and what only the runtime reports: faults of ours, with their stack. */
export interface RuntimeLog extends Log {
  error(message: string, fields: Record<string, unknown>, error?: unknown): void;
}

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

/** Fields of the call under way: in one process of the local run several are at once. */
const underway = new AsyncLocalStorage<Record<string, unknown>>();

/** Everything logged while `work` runs carries these fields, e.g. the request id (R6.1). */
export const withLogFields = <T>(fields: Record<string, unknown>, work: () => T): T =>
  underway.run({ ...underway.getStore(), ...fields }, work);

export function createLog(service: string, level: LogLevel): RuntimeLog {
  const logger = new Logger({ serviceName: service, logLevel: level });
  const all = (fields: Record<string, unknown> = {}) => ({ ...underway.getStore(), ...fields });
  return {
    debug: (message, fields) => logger.debug(message, all(fields)),
    info: (message, fields) => logger.info(message, all(fields)),
    warn: (message, fields) => logger.warn(message, all(fields)),
    error: (message, fields, error) =>
      logger.error(message, {
        ...all(fields),
        ...(error instanceof Error ? { error } : { thrown: String(error) }),
      }),
  };
}
