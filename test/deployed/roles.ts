import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import type { Credentials } from '../../bin/support/sign.ts';
import { deployment } from './deployment.ts';

const { region } = deployment();
const endpoint = new URL(process.env.AWS_ENDPOINT_URL!);
const credentials = {
  accessKeyId: process.env.AWS_ACCESS_KEY_ID!,
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY!,
};

/** A signed call of a service whose SDK nothing else here needs. */
async function call(service: string, method: string, path: string, form?: Record<string, string>) {
  const url = new URL(path, endpoint);
  const body = form && new URLSearchParams(form).toString();
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const { headers } = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: {
      host: url.host,
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: body ?? '',
  });
  const { host: _, ...rest } = headers;
  const response = await fetch(url, { method, headers: rest, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} ${method} ${path}: ${response.status} ${text}`);
  return text;
}

const Functions = z.object({
  Functions: z.array(
    z.object({
      Role: z.string(),
      Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
    }),
  ),
});

/** ARN of each function's role, by the function's name. */
export async function roles(): Promise<Record<string, string>> {
  const text = await call('lambda', 'GET', '/2015-03-31/functions/');
  const { Functions: found } = Functions.parse(JSON.parse(text));
  return Object.fromEntries(
    found.map(({ Role, Environment }) => [Environment.Variables.KNOWHUB_FUNCTION!, Role]),
  );
}

/** What a function may do, for a test: lets this account take its role, which it cannot by itself, and takes it. */
export async function assume(role: string): Promise<Credentials> {
  const [account] = /\d{12}/.exec(role)!;
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'lambda.amazonaws.com', AWS: `arn:aws:iam::${account}:root` },
        Action: 'sts:AssumeRole',
      },
    ],
  };
  await call('iam', 'POST', '/', {
    Action: 'UpdateAssumeRolePolicy',
    Version: '2010-05-08',
    RoleName: role.slice(role.lastIndexOf('/') + 1),
    PolicyDocument: JSON.stringify(trust),
  });
  const text = await call('sts', 'POST', '/', {
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: 'deployed-test',
  });
  const field = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)![1]!;
  return {
    accessKeyId: field('AccessKeyId'),
    secretAccessKey: field('SecretAccessKey'),
    sessionToken: field('SessionToken'),
  };
}
