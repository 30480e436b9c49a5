import { expect, test } from 'vitest';
import { readCommand } from '../../bin/support/cli-options.ts';
import { remedyFor, serverOf } from '../../bin/support/cli-server.ts';
import { HELP, USAGE } from '../../bin/support/cli-usage.ts';

const common = { json: false, sign: false, scopes: [] };

test.each([
  [['push', 'notes'], { name: 'push', folder: 'notes', concurrency: 8, wait: true, timeout_s: 600 }],
  [
    ['push', '--concurrency', '2', '--no-wait', '--timeout=5', '--', '-odd'],
    { name: 'push', folder: '-odd', concurrency: 2, wait: false, timeout_s: 5 },
  ],
  [
    ['lookup', 'how', 'to', 'restart', '--session', 's', '--domain', '支付'],
    { name: 'lookup', query: 'how to restart', session: 's', domain: '支付' },
  ],
  [['status', 'knowledge-1'], { name: 'status', id: 'knowledge-1' }],
  [['review'], { name: 'review', rejected: false, domain: undefined, limit: 20 }],
  [
    ['review', '--rejected', '--domain', '支付', '--limit', '5'],
    { name: 'review', rejected: true, domain: '支付', limit: 5 },
  ],
  [['map'], { name: 'map' }],
  [['mcp'], { name: 'mcp' }],
  [['session', 'end', 's-1'], { name: 'session end', session: 's-1' }],
])('API %j is this command', (given, command) => {
  expect(readCommand(given)).toEqual({ kind: 'run', command, common });
});

test('API options of all commands stand behind any command', () => {
  expect(readCommand(['map', '--json', '--sign', '--scopes', 'org:a, org:b,'])).toEqual({
    kind: 'run',
    command: { name: 'map' },
    common: { json: true, sign: true, scopes: ['org:a', 'org:b'] },
  });
});

test.each([
  [[], 'no command', '--help'],
  [['psuh', 'x'], 'unknown command "psuh"', '--help'],
  [['toString'], 'unknown command "toString"', '--help'],
  [['--json', 'map'], 'name a command before "--json"', '--help'],
  [['session'], 'session knows one thing: session end S', '--help'],
  [['session', 'end'], 'S is missing', 'session end --help'],
  [['push'], 'DIR is missing', 'push --help'],
  [['push', 'a', 'b'], 'one DIR, not 2', 'push --help'],
  [['push', 'a', '--concurrency', '0'], '--concurrency is a whole number from 1 to 64', 'push --help'],
  [['push', 'a', '--timeout', '1.5'], '--timeout is a whole number from 1 to 86400', 'push --help'],
  [['push', 'a', '--timeout'], "Option '--timeout <value>' argument missing", 'push --help'],
  [['lookup'], 'QUERY is missing', 'lookup --help'],
  [['lookup', 'a', '--folder', 'b'], "Unknown option '--folder'", 'lookup --help'],
  [['mcp', 'x'], 'mcp takes nothing, not "x"', 'mcp --help'],
  [['review', 'x'], 'review takes nothing, not "x"', 'review --help'],
  [['review', '--limit', '101'], '--limit is a whole number from 1 to 100', 'review --help'],
  [['map', 'x'], 'map takes nothing, not "x"', 'map --help'],
])('API %j is wrong use, with a hint', (given, problem, hint) => {
  expect(readCommand(given)).toEqual({
    kind: 'wrong',
    problem,
    hint: `Commands: push, lookup, status, review, map, session end, mcp. Try: npm run knowhub -- ${hint}`,
  });
});

test.each([
  [['--help'], USAGE],
  [['-h'], USAGE],
  [['help', 'map'], HELP.map],
  [['push', '--help'], HELP.push],
  [['lookup', '-h'], HELP.lookup],
  [['mcp', '-h'], HELP.mcp],
  [['session', '--help'], HELP['session end']],
  [['session', 'end', '--help'], HELP['session end']],
])('API %j asks for help', (given, text) => {
  expect(readCommand(given)).toEqual({ kind: 'help', text });
});

