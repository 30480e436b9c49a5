import type { TableNames } from '#lib/adapters/aws/tables.ts';
import type { Stage } from '#lib/infra/stage.ts';
import { MAX_RECEIVES } from '#lib/infra/times.ts';

/** What a deployment's resources are called, tokens of CDK included. */
export interface ResourceNames {
  tables: TableNames;
  bucket: string;
  admission_url: string;
  recompute_url: string;
  opensearch_url: string;
}

/** The environment that all functions of a stage share, by the names that `runtime/env.ts` reads. */
export const environmentOf = (stage: Stage, names: ResourceNames): Record<string, string> => ({
  LOG_LEVEL: stage.log_level,
  NODE_OPTIONS: '--enable-source-maps',
  ...authOf(stage),
  ...Object.fromEntries(
    Object.entries(names.tables).map(([table, name]) => [`TABLE_${table.toUpperCase()}`, name]),
  ),
  BUCKET: names.bucket,
  QUEUE_ADMISSION_URL: names.admission_url,
  QUEUE_RECOMPUTE_URL: names.recompute_url,
  MAX_RECEIVES: String(MAX_RECEIVES),
  OPENSEARCH_URL: names.opensearch_url,
  OPENSEARCH_SHARDS: String(stage.opensearch.shards),
  OPENSEARCH_REPLICAS: String(stage.opensearch.replicas),
  ...modelsOf(stage),
  INBOX_RULES: JSON.stringify(stage.inbox),
  SETTINGS: JSON.stringify(stage.settings),
});

const authOf = ({ auth }: Stage): Record<string, string> =>
  auth.mode === 'iam' ? { AUTH: 'iam' } : { AUTH: 'jwt', JWT_SCOPES_CLAIM: auth.scopes_claim };

const modelsOf = ({ models: { embedder, writer, bedrock_url } }: Stage): Record<string, string> => ({
  EMBEDDER: JSON.stringify(embedder),
  WRITER: JSON.stringify(writer),
  // The SDK's own variable.
  ...(bedrock_url !== undefined && { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock_url }),
});
