import { marksOf } from '#backend/platform/database/conditions.ts';
import { type Chunk, decodeChunk } from './chunk.ts';
import type { ReadRows } from './reader.ts';

/** Chunks that are kept in memory, of about 50 KB each: those of 1.2 million alerts. */
const MAX_KEPT = 1_200;

/** Chunks that one statement reads: about 3 MB. */
const CHUNKS_AT_ONCE = 64;

/** Reads chunks and keeps those that were asked for last. */
export interface ChunkCache {
  /** Chunks that may have alerts that arrived from one moment on and before another. */
  between(from: number, to: number): AsyncGenerator<Chunk>;
}

export function createChunkCache(read: ReadRows): ChunkCache {
  const kept = new Map<string, { version: number; chunk: Chunk }>();

  const keep = (firstId: string, version: number, chunk: Chunk): void => {
    // The last to be asked for stands at the end.
    kept.delete(firstId);
    kept.set(firstId, { version, chunk });
    if (kept.size <= MAX_KEPT) return;
    const [oldest = ''] = kept.keys();
    kept.delete(oldest);
  };

  return {
    async *between(from, to) {
      const known = await read<{ firstId: string; version: number }>(
        'SELECT first_id AS firstId, version FROM insight_chunks WHERE received_to >= ? AND received_from < ? ' +
          'ORDER BY first_id',
        [from, to],
      );
      for (let at = 0; at < known.length; at += CHUNKS_AT_ONCE) {
        const some = known.slice(at, at + CHUNKS_AT_ONCE);
        const missing = some.filter(({ firstId, version }) => kept.get(firstId)?.version !== version);
        const rows =
          missing.length === 0
            ? []
            : await read<{ firstId: string; version: number; data: Uint8Array }>(
                'SELECT first_id AS firstId, version, data FROM insight_chunks ' +
                  `WHERE first_id IN (${marksOf(missing)})`,
                missing.map(({ firstId }) => firstId),
              );
        const decoded = new Map(
          rows.map(({ firstId, version, data }) => [firstId, { version, chunk: decodeChunk(data) }]),
        );
        for (const { firstId } of some) {
          const found = decoded.get(firstId) ?? kept.get(firstId);
          if (!found) continue;
          keep(firstId, found.version, found.chunk);
          yield found.chunk;
        }
      }
    },
  };
}