const AWS = 'https://a1.execute-api.eu-west-1.amazonaws.com';

test.each([
  [{}, false, { url: 'http://127.0.0.1:3000', region: undefined }],
  [{ KNOWHUB_URL: '' }, false, { url: 'http://127.0.0.1:3000', region: undefined }],
  [{ KNOWHUB_URL: 'http://h:1/prod//' }, false, { url: 'http://h:1/prod', region: undefined }],
  [{ KNOWHUB_URL: AWS, AWS_REGION: 'us-east-1' }, false, { url: AWS, region: 'eu-west-1' }],
  [
    { KNOWHUB_URL: 'https://x.execute-api.cn-north-1.amazonaws.com.cn/v1/' },
    false,
    { url: 'https://x.execute-api.cn-north-1.amazonaws.com.cn/v1', region: 'cn-north-1' },
  ],
  [
    { KNOWHUB_URL: 'https://k.example.com', AWS_REGION: 'us-east-1' },
    true,
    { url: 'https://k.example.com', region: 'us-east-1' },
  ],
  [
    { KNOWHUB_URL: 'https://k.example.com', AWS_REGION: 'us-east-1' },
    false,
    { url: 'https://k.example.com' },
  ],
  [
    { KNOWHUB_URL: 'https://execute-api.eu-west-1.amazonaws.com.evil.example' },
    false,
    { url: 'https://execute-api.eu-west-1.amazonaws.com.evil.example' },
  ],
  [
    { KNOWHUB_URL: 'https://k.example.com' },
    true,
    { problem: '--sign needs AWS_REGION: the address https://k.example.com names no region' },
  ],
  [
    { KNOWHUB_URL: 'localhost:3000' },
    false,
    { problem: 'KNOWHUB_URL is not an http address: localhost:3000' },
  ],
  [
    { KNOWHUB_URL: 'https://k.example.com', KNOWHUB_TOKEN: ' eyJ.a-b_c.d== \n' },
    false,
    { url: 'https://k.example.com', token: 'eyJ.a-b_c.d==' },
  ],
  [
    { KNOWHUB_URL: 'http://localhost:3000', KNOWHUB_TOKEN: 'eyJ' },
    false,
    { url: 'http://localhost:3000', token: 'eyJ' },
  ],
  [{ KNOWHUB_URL: 'https://k.example.com', KNOWHUB_TOKEN: '  ' }, false, { url: 'https://k.example.com' }],
  [
    { KNOWHUB_URL: 'http://k.example.com', KNOWHUB_TOKEN: 'eyJ' },
    false,
    { problem: 'KNOWHUB_TOKEN goes over https only, and KNOWHUB_URL is http://k.example.com' },
  ],
  [
    { KNOWHUB_URL: 'https://k.example.com', KNOWHUB_TOKEN: 'Bearer eyJ' },
    false,
    { problem: 'KNOWHUB_TOKEN is not a bearer token' },
  ],
  [
    { KNOWHUB_URL: 'https://k.example.com', KNOWHUB_TOKEN: 'eyJ', AWS_REGION: 'us-east-1' },
    true,
    { problem: 'KNOWHUB_TOKEN and --sign: one of them, not both' },
  ],
  [{ KNOWHUB_URL: 'http://a:b@h' }, false, { problem: 'KNOWHUB_URL is not an http address: http://a:b@h' }],
])('API the environment %j (--sign: %j) names this server', (environment, sign, server) => {
  expect(serverOf(environment, sign)).toEqual(server);
});

test('API who names a server of this machine is told how to start one', () => {
  expect(remedyFor('http://localhost:3000')).toContain('Start KnowHub here with: npm start');
  expect(remedyFor('https://k.example.com')).toContain('Is KNOWHUB_URL right?');
});
