import type { HandlerMakers } from '#lib/runtime/local/functions.ts';
import { create as dedup } from '../../functions/dedup/handler.ts';
import { create as lookup } from '../../functions/lookup/handler.ts';
import { create as mcp } from '../../functions/mcp/handler.ts';
import { create as recompute } from '../../functions/recompute/handler.ts';
import { create as reprocess } from '../../functions/reprocess/handler.ts';
import { create as upload } from '../../functions/upload/handler.ts';

/** The six functions, each to be made on a runtime that is given: there is more than one in a local run. */
export const HANDLERS = { upload, dedup, recompute, lookup, mcp, reprocess } as HandlerMakers;
