import { STORED } from '#backend/server/entities.ts';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PoolConnection } from 'mysql2';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SecretEntity } from '#backend/platform/secrets/secret-store.ts';
import { makeCertificate } from '#tests/support/make-certificate.ts';
import { type MariaDb, findMariaDb, startPrivateMariaDb } from '#tests/support/mariadb.ts';
import { makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { createGuardedPool } from './mysql-pool.ts';
import { openDatabase } from './open-database.ts';
import { withPatience } from './patience.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';
const program = isMysql ? findMariaDb() : undefined;

const readLimit = async (connection: PoolConnection) => {
  const [rows] = await connection.promise().query('SELECT @@SESSION.max_join_size AS most');
  return Number((rows as { most: unknown }[])[0]?.most);
};

test.runIf(isMysql)('what is set in sessions holds on connections that are there, and on those that come', async () => {
  const { hostname: host, port, username: user } = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  const guard = createGuardedPool();
  const pool = guard.createPool({ host, port: Number(port), user, connectionLimit: 2 });
  const connect = promisify<PoolConnection>((give) =>
    pool.getConnection(give as Parameters<typeof pool.getConnection>[0]),
  );
  const early = await connect();
  guard.setInSessions('SET SESSION max_join_size = 12345');
  const late = await connect();
  const changing = await guard.takeWithoutAutocommit();
  const all = [early, late, changing];
  expect(await Promise.all(all.map(readLimit))).toEqual([12_345, 12_345, 12_345]);
  const [rows] = await changing.promise().query('SELECT @@autocommit AS autocommit');
  expect(rows).toEqual([{ autocommit: 0 }]);
  for (const connection of all) connection.destroy();
  await promisify((done) => pool.end(done))();
});

test.runIf(isMysql)('a server waits for a lock for 3 s, a command for 50', async ({ onTestFinished }) => {
  const place = await makeMigratedPlace();
  onTestFinished(place.remove);
  const waits: number[] = [];
  for (const isPatient of [false, true]) {
    const database = await openDatabase(place, STORED, undefined, { isPatient });
    onTestFinished(() => database.close());
    const [row] = await database.transaction((tx) => tx.query('SELECT @@innodb_lock_wait_timeout AS seconds'));
    waits.push(Number((row as { seconds: unknown }).seconds));
  }
  expect(waits).toEqual([3, 50]);
});

test.runIf(isMysql)('a connection on which nothing can be written is closed', async ({ onTestFinished }) => {
  const place = await makeMigratedPlace();
  onTestFinished(place.remove);
  const database = await openTestDatabase(place);
  onTestFinished(() => database.close());
  let refusedOn: unknown;
  const refused = database.transaction(async (tx) => {
    // What the session is set to counts from its next transaction on.
    await tx.query('SET SESSION TRANSACTION READ ONLY');
    await tx.query('COMMIT');
    [{ id: refusedOn }] = await tx.query('SELECT CONNECTION_ID() AS id');
    await tx.getRepository(SecretEntity).insert({ name: 'name', value: 'value' });
  });
  await expect(refused).rejects.toMatchObject({ code: 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION' });
  const open = () => database.reads.query('SELECT id FROM information_schema.processlist WHERE id = ?', [refusedOn]);
  await expect.poll(open).toEqual([]);
});

// They wait for seconds, so they wait together.
test.runIf(isMysql)(
  'a command that reads everything may take as long as it wants',
  { concurrent: true },
  async ({ onTestFinished }) => {
    const place = await makeMigratedPlace();
    onTestFinished(place.remove);
    const database = await openTestDatabase(place);
    onTestFinished(() => database.close());
    // Longer than the 3.5 s after which the server gives a statement up.
    expect(await database.reads.query('SELECT SLEEP(5) AS woken')).toEqual([{ woken: 0 }]);
  },
);

test.runIf(isMysql)(
  'a statement that takes too long ends with its connection, and others go on',
  { concurrent: true },
  async ({ onTestFinished }) => {
    const place = await makeMigratedPlace();
    onTestFinished(place.remove);
    // An answer is given up after 5.6 s, and a transaction that rests after 10 s, by the database itself.
    const database = await openDatabase(place, STORED, undefined, { tickMs: 400 });
    onTestFinished(() => database.close());
    const ids = new Set<number>();
    const slow = database.transaction(async (tx) => {
      await tx.getRepository(SecretEntity).insert({ name: 'slow', value: 'lost' });
      const [{ id }] = (await tx.query('SELECT CONNECTION_ID() AS id')) as [{ id: string }];
      ids.add(Number(id));
      await tx.query('SELECT SLEEP(60)');
    });
    const over = new AbortController();
    const resting = database.transaction(async (tx) => {
      await tx.getRepository(SecretEntity).insert({ name: 'resting', value: 'kept' });
      await once(over.signal, 'abort');
    });
    const outcome = slow.catch((error: unknown) => error).finally(() => over.abort());
    for (let number = 0; !over.signal.aborted; number += 1) {
      await database.transaction((tx) => tx.getRepository(SecretEntity).insert({ name: `${number}`, value: 'kept' }));
      // So far apart that the others' connections mostly rest.
      await delay(100);
    }
    expect(database.dialect.isUnavailable(await outcome)).toBe(true);
    await resting;
    expect(await database.reads.getRepository(SecretEntity).countBy({ name: 'resting' })).toBe(1);
    const connections = (await database.reads.query('SHOW PROCESSLIST')) as { Id: string; State: string }[];
    expect(await database.reads.getRepository(SecretEntity).countBy({ name: 'slow' })).toBe(0);
    // Nobody of ours is on it: what is left is the server, which notices that at the end of the statement.
    expect(connections.filter(({ Id, State }) => ids.has(Number(Id)) && State !== 'User sleep')).toEqual([]);
  },
);

test.runIf(isMysql)(
  'all waits of one request together take little longer than one of them may',
  { concurrent: true },
  async ({ onTestFinished }) => {
    const place = await makeMigratedPlace();
    onTestFinished(place.remove);
    // Longer than a server's limits, for a busy machine: 8.4 s for an answer, 9 s for all waits together.
    const database = await openDatabase(place, STORED, undefined, { tickMs: 600 });
    onTestFinished(() => database.close());
    // Every connection has something to do for 5.5 s, well below the limit of a statement, and so has whoever gets the first free one.
    const sleep = () => database.reads.query('SELECT SLEEP(5.5) AS slept');
    const busy = Array.from({ length: 10 }, sleep);
    const outcome = await withPatience(sleep, () => false).catch((error: unknown) => error);
    expect(await Promise.all(busy)).toEqual(busy.map(() => [{ slept: 0 }]));
    // By themselves, neither its wait for a connection nor its sleep would have been given up.
    expect(database.dialect.isUnavailable(outcome)).toBe(true);
    // Work in steps has as long for each, and nobody waits for what is sent after an answer has begun.
    const answering = withPatience(
      async () => [await sleep(), await sleep()],
      () => true,
    );
    const steps = withPatience(
      async () => {
        for (const seconds of [5, 5]) await database.transaction((tx) => tx.query('SELECT SLEEP(?)', [seconds]));
        return 'done';
      },
      () => false,
    );
    expect(await Promise.all([answering, steps])).toMatchObject([[[{ slept: 0 }], [{ slept: 0 }]], 'done']);
  },
);

describe.runIf(program)('a connection with TLS', () => {
  let folder: string;
  let mariaDb: MariaDb;
  let url: URL;
  const file = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alertdesk-tls-'));
    const { key, cert } = makeCertificate('localhost');
    const other = makeCertificate('localhost');
    await writeFile(file('key.pem'), key);
    await writeFile(file('cert.pem'), cert);
    await writeFile(file('other.pem'), other.cert);
    mariaDb = await startPrivateMariaDb(program ?? '', [
      `--ssl-cert=${file('cert.pem')}`,
      `--ssl-key=${file('key.pem')}`,
    ]);
    const connection = await createConnection(mariaDb.url);
    await connection.query('CREATE DATABASE alerts');
    await connection.query("CREATE USER careful IDENTIFIED BY 'only for tests' REQUIRE SSL");
    await connection.query('GRANT ALL ON alerts.* TO careful');
    await connection.end();
    url = new URL(mariaDb.url);
    Object.assign(url, { hostname: 'localhost', pathname: '/alerts', username: 'careful', password: 'only for tests' });
  });
  afterAll(async () => {
    await mariaDb.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens the database with these options, and says how its connection is encrypted. */
  const cipherWith = async (options: string, host = 'localhost') => {
    const databaseUrl = Object.assign(new URL(url), { search: options, hostname: host }).href;
    const database = await openDatabase({ dataDir: folder, databaseUrl }, STORED);
    const [row] = (await database.reads.query("SHOW STATUS LIKE 'Ssl_cipher'")) as { Value: string }[];
    await database.close();
    return row?.Value;
  };

  test('is made as asked for', async () => {
    expect(await cipherWith('ssl-mode=REQUIRED')).not.toBe('');
    expect(await cipherWith(`ssl-mode=VERIFY_CA&ssl-ca=${file('cert.pem')}`)).not.toBe('');
    // Another name than the certificate's: its issuer is checked, the name is not.
    expect(await cipherWith(`ssl-mode=VERIFY_CA&ssl-ca=${file('cert.pem')}`, '127.0.0.1')).not.toBe('');
    expect(await cipherWith(`ssl-mode=VERIFY_IDENTITY&ssl-ca=${file('cert.pem')}`)).not.toBe('');
  });

  test('is not made without TLS, with another issuer, or to a server of another name', async () => {
    await expect(cipherWith('')).rejects.toThrow(/cannot be used \(ER_ACCESS_DENIED_ERROR\)/);
    await expect(cipherWith('ssl-mode=VERIFY_CA')).rejects.toThrow(/cannot be used \(HANDSHAKE_SSL_ERROR\)/);
    await expect(cipherWith(`ssl-mode=VERIFY_CA&ssl-ca=${file('other.pem')}`)).rejects.toThrow(
      /cannot be used \(HANDSHAKE_SSL_ERROR\)/,
    );

    const elsewhere = makeCertificate('db.example.com');
    await writeFile(file('key.pem'), elsewhere.key);
    await writeFile(file('cert.pem'), elsewhere.cert);
    const connection = await createConnection(mariaDb.url);
    await connection.query('FLUSH SSL');
    await connection.end();
    expect(await cipherWith(`ssl-mode=VERIFY_CA&ssl-ca=${file('cert.pem')}`)).not.toBe('');
    const identified = cipherWith(`ssl-mode=VERIFY_IDENTITY&ssl-ca=${file('cert.pem')}`);
    await expect(identified).rejects.toThrow(/cannot be used \(HANDSHAKE_SSL_ERROR\)/);
  });
});
