import { regionOfHost } from './sign.ts';

/** Where the API is, and who asks: by a token (a JWT deployment), signed for a region, or, with neither, nobody in particular. */
export interface Server {
  url: string;
  region: string | undefined;
  token: string | undefined;
}

const LOCAL_RUN = 'http://127.0.0.1:3000';

/** The server that the environment names, or what is wrong with it. */
export function serverOf(
  environment: Readonly<Record<string, string | undefined>>,
  sign: boolean,
): Server | { problem: string } {
  const given = environment.KNOWHUB_URL || LOCAL_RUN;
  const url = URL.parse(given);
  const plain = url && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === '';
  if (!plain) return { problem: `KNOWHUB_URL is not an http address: ${given}` };
  const of_host = regionOfHost(url.hostname);
  const region = of_host ?? (sign ? environment.AWS_REGION || environment.AWS_DEFAULT_REGION : undefined);
  if (sign && region === undefined)
    return { problem: `--sign needs AWS_REGION: the address ${given} names no region` };
  const token = environment.KNOWHUB_TOKEN?.trim() || undefined;
  if (token !== undefined) {
    if (sign) return { problem: 'KNOWHUB_TOKEN and --sign: one of them, not both' };
    if (!BEARER_TOKEN.test(token)) return { problem: 'KNOWHUB_TOKEN is not a bearer token' };
    if (url.protocol !== 'https:' && !OWN_MACHINE.test(url.hostname))
      return { problem: `KNOWHUB_TOKEN goes over https only, and KNOWHUB_URL is ${given}` };
  }
  return { url: url.origin + url.pathname.replace(/\/+$/, ''), region, token };
}

/** `b64token` of RFC 6750. */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/;
const OWN_MACHINE = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** What to do where nobody answers. */
export const remedyFor = (url: string): string =>
  OWN_MACHINE.test(new URL(url).hostname)
    ? 'Start KnowHub here with: npm start      (or name another server: KNOWHUB_URL)'
    : 'Is KNOWHUB_URL right? Without it the local run is asked, which starts with: npm start';
