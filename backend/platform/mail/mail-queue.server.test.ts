import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#backend/platform/database/ids.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { MailEntity, type MailSubjects, createMailQueue, sendDue } from './mail-queue.ts';
import type { MailTransport } from './mail-transport.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const never = new AbortController().signal;
const logger = createLogger('silent');
const sealing = { seal: (plain: string) => plain, open: (text: string) => text } as Parameters<
  typeof createMailQueue
>[0]['sealing'];

/** A mail that a member chose, and what sends it; `attempts` were made before. */
async function queueChosen(isChosen: MailSubjects['isChosen'], attempts = 0) {
  const { database } = server;
  const [userId, to] = [newId(), `${newId()}@example.com`];
  const mail = { to, subject: 'Mention', text: 'You', html: '<p>You</p>', kind: 'mentions' };
  await database.transaction((tx) =>
    createMailQueue({ config: { mail: undefined, publicUrl: undefined }, sealing }).add(tx, mail, {
      userId,
      expiresAt: Date.now() + 60_000,
    }),
  );
  const mails = database.reads.getRepository(MailEntity);
  const makeDue = (changes: object = {}) =>
    database.transaction((tx) => tx.getRepository(MailEntity).update({ userId }, { nextAt: 0, ...changes }));
  await makeDue({ attempts });
  const send = vi.fn<MailTransport['send']>(async () => []);
  const subjects = { addressOf: async () => to, isChosen, reportLink: async () => undefined };
  return {
    send,
    makeDue,
    isQueued: () => mails.existsBy({ userId }),
    sendDue: () => sendDue({ database, logger, sealing, transport: { send }, subjects }, never),
  };
}

test('a mail whose choice the database does not say is kept, also at its last attempt', async () => {
  const isChosen = vi.fn<MailSubjects['isChosen']>().mockRejectedValueOnce(new Error('Lock wait timeout exceeded'));
  isChosen.mockResolvedValue(true);
  const { send, makeDue, isQueued, sendDue: attempt } = await queueChosen(isChosen, 5);
  await expect(attempt()).rejects.toThrow('Lock wait timeout exceeded');
  expect([send.mock.calls.length, await isQueued()]).toEqual([0, true]);
  await makeDue();
  await attempt();
  expect([send.mock.calls.length, await isQueued()]).toEqual([1, false]);
});

test('a mail that its member does not choose any more is dropped, and the log says so', async () => {
  const said = vi.spyOn(logger, 'info');
  const { send, isQueued, sendDue: attempt } = await queueChosen(async () => false);
  await attempt();
  expect([send.mock.calls.length, await isQueued()]).toEqual([0, false]);
  expect(said.mock.calls).toEqual([
    [expect.objectContaining({ kind: 'mentions' }), expect.stringContaining('does not choose its kind any more')],
  ]);
});
