import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { calendarSchema } from '#backend/contract/ladder.ts';
import { ladderWorld } from '#tests/support/ladder-world.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { type OutgoingReceiver, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { LOCAL_NETWORK, json, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { type PushService, startPushService } from '#tests/support/push-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** Many times what a message takes to its receiver. */
const LONG_MS = 2_000;

let server: TestServer;
let admin: TestClient;
let receiver: OutgoingReceiver;
let service: PushService;
const world = outgoingWorld(() => admin);

beforeEach(async () => {
  receiver = await startReceiver();
  service = await startPushService();
  server = await startTestServer(
    { ...LOCAL_NETWORK, OUTGOING: 'off', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com', PUBLIC_URL },
    { push: { ...service.parts, limits: { recipientsMs: 20, windowMs: 100 } } },
  );
  admin = await server.signedIn({ role: 'admin' });
});
afterEach(async () => {
  await server.destroy();
  await service.close();
  await receiver.stop();
});

const PUBLIC_URL = 'https://alerts.example.com';

test('a server with OUTGOING=off sends nothing, whatever happens; once it is on messages of rules go out, and pushes do not', async () => {
  const hook = { kind: 'webhook', name: 'Status page', url: `${receiver.url}/hook` } as const;
  const { destination } = await world.addDestination(hook);
  await world.addRule([destination.id], { events: ['new', 'accepted'] });
  const device = await service.subscribe(admin);
  const key = await server.addApiKey();
  const { id } = await admin.postAlert(key);
  await admin.send('POST', `/api/alerts/${id}/accept`);
  await admin.postAlert(key);
  const tried = await json(admin.send('POST', '/api/outgoing/test', { ...hook, event: 'new' }));
  expect(tried).toMatchObject({ answer: expect.stringContaining('OUTGOING=off') });
  const mailed = await admin.send('POST', '/api/auth/invitations', {
    email: 'new@example.com',
    displayName: 'New',
    role: 'user',
    isMailed: true,
  });
  expect(mailed.status).toBe(409);
  await wait(LONG_MS);
  expect([receiver.taken(), device.messages]).toEqual([[], []]);

  server = await server.restart({ OUTGOING: 'on' });
  await expect.poll(() => receiver.taken().length).toBe(3);
  expect(device.messages).toEqual([]);
});

test('a server with OUTGOING=off reads no calendar, also not where somebody enters or refreshes one', async () => {
  const failure = 'This server reads no calendars: it runs with OUTGOING=off.';
  const calendar = { name: 'On call', url: `${receiver.url}/basic.ics` };
  const made = calendarSchema.parse(await json(admin.send('POST', '/api/outgoing/calendars', calendar), 201));
  expect(made).toMatchObject({ failure, readAt: null });
  const path = `/api/outgoing/calendars/${made.id}`;
  expect(await json(admin.send('PATCH', path, { url: `${receiver.url}/other.ics` }))).toMatchObject({ failure });
  expect(await json(admin.send('POST', `${path}/refresh`))).toMatchObject({ failure });
  expect(receiver.taken()).toEqual([]);
});

test('once it is on again, due steps of ladders are taken and queued mails are sent', async () => {
  // Nobody listens where the mail server is to be.
  server = await server.restart({ OUTGOING: 'on' });
  admin = admin.at(server.url);
  const { destination } = await world.addDestination({ kind: 'webhook', name: 'Night', url: `${receiver.url}/night` });
  const recipients = [{ kind: 'destination' as const, id: destination.id }];
  const steps = [0, 60].map((afterMinutes) => ({ afterMinutes, recipients }));
  await ladderWorld(() => admin).addLadder('Night', { steps, repeat: 0, isUrgent: false });
  await admin.postAlert(await server.addApiKey(), { customer: 'Night' });
  const invitation = { email: 'new@example.com', displayName: 'New', role: 'user', isMailed: true };
  expect((await admin.send('POST', '/api/auth/invitations', invitation)).status).toBe(201);
  await expect.poll(() => receiver.taken().length).toBe(1);

  server = await server.restart({ OUTGOING: 'off' });
  await server.database.transaction(async (tx) => {
    await tx.query('UPDATE ladder_runs SET due_at = 1');
    await tx.query('UPDATE mails SET next_at = 0');
  });
  await wait(LONG_MS);
  expect(receiver.taken()).toHaveLength(1);

  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.stop());
  server = await server.restart({ OUTGOING: 'on', SMTP_URL: mailServer.url });
  await expect.poll(() => [receiver.taken().length, mailServer.mails.length]).toEqual([2, 1]);
});
