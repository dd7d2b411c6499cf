import { hash } from 'node:crypto';
import { momentOf } from '#backend/contract/id-moment.ts';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { V7Generator } from 'uuidv7';

/** Random numbers, many at a time: to ask the system for eight, as the library does, costs more than all else of an id. */
function createRandom(): { nextUint32(): number } {
  const numbers = new Uint32Array(1024);
  let used = numbers.length;
  return {
    nextUint32() {
      if (used === numbers.length) {
        crypto.getRandomValues(numbers);
        used = 0;
      }
      const number = numbers[used] ?? 0;
      used += 1;
      return number;
    },
  };
}

/** Whatever the clock does, a generator never goes back: it stays at its latest time and counts on. */
function createGenerator(): V7Generator {
  const made = new V7Generator(createRandom());
  made.setRollbackAllowance(2 ** 48 - 1);
  return made;
}

let generator = createGenerator();

/** Ids are never older than this, in milliseconds since the epoch. */
let earliest = 0;

/** The id that was made last. */
let latest = '';

/**
 * A new id: a UUIDv7 (RFC 9562, section 5.7). Each is greater than every id that this process made before, and than every
 * one that {@link continueIdsAfter} was given: lists are ordered and paged by id, so ids may not follow a clock that is set
 * back. Several servers on one database go on after each other's (`watchIds`).
 */
export function newId(): string {
  const id = generator.generateOrAbortWithTs(Math.max(Date.now(), earliest));
  if (!id) throw new Error('The clock went further back than a UUID can express.');
  latest = id.toString();
  return latest;
}

/** The id of a text, which is the same for the same text, in the form of a UUID of one's own making (RFC 9562, version 8). */
export function idOfText(text: string): string {
  const digits = hash('sha256', text);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** Lets ids go on after one that is stored. Without one, or after one that is older than the last, nothing changes. */
export function continueIdsAfter(id: string | null | undefined): void {
  if (id && id > latest && OURS.test(id)) earliest = Math.max(earliest, momentOf(id) + 1);
}

/** The moment that the newest id has which this process made or went on after, in milliseconds since the epoch. */
export const newestMoment = (): number => Math.max(earliest, latest === '' ? 0 : momentOf(latest));

/**
 * Begins with the ids of the database that was opened: they go on after the greatest that is stored in it, for a clock
 * may have been set back between two starts. What other databases hold does not matter.
 *
 * @param tables those whose key is an id of ours
 */
export async function continueStoredIds(
  reads: EntityManager,
  tables: readonly EntityTarget<ObjectLiteral>[],
): Promise<void> {
  generator = createGenerator();
  earliest = 0;
  latest = '';
  continueIdsAfter(await newestStoredId(reads, tables));
}

/** The greatest id that is stored in some tables; undefined without any. */
export async function newestStoredId(
  reads: EntityManager,
  tables: readonly EntityTarget<ObjectLiteral>[],
): Promise<string | undefined> {
  const maxima = tables.map((table) => `SELECT MAX(id) AS id FROM ${reads.dataSource.getMetadata(table).tableName}`);
  const [row]: { id: string | null }[] = await reads.query(
    `SELECT MAX(id) AS id FROM (${maxima.join(' UNION ALL ')}) AS newest`,
  );
  return row?.id ?? undefined;
}

/** The least id that is made at a moment, in milliseconds since the epoch: a UUIDv7 begins with them, in 48 bits. */
export function firstIdAt(moment: number): string {
  const hex = Math.max(0, moment).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
