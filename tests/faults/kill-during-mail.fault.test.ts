import { createTransport } from 'nodemailer';
import { expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { freePort } from '#tests/support/plain-proxy.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { makeMigratedPlace } from '#tests/support/test-place.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Emails that are sent at once, and after how many that were answered 250 the server is killed, round by round. */
const SENDERS = 8;
const ROUNDS = [3, 20, 50];

test('emails that were answered 250 are there once after kill -9, and so are those that are sent again', async () => {
  const place = await makeMigratedPlace();
  onTestFinished(() => place.remove());
  const port = await freePort();
  const server = await startServerProcess({
    ...(!place.databaseUrl && { dataDir: place.dataDir }),
    environment: {
      SMTP_PORT: String(port),
      SMTP_DOMAIN: 'alerts.example.com',
      ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    },
  });
  onTestFinished(() => server.dispose());
  const { admin } = await readInbox(server.url);
  const made = await admin.send('POST', '/api/sources', { name: 'Mailed' });
  const address = sourceWithSecretsSchema.parse(await made.json()).source.mailAddress ?? '';
  const send = (number: number): Promise<boolean> =>
    createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
      .sendMail({
        from: 'monitor@example.com',
        to: address,
        subject: `Disk of node-${number} is full`,
        text: 'x'.repeat(20_000),
        messageId: `<${number}@monitor.example>`,
      })
      .then(
        () => true,
        () => false,
      );

  let sent = 0;
  const unanswered: number[] = [];
  for (const killAfter of ROUNDS) {
    let answered = 0;
    const killed = new AbortController();
    const senders = Array.from({ length: SENDERS }, async () => {
      // A server whose database stalls for a moment refuses all, and takes the next ones.
      while (!killed.signal.aborted) {
        const number = (sent += 1);
        if (await send(number)) answered += 1;
        else unanswered.push(number);
      }
    });
    await waitFor(() => expect(answered).toBeGreaterThanOrEqual(killAfter), { timeout: 60_000, interval: 5 });
    killed.abort();
    await server.end('SIGKILL');
    await Promise.all(senders);
    await server.start();
    // As their mail servers do.
    for (const number of unanswered.splice(0)) await waitFor(async () => expect(await send(number)).toBe(true));
  }
  const { admin: again, total } = await readInbox(server.url);
  expect(total).toBe(sent);
  const answer = await again.get('/api/alerts/inbox?limit=500');
  const alerts = alertListSchema.parse(await answer.json());
  expect(new Set(alerts.map(({ title }) => title)).size).toBe(sent);
  expect(alerts.filter(({ occurrences }) => occurrences !== 1)).toEqual([]);
});
