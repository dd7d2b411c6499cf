import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { totpOwner } from '#backend/identity/factors/totp.ts';
import { newSealingKey } from '#backend/platform/secrets/sealing.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { createSourceWorld } from '#tests/support/source-world.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import {
  INSIDE_KEY,
  type Keyring,
  createSealedStore,
  findKeyPlace,
  openKeyring,
} from '#backend/platform/secrets/keyring.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { openStore } from '#backend/platform/secrets/secret-store.ts';

const FOLLOW_MS = 10;
const isMysql = process.env['TEST_DIALECT'] === 'mysql';

const storedIn = (database: Database): Promise<unknown[]> =>
  database.reads.query('SELECT name, value FROM secrets ORDER BY name');

describe('the key that seals secrets', () => {
  let place: TestPlace;
  let database: Database;
  const warnings: string[] = [];
  beforeEach(async () => {
    place = await makeMigratedPlace();
    database = await openTestDatabase(place);
    warnings.length = 0;
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });

  const logger = {
    warn: (...what: unknown[]) => void warnings.push(String(what.at(-1))),
    error: (...what: unknown[]) => void warnings.push(String(what.at(-1))),
  };
  const store = () => openStore(place, database);
  /** As a server with these keys has it. */
  const open = async (...keys: string[]): Promise<Keyring> => {
    const config = { ...place, secretsKeys: keys };
    const keyring = await openKeyring({ config, database, store: store(), logger, followMs: FOLLOW_MS });
    onTestFinished(() => keyring.stop());
    return keyring;
  };
  const save = async (keyring: Keyring): Promise<string> => {
    const id = newId();
    const values = [id, keyring.seal(`of ${id}`, totpOwner(id)), 0, Date.now()];
    await database.transaction((tx) =>
      tx.query('INSERT INTO totp_keys (user_id, sealed, last_step, created_at) VALUES (?, ?, ?, ?)', values),
    );
    return id;
  };
  const read = async (keyring: Keyring, id: string): Promise<string> => {
    const [row]: { sealed: string }[] = await database.reads.query('SELECT sealed FROM totp_keys WHERE user_id = ?', [
      id,
    ]);
    return keyring.open(row?.sealed ?? '', totpOwner(id));
  };
  const rotate = (keyring: Keyring, by: Database = database) =>
    rotateSecrets({ database: by, store: store(), keyring, followedMs: 200 * FOLLOW_MS });

  test('moves outside while servers go on that were restarted with it in turn', async () => {
    const key = newSealingKey();
    const before = await open();
    const ids = [await save(before)];
    // Restarted with the key, a server seals as the others do that were not yet.
    const after = await open(key);
    ids.push(await save(after), await save(before));
    for (const id of ids) expect(await read(before, id)).toBe(`of ${id}`);
    await before.stop();

    const rotating = rotate(await open(key));
    while (after.place() === 'inside') {
      ids.push(await save(after));
      await wait(1);
    }
    ids.push(await save(after));
    expect(await rotating).toMatchObject({ unopened: 0 });
    expect(await store().get(INSIDE_KEY)).toBeUndefined();
    const alone = await open(key);
    for (const id of ids) expect(await read(alone, id)).toBe(`of ${id}`);
    expect(warnings.some((warning) => warning.includes('lies in the database'))).toBe(isMysql);
  });

  test('is rotated by a command that may be killed at any step, with both keys accepted', async () => {
    const [first, second] = [newSealingKey(), newSealingKey()];
    const keyring = await open(first);
    const ids: string[] = [];
    while (ids.length < 250) ids.push(await save(keyring));
    await keyring.stop();
    const both = await open(second, first);
    let steps = 0;
    const killed: Database = {
      ...database,
      transaction: (work) => {
        steps += 1;
        if (steps > 1) throw new Error('killed');
        return database.transaction(work);
      },
    };
    await expect(rotate(both, killed)).rejects.toThrow('killed');
    for (const id of [ids[0], ids[249]]) expect(await read(both, id ?? '')).toBe(`of ${id}`);
    expect((await rotate(both)).sealed).toBeGreaterThanOrEqual(150);
    await both.stop();
    const alone = await open(second);
    for (const id of ids) expect(await read(alone, id)).toBe(`of ${id}`);
    await expect(open(first)).rejects.toThrow('sealed under another key than SECRETS_KEY or SECRETS_KEY_FILE has');
    await expect(open()).rejects.toThrow('sealed under a key that is kept outside it; set SECRETS_KEY');
    expect(await store().get(INSIDE_KEY)).toBeUndefined();
  });

  test.skipIf(isMysql)(
    'of another secrets.json is refused, and without one the server goes on with a new key',
    async () => {
      const id = await save(await open());
      await store().put(INSIDE_KEY, newSealingKey());
      await expect(open()).rejects.toThrow(
        'sealed under the key of another secrets.json; copy that file into DATA_DIR',
      );
      await store().remove(INSIDE_KEY);
      const other = await open();
      expect(warnings.join()).toMatch(/secrets\.json was replaced.*secrets of destinations/);
      await expect(read(other, id)).rejects.toThrow('under a key that is not here');
      expect(await read(other, await save(other))).toMatch(/^of /);
    },
  );

  test.skipIf(isMysql)('of an earlier secrets.json counts again once that is put back', async () => {
    const first = await open();
    const id = await save(first);
    await first.stop();
    const own = (await store().get(INSIDE_KEY)) ?? '';
    await store().remove(INSIDE_KEY);
    const between = await open();
    const [made, lost] = [(await store().get(INSIDE_KEY)) ?? '', await save(between)];
    await between.stop();

    await store().put(INSIDE_KEY, own);
    warnings.length = 0;
    const again = await open();
    expect(await read(again, id)).toBe(`of ${id}`);
    await expect(read(again, lost)).rejects.toThrow('under a key that is not here');
    expect(warnings.join()).toMatch(/an earlier secrets\.json was put back.*the one in between.*second steps/);
    await again.stop();
    warnings.length = 0;
    expect(await read(await open(), await save(again))).toMatch(/^of /);
    expect(warnings).toEqual([]);

    await store().put(INSIDE_KEY, made);
    expect(await read(await open(), lost)).toBe(`of ${lost}`);
    await store().put(INSIDE_KEY, newSealingKey());
    await expect(open()).rejects.toThrow('sealed under the key of another secrets.json');
  });

  test('is found without changing anything, and missed where secrets.json is', async () => {
    const find = (...keys: string[]) =>
      findKeyPlace({ config: { ...place, secretsKeys: keys }, database, store: store() });
    const outside = newSealingKey();
    expect([await find(), await find(outside)]).toEqual(['inside', 'outside']);
    expect(await storedIn(database)).toEqual([]);
    await (await open()).stop();
    expect([await find(), await find(outside)]).toEqual(['inside', 'inside']);
    const own = (await store().get(INSIDE_KEY)) ?? '';
    await store().remove(INSIDE_KEY);
    const before = await storedIn(database);
    await expect(find()).rejects.toThrow(
      isMysql ? 'set SECRETS_KEY' : 'secrets.json with the key of the secrets is missing',
    );
    expect([await store().get(INSIDE_KEY), await storedIn(database)]).toEqual([undefined, before]);
    await store().put(INSIDE_KEY, own);
    const rotated = await open(outside);
    await rotated.moveOutside();
    expect(await find(outside)).toBe('outside');
    await expect(find(newSealingKey())).rejects.toThrow('another key than SECRETS_KEY');
  });

  test('that a running server does not have keeps it from sealing what nobody could open', async () => {
    const without = await open();
    await rotate(await open(newSealingKey()));
    await expect.poll(() => warnings.join()).toContain('a key that this server does not have');
    expect(() => without.seal('text', 'owner')).toThrow('has to be restarted');
  });

  test('seals the generated secrets in the database, too, once it is outside', async () => {
    const key = newSealingKey();
    const kept = createSealedStore(store(), await open());
    expect(await kept.getOrCreate('SESSION_SECRET', () => 'from before')).toBe('from before');
    const keyring = await open(key);
    await rotate(keyring);
    const sealed = createSealedStore(store(), keyring);
    expect(await sealed.getOrCreate('SESSION_SECRET', () => 'another')).toBe('from before');
    expect(await sealed.getOrCreate('CLUSTER_KEY', () => 'made now')).toBe('made now');
    const rows: { value: string }[] = await database.reads.query('SELECT value FROM secrets');
    expect(rows.map(({ value }) => value).filter((value) => !/^(?:sealed|outside):/.test(value))).toEqual([]);
  });
});

