import * as z from 'zod';

const Name = z.string().min(1);

const Deployment = z.object({
  region: Name,
  api_url: z.url(),
  /** Where the functions look for Bedrock. */
  bedrock_port: z.number().int(),
  outputs: z.object({
    BucketName: Name,
    AdmissionQueueUrl: Name,
    LedgerTable: Name,
  }),
});
export type Deployment = z.infer<typeof Deployment>;

/** What is deployed, and where. These suites fail without: `npm run test:deployed` makes it. */
export function deployment(): Deployment {
  const json = process.env.KNOWHUB_DEPLOYMENT;
  if (!json) throw new Error('KNOWHUB_DEPLOYMENT is not set: run this suite by `npm run test:deployed`');
  return Deployment.parse(JSON.parse(json));
}
