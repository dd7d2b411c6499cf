import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, type RowDataPacket, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type MariaDb, findMariaDb, startPrivateMariaDb } from '#tests/support/mariadb.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Whom the database refuses: limits and read_only do not bind root. */
const USER = "'ordinary'@'%'";
const PASSWORD = 'only for tests';

const program = process.env['TEST_DIALECT'] === 'mysql' ? findMariaDb() : undefined;

describe.runIf(program)('whatever the database refuses', () => {
  let mariaDb: MariaDb;
  let root: Connection;
  let server: TestServer;
  let member: TestClient;
  let key: string;
  let name: string;

  beforeAll(async () => {
    mariaDb = await startPrivateMariaDb(program ?? '', [], { GUARD_RESTARTS: '1' });
    vi.stubEnv('TEST_DATABASE_URL', mariaDb.url);
    await connectAsRoot();
    server = await startTestServer({}, {}, async (databaseUrl) => {
      name = new URL(databaseUrl).pathname.slice(1);
      await run(`CREATE USER ${USER} IDENTIFIED BY '${PASSWORD}'`, `GRANT ALL ON ${name}.* TO ${USER}`);
      return Object.assign(new URL(databaseUrl), { username: 'ordinary', password: PASSWORD }).href;
    });
    key = await server.addApiKey();
    member = await server.signedIn();
  });
  afterAll(async () => {
    await server.destroy();
    vi.unstubAllEnvs();
    root.destroy();
    await mariaDb.stop();
  });

  const connectAsRoot = async () => {
    root = await createConnection(mariaDb.url);
    root.on('error', () => undefined);
  };
  const run = async (...statements: string[]) => {
    for (const statement of statements) await root.query(statement);
  };
  /** The server's connections; with `state`, those that are in it. */
  const connections = async (state = '') => {
    const [rows] = await root.query<RowDataPacket[]>(
      "SELECT id FROM information_schema.processlist WHERE user = 'ordinary' AND state LIKE ?",
      [`${state}%`],
    );
    return rows.map(({ id }) => Number(id));
  };
  /** Closes the server's connections: what users may do, and what sessions are set to, counts from the next one on. */
  const closeConnections = async () => {
    for (const id of await connections()) await root.query(`KILL CONNECTION ${id}`).catch(() => undefined);
  };
  /** Has everything that reads or writes alerts wait until somebody ends it; resolves to what gives them free. */
  const lockAlerts = async () => {
    const holder = await createConnection(mariaDb.url);
    await holder.query(`LOCK TABLES ${name}.alerts WRITE`);
    return async () => holder.destroy();
  };
  const endWaiting = (statement: string) => async () => {
    const free = await lockAlerts();
    const over = new AbortController();
    const ending = (async () => {
      while (!over.signal.aborted) {
        for (const id of await connections('Waiting')) await root.query(`${statement} ${id}`).catch(() => undefined);
        await delay(5);
      }
    })();
    return async () => {
      over.abort();
      await ending;
      await free();
    };
  };
  const setUser = (what: string, back: string) => async () => {
    await run(`ALTER USER ${USER} ${what}`);
    await closeConnections();
    return () => run(`ALTER USER ${USER} ${back}`, 'FLUSH USER_RESOURCES');
  };
  const setWhileLocked = (setting: string, value: number, back: number) => async () => {
    await run(`SET GLOBAL ${setting} = ${value}`);
    await closeConnections();
    const free = await lockAlerts();
    return async () => {
      await run(`SET GLOBAL ${setting} = ${back}`);
      await free();
      await closeConnections();
    };
  };

  const isEverything = true;
  /** Begins a refusal; resolves to what ends it. With `isEverything`, reading is refused, too. */
  const ways: [way: string, begin: () => Promise<() => Promise<void>>, isEverything?: boolean][] = [
    ['a killed statement', endWaiting('KILL QUERY'), isEverything],
    ['a killed connection', endWaiting('KILL CONNECTION'), isEverything],
    ['a statement that takes too long', setWhileLocked('max_statement_time', 0.2, 0), isEverything],
    ['a table that stays locked', setWhileLocked('lock_wait_timeout', 1, 86_400), isEverything],
    [
      'a user with too many connections',
      async () => {
        const held = await createConnection(
          Object.assign(new URL(mariaDb.url), { username: 'ordinary', password: PASSWORD, pathname: `/${name}` }).href,
        );
        const end = await setUser('WITH MAX_USER_CONNECTIONS 1', 'WITH MAX_USER_CONNECTIONS 0')();
        return async () => {
          await end();
          held.destroy();
        };
      },
      isEverything,
    ],
    [
      'a server with too many connections',
      async () => {
        await run('SET GLOBAL max_connections = 10');
        await closeConnections();
        const held: Connection[] = [];
        for (let more = true; more;)
          more = await createConnection(mariaDb.url).then(
            (one) => held.push(one) > 0,
            () => false,
          );
        return async () => {
          for (const one of held) one.destroy();
          await run('SET GLOBAL max_connections = 151');
        };
      },
      isEverything,
    ],
    ['a limit of queries an hour', setUser('WITH MAX_QUERIES_PER_HOUR 1', 'WITH MAX_QUERIES_PER_HOUR 0'), isEverything],
    ['a limit of connections an hour', setUser('WITH MAX_CONNECTIONS_PER_HOUR 1', 'WITH MAX_CONNECTIONS_PER_HOUR 0')],
    ['a password that was changed', setUser("IDENTIFIED BY 'another'", `IDENTIFIED BY '${PASSWORD}'`), isEverything],
    ['a locked account', setUser('ACCOUNT LOCK', 'ACCOUNT UNLOCK'), isEverything],
    [
      'a right that was taken',
      async () => {
        await run(`REVOKE SELECT, INSERT ON ${name}.* FROM ${USER}`);
        await closeConnections();
        return async () => {
          await run(`GRANT ALL ON ${name}.* TO ${USER}`);
          await closeConnections();
        };
      },
      isEverything,
    ],
    [
      'a database that was taken',
      async () => {
        await run(`REVOKE ALL ON ${name}.* FROM ${USER}`);
        await closeConnections();
        return () => run(`GRANT ALL ON ${name}.* TO ${USER}`);
      },
      isEverything,
    ],
    [
      'a server that takes no writes',
      async () => {
        await run('SET GLOBAL read_only = ON');
        return () => run('SET GLOBAL read_only = OFF');
      },
    ],
    [
      'a server that is shut down',
      async () => {
        await run('SHUTDOWN').catch(() => undefined);
        return () => waitFor(connectAsRoot, { interval: 20 });
      },
    ],
  ];

  const ask = async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, number) => member.post(key, { number })),
      ...['/api/alerts/inbox', '/api/folders'].map((path) =>
        fetch(server.url + path, { headers: { Cookie: member.cookieHeader } }),
      ),
    ]);
    return answers.map(({ status, headers }) =>
      status === 503 && headers.get('Retry-After') === null ? 'no time' : status,
    );
  };

  test.each(ways)('is 503 with Retry-After, and passes by itself: %s', async (_way, begin, refusesAll = false) => {
    await member.postAlert(key);
    const end = await begin();
    try {
      const seen = new Set<string | number>();
      await waitFor(
        async () => {
          const answers = await ask();
          for (const answer of answers) seen.add(answer);
          expect(refusesAll ? answers : answers.slice(0, 4)).toContain(503);
        },
        { interval: 0 },
      );
      expect([...seen].filter((answer) => answer !== 200 && answer !== 202)).toEqual([503]);
    } finally {
      await end();
    }
    await waitFor(async () => expect(await ask()).toEqual([202, 202, 202, 202, 200, 200]), { interval: 20 });
  });

  test('but no more prepared statements is no refusal: they are run as texts', async () => {
    await run('SET GLOBAL max_prepared_stmt_count = 0');
    try {
      expect(await ask()).toEqual([202, 202, 202, 202, 200, 200]);
    } finally {
      await run('SET GLOBAL max_prepared_stmt_count = 16382');
    }
  });
});
