import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Every call that the client makes from now on, by the operation's name; retries of one are one. */
export function recordCalls(client: DynamoDBDocumentClient): { take(): string[] } {
  let calls: string[] = [];
  client.middlewareStack.add(
    (next, context) => (args) => {
      calls.push(String(context.commandName).replace(/Command$/, ''));
      return next(args);
    },
    { step: 'initialize', name: 'recordCalls' },
  );
  return {
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}
