import type { BuildOptions } from 'esbuild';

/** Bundled CommonJS asks for Node's own modules by `require`, which an ES module has not. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/**
 * A function's credentials are in its environment, and its models are called with them: the SDK loads the code for all
 * other places, single sign-on among them, only if they are not.
 */
const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/nested-clients',
  '@smithy/credential-provider-imds',
];

/**
 * Its ES modules, which it publishes for browsers alone: of its CommonJS for Node, the same code, esbuild leaves nothing
 * out, and a function that uses none of it gets all 115 kB.
 */
const YAML = './node_modules/yaml/browser/index.js';

/**
 * Nothing in place of what is imported and never called: MCP's validator of clients' answers, who are asked for nothing,
 * and OpenSearch's reader of whole numbers beyond 2^53, which is off.
 */
const LEFT_OUT = './lib/infra/left-out.json';

/** How a function is bundled, in esbuild's words: for the stack, and for what measures the bundles (design, section 8). */
export const BUNDLING = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // As published for ES modules, which esbuild can shake.
  mainFields: ['module', 'main'],
  alias: { yaml: YAML, ajv: LEFT_OUT, 'ajv-formats': LEFT_OUT, json11: LEFT_OUT },
  // The SDK is bundled: what runs is what was tested, whatever Lambda brings along.
  external: NEVER_LOADED,
  banner: { js: REQUIRE },
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'linked',
} satisfies BuildOptions;
