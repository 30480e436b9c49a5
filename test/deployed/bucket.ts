import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { deployment } from './deployment.ts';

const { BucketName: Bucket } = deployment().outputs;
const s3 = new S3Client();

export const put = async (Key: string, Body: PutObjectCommandInput['Body']): Promise<void> => {
  await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
};

/** The text of an object; `undefined` = it is not there. */
export async function textAt(Key: string): Promise<string | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return await Body?.transformToString();
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

/** Keys under a prefix, sorted. */
export async function keysUnder(Prefix: string): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
  return Contents.map(({ Key }) => Key!).sort();
}
