import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOSE_SESSION_ENDED, CLOSE_TOO_SLOW } from '#backend/contract/live-event.ts';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { type LiveClient, listenLive, refusedStatus } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TAKEN_EVERY_MS } from './looking-page.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

const newAlert = async () => (await server.anonymous().postAlert(key, { title: 'Disk full' })).id;
const look = ({ socket }: LiveClient, alertId: string | null) =>
  socket.send(JSON.stringify({ type: 'looking', alertId }));

/** Names of those who look at an alert as a page knows it; undefined when it was never sent anything of it. */
const lookersOf = ({ events }: LiveClient, alertId: string): string[] | undefined => {
  const last = events.findLast((event) => event.type === 'looking_changed' && event.alertId === alertId);
  return last?.type === 'looking_changed' ? last.people.map(({ displayName }) => displayName).toSorted() : undefined;
};
async function expectLookers(client: LiveClient, alertId: string, names: string[]): Promise<void> {
  await expect.poll(() => lookersOf(client, alertId)).toEqual(names);
}

async function twoPages() {
  const [jonas, maya] = await Promise.all([
    server.signedIn({ displayName: 'Jonas' }),
    server.signedIn({ displayName: 'Maya' }),
  ]);
  return { jonas, maya, his: await listenLive(jonas), hers: await listenLive(maya) };
}
const end = (...clients: LiveClient[]) =>
  Promise.all(
    clients.map(({ socket, closed }) => {
      socket.terminate();
      return closed;
    }),
  );

describe('who looks at an alert', () => {
  test('is shown to a colleague, with the next one, and is gone when they leave', async () => {
    const { his, hers } = await twoPages();
    const ines = await listenLive(await server.signedIn({ displayName: 'Ines' }));
    const [first, second] = [await newAlert(), await newAlert()];
    look(his, first);
    await expectLookers(hers, first, ['Jonas']);
    look(ines, first);
    await expectLookers(hers, first, ['Ines', 'Jonas']);
    look(his, second);
    await expectLookers(hers, first, ['Ines']);
    await expectLookers(hers, second, ['Jonas']);
    look(his, null);
    await expectLookers(hers, second, []);
    await end(ines);
    await expectLookers(hers, first, []);
    await end(his, hers);
  });

  test('is one person on two tabs until both have left', async () => {
    const { jonas, his, hers } = await twoPages();
    const tab = await listenLive(jonas, '/ws');
    const [first, second] = [await newAlert(), await newAlert()];
    look(his, first);
    look(tab, first);
    await expectLookers(hers, first, ['Jonas']);
    look(tab, second);
    await expectLookers(hers, second, ['Jonas']);
    expect(lookersOf(hers, first)).toEqual(['Jonas']);
    look(tab, first);
    await expectLookers(hers, second, []);
    await end(his);
    await expectLookers(tab, second, []);
    expect(lookersOf(hers, first)).toEqual(['Jonas']);
    await end(tab);
    await expectLookers(hers, first, []);
    await end(hers);
  });

  test('is gone with a connection that no longer answers, and back with its answer', async () => {
    const { his, hers } = await twoPages();
    const id = await newAlert();
    look(his, id);
    await expectLookers(hers, id, ['Jonas']);
    his.socket.pause();
    await expectLookers(hers, id, []);
    his.socket.resume();
    await expectLookers(hers, id, ['Jonas']);
    await end(his, hers);
  });

  test('is gone when their session is ended', async () => {
    const { jonas, his, hers } = await twoPages();
    const id = await newAlert();
    look(his, id);
    await expectLookers(hers, id, ['Jonas']);
    await jonas.send('POST', '/api/auth/logout');
    await expectLookers(hers, id, []);
    expect(await his.closed).toBe(CLOSE_SESSION_ENDED);
    await end(hers);
  });

  test('is known to a page that comes later, and nothing is sent while nobody else is there', async () => {
    const jonas = await server.signedIn({ displayName: 'Jonas' });
    const [his, tab] = [await listenLive(jonas), await listenLive(jonas)];
    const id = await newAlert();
    look(his, id);
    await new Promise((resolve) => setTimeout(resolve, 2 * TAKEN_EVERY_MS));
    expect([lookersOf(his, id), lookersOf(tab, id)]).toEqual([undefined, undefined]);
    const hers = await listenLive(await server.signedIn());
    await expectLookers(hers, id, ['Jonas']);
    const later = await listenLive(await server.signedIn(), '/ws');
    await expectLookers(later, id, ['Jonas']);
    await end(his, tab, hers, later);
  });
});

