import { STORED } from '#backend/server/entities.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SecretEntity } from '#backend/platform/secrets/secret-store.ts';
import type { Database } from './database.ts';
import { insertSql } from './dialect.ts';
import { openDatabase } from './open-database.ts';
import type { Transaction } from './transaction.ts';

let dataDir: string;
let database: Database;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-transactions-'));
  database = await openDatabase({ dataDir, databaseUrl: undefined }, STORED);
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const names = async () => (await database.reads.getRepository(SecretEntity).find()).map(({ name }) => name);

// SQLite rolls back by itself on a full disk or an I/O error; a statement that does the same stands for that here.
describe.each(['ROLLBACK', 'COMMIT'])('a transaction that SQLite ended by %s in the middle', (end) => {
  test('is answered as unavailable, stores nothing more, and the next one is complete', async () => {
    const ended = database.transaction(async (tx) => {
      await tx.query(end);
      await tx.getRepository(SecretEntity).insert({ name: 'outside', value: 'lost' });
    });
    await expect(ended).rejects.toSatisfy(database.dialect.isUnavailable);
    await database.transaction((tx) => tx.getRepository(SecretEntity).insert({ name: 'next', value: 'kept' }));
    expect(await names()).toEqual(['next']);
  });

  test('refuses statements of many rows, too', async () => {
    const ended = database.transaction(async (tx) => {
      await tx.query(end);
      await tx.runRows(
        (rows) => insertSql('secrets', ['name', 'value'], rows),
        [
          ['one', 'lost'],
          ['other', 'lost'],
        ],
      );
    });
    await expect(ended).rejects.toSatisfy(database.dialect.isUnavailable);
    expect(await names()).toEqual([]);
  });

  test('is not acknowledged', async () => {
    await expect(database.transaction((tx) => tx.query(end))).rejects.toSatisfy(database.dialect.isUnavailable);
  });
});

const FULL = 2;
const NORMAL = 1;

async function level(tx: Transaction): Promise<number> {
  const [row]: { synchronous: number }[] = await tx.query('PRAGMA synchronous');
  return row?.synchronous ?? -1;
}

describe('what a commit waits for', () => {
  test('is the disk, but for transactions that say otherwise, and for every one after them', async () => {
    expect(await database.transaction(level)).toBe(FULL);
    expect(await database.transaction(level, { waitsForDisk: false })).toBe(NORMAL);
    expect(await database.transaction(level)).toBe(FULL);
  });

  test('is the disk after a transaction that failed without waiting', async () => {
    const failed = database.transaction(
      async (tx) => {
        await tx.query('ROLLBACK');
        await tx.query('SELECT 1');
      },
      { waitsForDisk: false },
    );
    await expect(failed).rejects.toSatisfy(database.dialect.isUnavailable);
    expect(await database.transaction(level)).toBe(FULL);
  });
});
