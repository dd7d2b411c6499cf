import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { type TestPlace, makeMigratedPlace } from '#tests/support/test-place.ts';

const PROBLEMS = 12;
const ROUNDS = 40;

/** Only a database of its own takes two servers. */
const hasTwo = process.env['TEST_DIALECT'] === 'mysql';

/** A server on a database that another server may have, too. */
async function startOn(place: TestPlace) {
  const server = await startServerProcess({
    script: 'tests/support/serve-one-of-several.ts',
    environment: { DATABASE_URL: place.databaseUrl ?? '', TEST_PATIENT: '1' },
  });
  onTestFinished(() => server.dispose());
  return server;
}

test.skipIf(!hasTwo)(
  'two servers on one database that get the same problems at once never have two open alerts of one',
  async () => {
    const place = await makeMigratedPlace();
    onTestFinished(() => place.remove());
    const one = await startOn(place);
    const { admin } = await readInbox(one.url);
    const made = await admin.send('POST', '/api/sources', { name: 'Both' });
    const { plain } = sourceWithSecretsSchema.parse(await made.json());
    // The second server reads the sources when it starts.
    const other = await startOn(place);

    const report = async (origin: string, problem: number, status: 'firing' | 'resolved') => {
      const headers = {
        'Content-Type': 'application/json',
        'X-Webhook-Auth': plain.key ?? '',
        'Idempotency-Key': crypto.randomUUID(),
      };
      const body = JSON.stringify({ dedup_key: `problem-${problem}`, status, title: `Problem ${problem}` });
      const send = () => fetch(`${origin}/webhook`, { method: 'POST', headers, body });
      let response = await send();
      // On a busy machine it may wait too long for the other server's locks, and is sent again as senders do.
      while (response.status === 503) {
        await wait(50);
        response = await send();
      }
      expect(response.status).toBe(202);
    };
    const readOpen = async (): Promise<Alert[]> =>
      alertListSchema.parse(await (await admin.get('/api/alerts/inbox?limit=500')).json());

    for (let round = 0; round < ROUNDS; round += 1) {
      const isLast = round === ROUNDS - 1;
      const reports = Array.from({ length: PROBLEMS }, (_, problem) => problem).flatMap((problem) => {
        // Whether a problem ends is decided by its round, the same at both servers.
        const status = !isLast && (round + problem) % 3 === 0 ? 'resolved' : 'firing';
        return [one, other].flatMap(({ url }) => [
          report(url.origin, problem, 'firing'),
          report(url.origin, problem, status),
        ]);
      });
      await Promise.all(reports);
      const open = (await readOpen()).map(({ title }) => title);
      expect(open.toSorted()).toEqual([...new Set(open)].toSorted());
    }
    expect(await readOpen()).toHaveLength(PROBLEMS);
  },
);
