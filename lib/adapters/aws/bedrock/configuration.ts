import * as z from 'zod';

/** `us.`, `eu.`, `global.` and the like: cross-region inference profiles are named by a prefix of the model's id. */
const Profile = z
  .string()
  .regex(/^[a-z-]*$/, 'a profile is a prefix such as "us" or "global"')
  .default('');

export const BedrockWriter = z.strictObject({
  /** A model's id without a profile's prefix, or an ARN. */
  model: z.string().min(1),
  profile: Profile,
  max_tokens: z.number().int().positive().default(4096),
  /** Left out for models that refuse it; `null` = never sent. */
  temperature: z.number().min(0).max(1).nullable().default(0),
  timeout_ms: z.number().positive().default(20_000),
});
export type BedrockWriter = z.infer<typeof BedrockWriter>;

export const BedrockEmbedder = z
  .strictObject({
    model: z.string().min(1).default('amazon.titan-embed-text-v2:0'),
    profile: Profile,
    /** By the model's name, unless that is an ARN. */
    family: z.enum(['titan', 'cohere-v3', 'cohere-v4']).optional(),
    dimensions: z.number().int().positive().default(1024),
    timeout_ms: z.number().positive().default(10_000),
  })
  .transform((given, context) => {
    const family = given.family ?? familyOf(given.model);
    if (family !== undefined) return { ...given, family };
    context.addIssue({ code: 'custom', path: ['family'], message: `no family is known of ${given.model}` });
    return z.NEVER;
  });
export type BedrockEmbedder = z.infer<typeof BedrockEmbedder>;

export const modelId = ({ model, profile }: { model: string; profile: string }): string =>
  profile === '' ? model : `${profile}.${model}`;

function familyOf(model: string): 'titan' | 'cohere-v3' | 'cohere-v4' | undefined {
  if (model.startsWith('amazon.titan-embed-text-v2')) return 'titan';
  if (model.startsWith('cohere.embed-v4')) return 'cohere-v4';
  if (/^cohere\.embed-(english|multilingual)-v3/.test(model)) return 'cohere-v3';
  return undefined;
}
