/** One part of the system, and what stands in its place here. */
export interface Part {
  name: string;
  kind: 'real' | 'emulator' | 'STAND-IN';
  what: string;
}

const ENTRY = {
  domain: 'payment',
  task: 'How long a refund takes',
  content:
    'A refund reaches the card within five working days. After that, ask the bank with the reference number.',
};

const DOCUMENT = {
  category: 'payment',
  filename: 'payment-timeout.md',
  content: [
    '---',
    'title: Payment timeouts',
    'keywords: [payment timeout, gateway timeout]',
    '---',
    '# Payment timeouts',
    '',
    'When the payment gateway times out, look at the connection pool first, then at the status page of the bank.',
    '',
  ].join('\n'),
};

const LOOKUP = { query: 'what to do about a payment timeout' };

/** Three calls that work when they are pasted into a shell: add an entry, upload a document, look up. */
export const curlLines = (url: string): string[] => [
  curl(`${url}/api/knowledge`, ENTRY),
  curl(`${url}/api/documents`, DOCUMENT),
  curl(`${url}/api/lookup`, LOOKUP),
];

/** In single quotes nothing but a single quote means anything to a shell. */
const curl = (url: string, body: object): string =>
  `curl -s ${url} -H 'content-type: application/json' -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`;

const LINKS: readonly (readonly [string, string])[] = [
  ['/api/knowledge/pending', 'what waits to be judged'],
  ['/api/knowledge', 'what was admitted'],
  ['/api/knowledge-map', 'the knowledge map'],
  ['/api/health', 'what works and what does not'],
  ['/api/openapi.json', 'all routes'],
];

/** What one sees who opens the local run in a browser. */
export function renderPage(
  url: string,
  parts: readonly Part[],
  folders: { inbox: string; quarantine: string },
): string {
  const rows = parts.map(
    ({ name, kind, what }) =>
      `<tr><td>${escaped(name)}</td><td class="${kind.toLowerCase()}">${kind}</td><td>${escaped(what)}</td></tr>`,
  );
  const [entry = '', document = '', lookup = ''] = curlLines(url).map(
    (line) => `<pre>${escaped(line)}</pre>`,
  );
  const links = LINKS.map(([path, what]) => `<li><a href="${path}">${path}</a>: ${escaped(what)}</li>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>KnowHub on this machine</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse } td, th { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top }
  pre { background: #f4f4f4; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere }
  .stand-in { font-weight: bold }
</style>
<h1>KnowHub on this machine</h1>
<p>The whole system in one process. <strong>Callers are not authenticated</strong>; it answers on 127.0.0.1 only.</p>
<h2>What runs</h2>
<table><tr><th>part</th><th></th><th>here</th></tr>${rows.join('')}</table>
<h2>Try it</h2>
<p>Add an entry; it is compared with what is stored, and then admitted or rejected:</p>
${entry}
<p>Upload a document:</p>
${document}
<p>Look it up, a second later:</p>
${lookup}
<p>Connect an agent: MCP by streamable HTTP at <code>${escaped(url)}/mcp</code>, or <code>npm run --silent knowhub -- mcp</code> for
one that starts a command.</p>
<p>What became of an item, and why, by the id of the reply: <code>${escaped(url)}/api/knowledge/status/{id}</code></p>
<p>Markdown put into <code>${escaped(folders.inbox)}/{category}/</code> is taken in; what cannot be is moved to
<code>${escaped(folders.quarantine)}</code>, with the reason beside it.</p>
<h2>Look around</h2>
<ul>${links.join('')}</ul>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