test('a server verifies signatures after its key was moved, and starts with no other', async () => {
  let server = await startTestServer();
  const admin = await server.signedIn({ role: 'admin' });
  const { source, key } = await createSourceWorld(server, admin).newSource();
  const plain = 'a secret to sign with';
  const made = await admin.send('POST', `/api/sources/${source.id}/signing-secrets`, { secret: plain });
  expect(made.ok).toBe(true);
  const send = async () => {
    const body = '{"title":"Signed"}';
    const signature = createHmac('sha256', plain).update(body).digest('hex');
    const headers = {
      'Content-Type': 'application/json',
      'X-Webhook-Auth': key,
      'X-Hub-Signature-256': `sha256=${signature}`,
    };
    return (await fetch(`${server.url}/webhook`, { method: 'POST', headers, body })).status;
  };
  const settings = { adapter: 'github', auth: { ...source.settings.auth, signature: 'github' } };
  expect((await admin.send('PATCH', `/api/sources/${source.id}`, { settings })).status).toBe(200);
  expect(await send()).toBe(202);

  const outside = newSealingKey();
  const file = join(server.config.dataDir, 'key');
  await writeFile(file, `${outside}\n`, { mode: 0o600 });
  server = await server.restart({ SECRETS_KEY_FILE: file });
  onTestFinished(() => server.destroy());
  const { database, config } = server;
  const logger = { warn: () => undefined, error: () => undefined };
  const keyring = await openKeyring({ config, database, store: openStore(config, database), logger });
  await rotateSecrets({ database, store: openStore(config, database), keyring, followedMs: 0 });
  await keyring.stop();
  expect(await send()).toBe(202);
  const wrong = { SECRETS_KEY_FILE: '', SECRETS_KEY: newSealingKey() };
  await expect(server.restart(wrong)).rejects.toThrow('another key than SECRETS_KEY');
  server = await server.restart({
    SECRETS_KEY_FILE: '',
    SECRETS_KEY: Buffer.from(outside, 'base64url').toString('hex'),
  });
  expect(await send()).toBe(202);
});

test.each([
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY has a value that is not shown, but allowed is keys of 32 bytes'],
  [{ SECRETS_KEY: newSealingKey(), SECRETS_KEY_FILE: '/x' }, 'are both set'],
  [{ SECRETS_KEY_FILE: '/nowhere/key' }, 'The file /nowhere/key that SECRETS_KEY_FILE names cannot be read (ENOENT).'],
])('a wrong setting of the key is refused: %s', (environment, message) => {
  expect(() => readConfig(environment as Record<string, string>)).toThrow(message);
});