describe('a member without access to an alert', () => {
  test('is sent nothing of it; whoever sees everything is', async () => {
    const { jonas, his, hers } = await twoPages();
    const admin = await listenLive(await server.signedIn({ role: 'admin' }));
    const id = await newAlert();
    await jonas.send('POST', `/api/alerts/${id}/accept`);
    look(his, id);
    await expectLookers(admin, id, ['Jonas']);
    expect(lookersOf(hers, id)).toBeUndefined();
    const later = await listenLive(await server.signedIn());
    look(his, await newAlert());
    await expectLookers(admin, id, []);
    expect([lookersOf(hers, id), lookersOf(later, id)]).toEqual([undefined, undefined]);
    await end(his, hers, admin, later);
  });

  test('does not look at it, whatever their page says', async () => {
    const { jonas, his, hers } = await twoPages();
    const [id, other] = [await newAlert(), await newAlert()];
    await jonas.send('POST', `/api/alerts/${id}/accept`);
    look(hers, id);
    look(his, id);
    const admin = await listenLive(await server.signedIn({ role: 'admin' }));
    await expectLookers(admin, id, ['Jonas']);
    look(hers, other);
    await expectLookers(his, other, ['Maya']);
    expect(lookersOf(his, id)).toEqual(['Jonas']);
    await end(his, hers, admin);
  });

  test.each<[string, (jonas: TestClient, id: string) => Promise<unknown>]>([
    ['accepts it', (jonas, id) => jonas.send('POST', `/api/alerts/${id}/accept`)],
    ['accepts it with others', (jonas, id) => jonas.send('POST', '/api/alerts/bulk', { action: 'accept', ids: [id] })],
  ])('is left with nobody when a colleague %s, and sees them again when it is given back', async (_how, accept) => {
    const { jonas, his, hers } = await twoPages();
    const id = await newAlert();
    look(his, id);
    look(hers, id);
    await expectLookers(hers, id, ['Jonas', 'Maya']);
    await accept(jonas, id);
    await expectLookers(hers, id, []);
    await expectLookers(his, id, ['Jonas']);
    await jonas.send('POST', `/api/alerts/${id}/unaccept`);
    await expectLookers(hers, id, ['Jonas', 'Maya']);
    await jonas.send('DELETE', `/api/webhooks/${id}`);
    await expectLookers(hers, id, []);
    await end(his, hers);
  });
});

describe('what pages say', () => {
  test('is nothing where it is not of the contract, or names no alert', async () => {
    const { his, hers } = await twoPages();
    const id = await newAlert();
    const wrong = [
      '{"type":"looking"}',
      '{"type":"looking","alertId":42}',
      '{"type":"looking","alertId":["a"]}',
      `{"type":"looking","alertId":"${'x'.repeat(100)}"}`,
      `{"type":"looking","alertId":"${id}","more":"${'x'.repeat(1_000)}"}`,
      'looking',
    ];
    for (const text of wrong) his.socket.send(text);
    look(his, 'no-such-alert');
    // What was taken before this one would have been sent before it.
    await new Promise((resolve) => setTimeout(resolve, 2 * TAKEN_EVERY_MS));
    look(his, id);
    await expectLookers(hers, id, ['Jonas']);
    expect(hers.events.filter(({ type }) => type === 'looking_changed')).toHaveLength(1);
    await end(his, hers);
  });

  test('is taken five times a second at most, of more the last, and too much ends the connection', async () => {
    const { his, hers } = await twoPages();
    const ids = await Promise.all(Array.from({ length: 15 }, newAlert));
    for (const id of ids) look(his, id);
    const last = ids.at(-1) ?? '';
    await expectLookers(hers, last, ['Jonas']);
    const seen = ids.filter((id) => lookersOf(hers, id) !== undefined);
    expect(seen.length).toBeLessThanOrEqual(2);
    for (let index = 0; index < 30; index += 1) look(his, ids[index % 2] ?? '');
    expect([CLOSE_TOO_SLOW, 1006]).toContain(await his.closed);
    await expectLookers(hers, last, []);
    await end(hers);
  });

  test('needs a session: an API token opens no live connection', async () => {
    const member = await server.signedIn();
    const made = await member.send('POST', '/api/auth/tokens', { name: 'Looker', scope: 'read', expiresInDays: 1 });
    const { plainToken } = createdApiTokenSchema.parse(await made.json());
    expect(await refusedStatus(server.anonymous(), { Authorization: `Bearer ${plainToken}` })).toBe(401);
  });
});
