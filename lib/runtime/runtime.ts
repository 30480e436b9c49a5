import { floorsInForce } from '#lib/core/embedder-floors.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Model, Ports } from '#lib/ports.ts';
import type { Env } from '#lib/runtime/env.ts';
import { createLog, type RuntimeLog } from '#lib/runtime/logger.ts';
import { createMeter, type Meter, meteredModel } from '#lib/runtime/metrics.ts';
import type { RouterOptions } from '#lib/runtime/router.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import type { InboxRule } from '#lib/usecases/take-from-inbox.ts';

/** One function while it runs: its instance, and what the triggers need beside it. */
export interface Runtime {
  instance: Instance;
  auth: RouterOptions['auth'];
  path_encoding: RouterOptions['path_encoding'];
  log: RuntimeLog;
  meter: Meter;
  /** After how many receives a message becomes a dead letter. */
  max_receives: number;
  inbox_rules: readonly InboxRule[];
  /** Signs the ids of MCP sessions. */
  mcp_session_key: string | undefined;
  /** Makes what a new deployment lacks; safe to repeat. */
  prepare: () => Promise<void>;
}

/** What a function's runtime is made from beside its environment. */
export interface Parts {
  model: Model;
  /** What of the settings is a property of the model. */
  model_settings?: Partial<Settings>;
  ports: (model: Model, log: RuntimeLog) => Ports;
  prepare?: () => Promise<void>;
  log?: RuntimeLog;
  meter?: Meter;
}

export function createRuntime(env: Env, parts: Parts): Runtime {
  const log = parts.log ?? createLog(env.KNOWHUB_FUNCTION, env.LOG_LEVEL);
  const meter = parts.meter ?? createMeter(env.KNOWHUB_FUNCTION);
  const ports = parts.ports(meteredModel(parts.model, meter), log);
  const instance = createInstance(ports, { ...parts.model_settings, ...env.SETTINGS });
  const embedder = parts.model.embedder.name;
  if (floorsInForce(embedder, instance.settings) === 'not measured')
    log.info('floors not measured for this embedder', { embedder });
  const { PATH_ENCODING: path_encoding, MAX_RECEIVES: max_receives, INBOX_RULES: inbox_rules } = env;
  const prepare = parts.prepare ?? (async () => undefined);
  return {
    instance,
    auth: authOf(env),
    path_encoding,
    log,
    meter,
    max_receives,
    inbox_rules,
    mcp_session_key: env.MCP_SESSION_KEY,
    prepare,
  };
}

const authOf = ({ AUTH, JWT_SCOPES_CLAIM }: Env): RouterOptions['auth'] =>
  AUTH === 'jwt' ? { mode: 'jwt', scopes_claim: JWT_SCOPES_CLAIM } : { mode: AUTH };
