import { setTimeout as pause } from 'node:timers/promises';
import { Health } from '#lib/usecases/health.ts';
import { createClient } from '../../bin/support/client.ts';
import { createSigner } from '../../bin/support/sign.ts';
import { startBedrock } from './bedrock.ts';
import { deployment } from './deployment.ts';

const PATIENCE_MS = 120_000;
const POLL_MS = 1000;

/** Uploaded before the first sweep. */
export const EARLY = {
  path: 'early/bird.md',
  content: '---\ntitle: Early bird\nkeywords: [worm]\n---\n\nComes before the worm is there.\n',
};

/** A new deployment is whole after the first sweep, which makes the index; the schedule calls it within a minute. */
export async function setup(): Promise<void> {
  const { api_url, region } = deployment();
  const client = createClient({ url: api_url, sign: createSigner(region), tries: 1 });
  const bedrock = await startBedrock();
  try {
    const [category, filename] = EARLY.path.split('/');
    const body = { category, filename, content: EARLY.content };
    await client.send({ method: 'POST', path: '/api/documents', body });
    for (const began = Date.now(); ; await pause(POLL_MS)) {
      const { reply } = await client.json({ method: 'GET', path: '/api/health' }, Health);
      if (reply.status === 'ok') return;
      if (Date.now() - began > PATIENCE_MS)
        throw new Error(`not whole after ${PATIENCE_MS / 1000} s: ${JSON.stringify(reply)}`);
    }
  } finally {
    await bedrock.stop();
  }
}
