import { expect, test } from 'vitest';
import { readOptions } from '#lib/runtime/local/options.ts';

test('API without options it is port 3000 and .knowhub, with PORT that port', () => {
  const options = { port: 3000, data: '.knowhub', opensearch: undefined, bedrock: false, models: undefined };
  expect(readOptions([], {})).toEqual({ kind: 'run', options });
  expect(readOptions([], { PORT: '' })).toEqual({ kind: 'run', options });
  expect(readOptions([], { PORT: '80' })).toEqual({ kind: 'run', options: { ...options, port: 80 } });
  expect(readOptions(['--port', '0'], { PORT: '80' })).toEqual({
    kind: 'run',
    options: { ...options, port: 0 },
  });
  expect(readOptions(['-h', '--port', 'x'], {})).toEqual({ kind: 'help' });
});

test.each([
  [['extra'], {}, "Unexpected argument 'extra'"],
  [['--port', 'http'], {}, '--port: not a port number: http'],
  [['--port', '65536'], {}, '--port: not a port number: 65536'],
  [['--port', '1e3'], {}, '--port: not a port number: 1e3'],
  [[], { PORT: '-1' }, 'PORT: not a port number: -1'],
  [['--opensearch', 'localhost:9200'], {}, '--opensearch: not an http or https URL: localhost:9200'],
  [['--models', ''], {}, '--models: not an http or https URL: '],
  [['--bedrock', '--models', 'http://127.0.0.1:1/v1'], {}, '--bedrock and --models: one of them, not both'],
  [['--data', ''], {}, '--data: the name of a folder is missing'],
])('API wrong options are named: %j %j', (args, environment, problem) => {
  const given = readOptions(args, environment);
  expect(given).toMatchObject({ kind: 'wrong' });
  expect('problem' in given && given.problem).toContain(problem);
});
