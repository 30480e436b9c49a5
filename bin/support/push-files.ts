import { InvalidInput, KnowHubError } from '#lib/core/errors.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { type UploadOutcome, uploadDocument } from '#lib/usecases/upload-document.ts';
import type { LocalSystem } from './local-instance.ts';
import { type FolderFile, loadText } from './push-folder.ts';

/** What came of one file. `refused`: nothing that KnowHub takes in; `failed`: something went wrong on our side. */
export type UploadResult =
  | { kind: 'uploaded'; file: FolderFile; outcome: UploadOutcome }
  | { kind: 'refused' | 'failed'; file: FolderFile; why: string };

export const CURATOR = { principal: 'curator', scopes: [] as string[] };

/** Reads a file and uploads it; whatever happens, the next one goes on (R3.7). */
export async function uploadFile(
  instance: Instance,
  file: FolderFile,
  max_bytes: number,
): Promise<UploadResult> {
  const loaded = await loadText(file.absolute, max_bytes);
  if (loaded.kind !== 'text') return { ...loaded, file };
  const { category, filename } = file;
  try {
    const input = { category, filename, content: loaded.text };
    return { kind: 'uploaded', file, outcome: await uploadDocument(instance, max_bytes)(CURATOR, input) };
  } catch (error) {
    if (error instanceof InvalidInput) return { kind: 'refused', file, why: error.message };
    return { kind: 'failed', file, why: error instanceof KnowHubError ? error.message : String(error) };
  }
}

/** The item's title, read without being counted. */
export async function titleOf({ stores }: LocalSystem, id: string): Promise<string> {
  return (await stores.items.get(id))?.fields.title ?? '';
}
