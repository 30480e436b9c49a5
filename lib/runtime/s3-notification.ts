import * as z from 'zod';

/** What is read of a notification of S3; the rest of it is AWS's. A test event, sent when it is set up, has no records. */
const Notification = z.looseObject({
  Records: z
    .array(
      z.looseObject({
        eventName: z.string(),
        s3: z.looseObject({ object: z.looseObject({ key: z.string() }) }),
      }),
    )
    .default([]),
});

/** Keys of the objects that a notification says were created, form-encoded as they come. Throws on what is none. */
export function droppedKeys(body: string): string[] {
  const { Records } = Notification.parse(JSON.parse(body));
  return Records.filter(({ eventName }) => /^(s3:)?ObjectCreated:/.test(eventName)).map(
    ({ s3 }) => s3.object.key,
  );
}
