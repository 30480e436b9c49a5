import {
  type CopyObjectCommandInput,
  type DeleteObjectCommandInput,
  HeadObjectCommand,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  type PutObjectCommandInput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

/** The end of the last write at each key. Of the process, as all clients of its emulator must take turns. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Makes up, in this process alone, for what fauxqs does not do: conditions on PUT, DELETE and COPY are checked by HEAD
 * under a lock a key, and listings are sorted by bytes. Returns the client.
 */
export function withConditions(client: S3Client): S3Client {
  const etagAt = async (Bucket: string | undefined, Key: string | undefined): Promise<string | undefined> => {
    try {
      return (await client.send(new HeadObjectCommand({ Bucket, Key }))).ETag;
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
      throw error;
    }
  };

  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        switch (commandName) {
          case 'PutObjectCommand': {
            const { Bucket, Key, IfMatch, IfNoneMatch } = args.input as PutObjectCommandInput;
            return inTurn(`${Bucket}/${Key}`, async () => {
              if (IfNoneMatch !== undefined) refuseUnless((await etagAt(Bucket, Key)) === undefined);
              if (IfMatch !== undefined) refuseUnless((await etagAt(Bucket, Key)) === IfMatch);
              return next(args);
            });
          }
          case 'DeleteObjectCommand': {
            const { Bucket, Key, IfMatch } = args.input as DeleteObjectCommandInput;
            return inTurn(`${Bucket}/${Key}`, async () => {
              if (IfMatch !== undefined) refuseUnless((await etagAt(Bucket, Key)) === IfMatch);
              return next(args);
            });
          }
          case 'CopyObjectCommand': {
            const { Bucket, CopySource = '', CopySourceIfMatch } = args.input as CopyObjectCommandInput;
            const source = decodeURIComponent(CopySource.slice(CopySource.indexOf('/') + 1));
            return inTurn(`${Bucket}/${source}`, async () => {
              if (CopySourceIfMatch !== undefined)
                refuseUnless((await etagAt(Bucket, source)) === CopySourceIfMatch);
              return next(args);
            });
          }
          case 'ListObjectsV2Command': {
            const input = args.input as ListObjectsV2CommandInput;
            // fauxqs sorts by locale and continues by code unit: only an answer with everything is whole. It takes a
            // number that is none as "no limit".
            const whole = { ...input, StartAfter: undefined, MaxKeys: Number.NaN };
            const reply = await next({ ...args, input: whole });
            return { ...reply, output: page(reply.output as ListObjectsV2CommandOutput, input) };
          }
          default:
            return next(args);
        }
      },
    { step: 'initialize', name: 'localConditions' },
  );
  return client;
}

async function inTurn<Answer>(key: string, act: () => Promise<Answer>): Promise<Answer> {
  const before = turns.get(key) ?? Promise.resolve();
  const mine = before.then(act, act);
  const ended = mine.catch(() => undefined);
  turns.set(key, ended);
  await ended;
  if (turns.get(key) === ended) turns.delete(key);
  return mine;
}

function refuseUnless(holds: boolean): void {
  if (holds) return;
  throw new S3ServiceException({
    name: 'PreconditionFailed',
    message: 'At least one of the pre-conditions you specified did not hold',
    $fault: 'client',
    $metadata: { httpStatusCode: 412 },
  });
}

function page(
  whole: ListObjectsV2CommandOutput,
  input: ListObjectsV2CommandInput,
): ListObjectsV2CommandOutput {
  if (whole.IsTruncated) throw new Error('The local S3 no longer lists everything at once.');
  const { StartAfter = '', MaxKeys = 1000 } = input;
  const all = (whole.Contents ?? []).filter(({ Key = '' }) => byBytes(Key, StartAfter) > 0);
  all.sort((a, b) => byBytes(a.Key ?? '', b.Key ?? ''));
  return { ...whole, Contents: all.slice(0, MaxKeys), IsTruncated: all.length > MaxKeys };
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
