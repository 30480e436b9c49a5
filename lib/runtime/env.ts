import * as z from 'zod';
import { Settings } from '#lib/core/settings.ts';
import { EmbedderChoice, WriterChoice } from '#lib/runtime/models.ts';
import { InboxRule } from '#lib/usecases/take-from-inbox.ts';

/** A JSON value in a variable; without a default it must be there. */
const json = <Schema extends z.ZodType>(schema: Schema, nothing?: string) =>
  (nothing === undefined ? z.string() : z.string().default(nothing))
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** Only what is stated: a default in between would stand above what the model asks for. */
const StatedSettings = z.record(z.string(), z.unknown()).transform((stated, context) => {
  const parsed = Settings.partial().safeParse(stated);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  }
  const names = Object.entries(parsed.data).filter(([name]) => Object.hasOwn(stated, name));
  return Object.fromEntries(names) as Partial<Settings>;
});

/** What a function is told by its environment; the stack sets it, and nothing else reads it. */
export const Env = z.object({
  /** `upload`, `dedup`, `recompute`, `lookup`, `mcp`, `reprocess`: stands on every log line and metric. */
  KNOWHUB_FUNCTION: z.string().min(1),
  LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),

  /** Who vouches for callers. `none` is for the local run alone. */
  AUTH: z.enum(['iam', 'jwt', 'none']).default('iam'),
  /** The token's claim that holds the caller's scopes. */
  JWT_SCOPES_CLAIM: z.string().min(1).default('scope'),
  /** Signs the ids of MCP sessions; `mcp` alone is told. */
  MCP_SESSION_KEY: z.string().min(1).optional(),
  /** HTTP APIs decode the path of an event; other servers do not. */
  PATH_ENCODING: z.enum(['decoded', 'encoded']).default('decoded'),

  TABLE_ITEMS: z.string().min(1),
  TABLE_RELATIONS: z.string().min(1),
  TABLE_DOMAINS: z.string().min(1),
  TABLE_LEDGER: z.string().min(1),
  TABLE_CONTROL: z.string().min(1),
  TABLE_SESSIONS: z.string().min(1),
  BUCKET: z.string().min(1),
  QUEUE_ADMISSION_URL: z.url(),
  QUEUE_RECOMPUTE_URL: z.url(),
  /** After how many receives a message becomes a dead letter. */
  MAX_RECEIVES: z.coerce.number().int().positive().default(5),

  OPENSEARCH_URL: z.url(),
  OPENSEARCH_SHARDS: z.coerce.number().int().positive().default(1),
  OPENSEARCH_REPLICAS: z.coerce.number().int().nonnegative().default(1),

  /** Who embeds, and who judges and writes, as JSON; `"stand-in"`: rules in their place, labelled wherever they show. */
  EMBEDDER: json(EmbedderChoice),
  WRITER: json(WriterChoice),

  /** Scopes and owners by prefix of the inbox, as JSON (R3.1). */
  INBOX_RULES: json(z.array(InboxRule), '[]'),
  /** What of the behaviour differs from the defaults, as JSON. */
  SETTINGS: json(StatedSettings, '{}'),
});
export type Env = z.infer<typeof Env>;

/** Parses an environment; throws one error that names every variable at fault, and never its value. */
export function parseEnv(variables: Record<string, string | undefined>): Env {
  const parsed = Env.safeParse(variables);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`the environment is not usable:\n  ${problems.join('\n  ')}`);
}

/** This process's environment, read when it is called and at no other time. */
export const readEnv = (): Env => parseEnv(process.env);
