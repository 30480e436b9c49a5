import * as z from 'zod';

// What the command line reads of the API's answers. Servers may be newer: what is not read here may be anything.

const Status = z.enum(['received', 'pending', 'processing', 'approved', 'checked', 'rejected', 'removed']);

export const UploadReply = z.object({
  id: z.string(),
  path: z.string(),
  status: Status,
  unchanged: z.boolean(),
  warnings: z.array(z.string()),
  generated: z.array(z.string()),
  stand_ins: z.array(z.string()).default([]),
});
export type UploadReply = z.infer<typeof UploadReply>;

export const TicketReply = z.object({
  url: z.string(),
  fields: z.record(z.string(), z.string()),
  max_bytes: z.number(),
});

export const DocumentReply = z.object({
  id: z.string(),
  content: z.string(),
  next_offset: z.number().optional(),
  status: Status,
});

export const PendingReply = z.object({
  items: z.array(z.object({ id: z.string(), path: z.string().optional() })),
});

export const StatusReply = z.object({
  id: z.string(),
  kind: z.string(),
  path: z.string().optional(),
  status: Status,
  /** Why, in one sentence. */
  decision: z.string(),
  reason: z.string().optional(),
  basis: z.string().optional(),
  model: z.string().optional(),
  /** Epoch seconds. */
  decided_at: z.number().optional(),
  grounds: z.array(z.object({ id: z.string(), type: z.string() })),
  relations: z.array(z.object({ type: z.string(), target: z.string() })),
  needs_review: z.string().optional(),
});
export type StatusReply = z.infer<typeof StatusReply>;

export const ListReply = z.object({
  items: z.array(z.object({ id: z.string(), task: z.string() })),
  next_cursor: z.string().optional(),
});

export const LookupAnswer = z.object({
  request_id: z.string(),
  level: z.string(),
  confidence: z.string(),
  documents: z.array(
    z.object({
      id: z.string(),
      path: z.string(),
      title: z.string(),
      domain: z.string(),
      excerpt: z.string(),
      truncated: z.boolean(),
      score: z.number(),
      section: z.string(),
    }),
  ),
  message: z.string(),
  suppressed: z.array(z.object({ id: z.string(), path: z.string(), reason: z.string() })),
  session: z.object({ searched_domains: z.array(z.string()) }),
  took_ms: z.number(),
  stand_ins: z.array(z.string()).default([]),
});
export type LookupAnswer = z.infer<typeof LookupAnswer>;

/** Live items are `approved` or `checked`. */
export const isDecided = (status: string): boolean =>
  status === 'approved' || status === 'checked' || status === 'rejected';
