import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** An alert as the archive has it, as far as tests look at it. */
export interface ArchivedAlert {
  id: string;
  payload: unknown;
  status: string;
  ownerName?: string;
  history: { action: string; userDisplayName: string }[];
  notes: { text: string; authorName: string }[];
}

/** Every alert of an archive, file by file. What was put aside is left out, as it is by whoever reads `*.jsonl.gz`. */
export async function readArchive(dir: string): Promise<ArchivedAlert[]> {
  const files = (await readdir(dir)).filter((name) => name.endsWith('.jsonl.gz')).toSorted();
  const texts = await Promise.all(files.map(async (name) => gunzipSync(await readFile(join(dir, name))).toString()));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ArchivedAlert),
  );
}
