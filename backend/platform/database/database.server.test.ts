import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertEntity, NO_PROBLEM, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { Database } from './database.ts';
import { insertSql } from './dialect.ts';
import type { Transaction } from './transaction.ts';
import { FolderEntity, type StoredFolder } from '#backend/alerts/alert/folder.ts';
import { SecretEntity } from '#backend/platform/secrets/secret-store.ts';
import { makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';

const ALERT: StoredAlert = {
  id: '01a20068-7b58-7532-a1c5-29075d4151c0',
  receivedAt: 0,
  status: 'pending',
  customer: null,
  alertType: null,
  url: '/webhook',
  payload: '{}',
  extraData: '{}',
  ownerId: null,
  folderId: null,
  sourceName: null,
  ...NO_PROBLEM,
};

let place: Awaited<ReturnType<typeof makeMigratedPlace>>;
let database: Database;
beforeEach(async () => {
  place = await makeMigratedPlace();
  database = await openTestDatabase(place);
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

const write = (name: string) =>
  database.transaction((tx) => tx.getRepository(SecretEntity).insert({ name, value: 'kept' }));
const names = async () => (await database.reads.getRepository(SecretEntity).find()).map(({ name }) => name).sort();

describe('transactions', () => {
  test('rows that one decides on are as they were after it, and another one that decides on them comes later', async () => {
    const folder = { id: ALERT.id, ownerId: 'owner', parentId: '', name: 'Held', color: 'red' as const };
    const stored: StoredFolder = { ...folder, icon: 'folder', order: 0, createdAt: 1_700_000_000_000 };
    await database.transaction((tx) => tx.getRepository(FolderEntity).insert(stored));
    const seen: (string | undefined)[] = [];
    const rename = (name: string) =>
      database.transaction(async (tx) => {
        const [held] = await tx.holdRows(FolderEntity, { id: stored.id });
        seen.push(held?.name);
        expect(held?.createdAt).toBe(stored.createdAt);
        await tx.getRepository(FolderEntity).update({ id: stored.id }, { name });
      });
    await Promise.all([rename('Renamed'), rename('Renamed')]);
    expect(seen).toEqual(['Held', 'Renamed']);
    expect(await database.reads.getRepository(FolderEntity).find()).toEqual([{ ...stored, name: 'Renamed' }]);
    expect(await database.transaction((tx) => tx.holdRows(FolderEntity, { id: 'none' }))).toEqual([]);
  });

  test('one request’s rollback cannot undo another’s answered write', async () => {
    const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
    const { promise: hasWritten, resolve: wrote } = Promise.withResolvers<void>();
    const failing = database.transaction(async (tx) => {
      await tx.getRepository(SecretEntity).insert({ name: 'undone', value: 'lost' });
      wrote();
      await mayFail;
      throw new Error('rolled back');
    });
    await hasWritten;
    // On SQLite these wait for the open transaction; on MariaDB they commit beside it.
    const others = Promise.all(
      Array.from({ length: 100 }, (_, index) => write(`kept-${String(index).padStart(3, '0')}`)),
    );
    setImmediate(fail);
    await expect(failing).rejects.toThrow('rolled back');
    await others;
    expect(await names()).toEqual(Array.from({ length: 100 }, (_, index) => `kept-${String(index).padStart(3, '0')}`));
  });

  test('reading sees nothing of what is not committed', async () => {
    await database.transaction(async (tx) => {
      await tx.getRepository(SecretEntity).insert({ name: 'later', value: 'kept' });
      expect(await names()).toEqual([]);
    });
    expect(await names()).toEqual(['later']);
  });

  test('may not be nested', async () => {
    await expect(database.transaction(() => write('inner'))).rejects.toThrow(/inside another/);
    await write('outer');
    expect(await names()).toEqual(['outer']);
  });

  const insert = insertSql('secrets', ['name', 'value'], 1);
  test.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['a statement', (tx) => tx.getRepository(SecretEntity).insert({ name: 'late', value: 'lost' })],
    ['a prepared statement', (tx) => tx.runPrepared(insert, ['late', 'lost'])],
    ['a prepared statement of many rows', (tx) => tx.runRows(() => insert, [['late', 'lost']])],
    ['a prepared read', (tx) => tx.readPrepared('SELECT name FROM secrets WHERE name = ?', ['next'])],
  ])('%s that comes after its transaction failed is refused, and changes no other transaction', async (_what, run) => {
    const { promise: isLate, resolve: letLateOneCome } = Promise.withResolvers<void>();
    let late: Promise<unknown> = Promise.resolve();
    const failing = database.transaction(async (tx) => {
      late = isLate.then(() => run(tx));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await database.transaction(async (tx) => {
      await tx.getRepository(SecretEntity).insert({ name: 'next', value: 'kept' });
      letLateOneCome();
      await expect(late).rejects.toThrow(/released|has ended/);
    });
    expect(await names()).toEqual(['next']);
  });

  test('a second row with the same key is distinguished from other errors', async () => {
    await write('once');
    const error: unknown = await write('once').catch((reason: unknown) => reason);
    expect(database.dialect.isDuplicate(error)).toBe(true);
    expect(database.dialect.isUnavailable(error)).toBe(false);
    expect(database.dialect.isRetryable(error)).toBe(false);
  });
});

// On SQLite one transaction runs after the other.
test.each(process.env['TEST_DIALECT'] === 'mysql' ? [9] : [])(
  'each of %i open transactions sees what another one commits',
  async (readerCount) => {
    const { promise: allBegan, resolve: begin } = Promise.withResolvers<void>();
    let begun = 0;
    const readers = Array.from({ length: readerCount }, () =>
      database.transaction(async (tx) => {
        const before = await tx.getRepository(SecretEntity).count();
        begun += 1;
        if (begun === readerCount) begin();
        await hasWritten;
        return [before, await tx.getRepository(SecretEntity).count()];
      }),
    );
    // All connections but one are inside a transaction that has read; the last one writes.
    const hasWritten = allBegan.then(() => write('later'));
    expect(await Promise.all(readers)).toEqual(Array.from({ length: readerCount }, () => [0, 1]));
  },
);

test('rows that are locked are read as the transaction before left them', async () => {
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  await database.transaction((tx) => tx.getRepository(AlertEntity).insert(ALERT));
  const first = database.transaction(async (tx) => {
    await tx.lockRows(AlertEntity, { id: ALERT.id });
    locked();
    await tx.getRepository(AlertEntity).update({ id: ALERT.id }, { status: 'completed' });
  });
  await isLocked;
  const seen = await database.transaction((tx) => tx.lockRows(AlertEntity, { id: ALERT.id }, ['id', 'status']));
  await first;
  expect(seen).toEqual([{ id: ALERT.id, status: 'completed' }]);
});

test('text is kept and compared byte by byte', async () => {
  for (const name of ['Straße', 'strasse', 'STRASSE', 'é', 'e\u0301', '💾', '\u202Eabc']) await write(name);
  for (const name of ['Straße', '💾', 'é']) {
    expect(await database.reads.getRepository(SecretEntity).countBy({ name })).toBe(1);
  }
});

test('opening again changes nothing and loses nothing', async () => {
  await write('before');
  await database.close();
  database = await openTestDatabase(place);
  expect(await names()).toEqual(['before']);
});

test('says when it can be reached', async () => {
  expect(await database.check()).toBe('ready');
  const closed = await openTestDatabase(await makeMigratedPlace());
  await closed.close();
  expect(await closed.check()).toBe('unreachable');
});
