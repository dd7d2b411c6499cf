import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '#tests/support/find-program.ts';
import { keepSending, newLedger } from '#tests/support/ledger.ts';
import { findMariaDb, startPrivateMariaDb } from '#tests/support/mariadb.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { type OperatorsMachine, makeOperatorsMachine, readSection } from '#tests/support/runbook.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import type { TestClient } from '#tests/support/test-client.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';
const mariadbd = findMariaDb();
const programs = isMysql
  ? [findProgram(['mariadb-dump']), findProgram(['mariadb']), findProgram(['zstd']), mariadbd]
  : [];

/** Where a server's data are, with the file of settings that its commands read. */
interface Place {
  environment: Record<string, string>;
  /** For commands on this machine. */
  forCommands: Record<string, string>;
  dataDir: string;
}

/** A machine of its own, with a MariaDB of its own where that is what is backed up. It has no database yet. */
async function makePlace(): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), 'alertdesk-drill-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const dataDir = join(home, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const settings = join(home, 'alertdesk.env');
  const environment: Record<string, string> = { DATA_DIR: dataDir };
  if (isMysql) {
    const mariaDb = await startPrivateMariaDb(mariadbd ?? '');
    onTestFinished(() => mariaDb.stop());
    const { hostname, port, username } = new URL(mariaDb.url);
    environment['DATABASE_URL'] = `mysql://${username}@${hostname}:${port}/alertdesk`;
    await writeFile(
      join(home, '.my.cnf'),
      `[client]\nprotocol=tcp\nhost=${hostname}\nport=${port}\nuser=${username}\n`,
    );
  }
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(settings, lines.join(''));
  return { environment, forCommands: { ALERTDESK_SETTINGS: settings, HOME: home }, dataDir };
}

/** What the lines of a restore write last: a backup of an earlier release has older tables, which `recount --check` leaves. */
const RESTORED = /The tables are up to date\.\n[^]*Every counter is right\./;

/** The lines with a place's data folder in place of the unit's. */
const on = ({ dataDir }: Place, lines: string): string => lines.replaceAll('/var/lib/alertdesk', dataDir);

/** Makes the event of an audit trail that servers cannot change; a dump that breaks off fails. */
async function makeEvent(machine: OperatorsMachine, { forCommands }: Place, dump: string): Promise<void> {
  const { text } = await readSection('operations.md', 'An audit trail that the server cannot change');
  const event = /DELIMITER \/\/\n.*?DELIMITER ;/s.exec(text)?.[0] ?? '';
  await machine.run(`mariadb alertdesk <<'END'\n${event}\nEND`, forCommands);
  const broken = dump.replace(' alertdesk |', ' alertdesk no_such_table |');
  await expect(machine.run(broken, forCommands)).rejects.toThrow(/no_such_table/);
}

async function expectEvent(machine: OperatorsMachine, { forCommands }: Place): Promise<void> {
  expect(await machine.run("mariadb -e 'SHOW EVENTS FROM alertdesk'", forCommands)).toContain('alertdesk_audit');
}

/** What a drill compares: how many alerts System-Wide Alerts has. */
const countOf = async (admin: TestClient): Promise<number> =>
  Number((await admin.get('/api/alerts/all?limit=1')).headers.get('x-total-count'));

test.skipIf(programs.includes(undefined))(
  'each line of “Back up and restore” in docs/operations.md: what was answered before a backup of a server that takes alerts is there after the restore, on the same machine and on another',
  { timeout: 180_000 },
  async () => {
    const { blocks, text } = await readSection('operations.md', 'Back up and restore');
    expect(blocks).toHaveLength(5);
    const [sqliteBackup = '', sqliteRestore = '', secrets = '', dump = '', restoreDump = ''] = blocks;
    expect(text).toContain('add\n`--new`');

    const place = await makePlace();
    const machine = await makeOperatorsMachine(async (verb) => {
      if (verb === 'stop') await server.end();
      else if (verb === 'start') await server.start();
      else throw new Error(`There is no "systemctl ${verb}" here.`);
    });
    onTestFinished(() => machine.remove());
    const [create = ''] = restoreDump.split('\n');
    if (isMysql) await machine.run(create, place.forCommands);
    const server = await startServerProcess(place);
    onTestFinished(() => server.dispose());
    const { admin } = await readInbox(server.url);
    const made = await admin.send('POST', '/api/sources', { name: 'Drill' });
    const { plain } = (await made.json()) as { plain: { key: string } };

    const ledger = newLedger();
    const stopped = new AbortController();
    const load = Promise.all(
      [1, 2, 3].map((poster) =>
        keepSending(ledger, stopped.signal, 202, (number) =>
          admin.post(plain.key, { title: `Alert ${poster}-${number}` }),
        ),
      ),
    );
    await expect.poll(() => ledger.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(100);
    const before = [...ledger.acknowledged];
    if (isMysql) await makeEvent(machine, place, dump);
    await machine.run(isMysql ? dump : on(place, sqliteBackup), place.forCommands);
    stopped.abort();
    await load;
    expect(ledger.unexpected).toEqual([]);
    const late = (await (await admin.post(plain.key, { title: 'After the backup' })).json()) as { id: string };

    /** Expects a restored server to have what the backup has, and nothing else. */
    const expectRestored = async (url: URL) => {
      const { admin: there } = await readInbox(url);
      const found = await Promise.all(before.map(async (id) => (await there.get(`/api/alerts/${id}`)).status));
      expect(new Set(found)).toEqual(new Set([200]));
      expect((await there.get(`/api/alerts/${late.id}`)).status).toBe(404);
      const count = await countOf(there);
      // The sources' keys work there, too.
      expect((await there.post(plain.key, { title: 'After the restore' })).status).toBe(202);
      return count;
    };

    /** SQLite's database is put back where it was; a dump goes into an empty database. */
    const restoreHere = async () => {
      expect(await machine.run(sqliteRestore, place.forCommands)).toMatch(RESTORED);
      const kept = (await readdir(place.dataDir)).filter((name) => name.includes('.before-restore-'));
      expect(kept).not.toEqual([]);
      return expectRestored(server.url);
    };
    const count = isMysql ? undefined : await restoreHere();

    const other = await makePlace();
    if (!isMysql) await machine.run(on(other, secrets), other.forCommands);
    const onNone = sqliteRestore.replaceAll(/^systemctl .*\n/gm, '').replace(/^(alertdesk restore .*)$/m, '$1 --new');
    expect(await machine.run(isMysql ? restoreDump : onNone, other.forCommands)).toMatch(RESTORED);
    if (isMysql) await expectEvent(machine, other);
    const there = await startServerProcess({
      ...other,
      environment: { ...other.environment, OUTGOING: 'off' },
    });
    onTestFinished(() => there.dispose());
    const restored = await expectRestored(there.url);
    expect(restored).toBe(count ?? restored);
    expect(restored).toBeGreaterThanOrEqual(before.length);
  },
);
