import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryListSchema } from '#backend/contract/delivery.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const DELIVERIES = 40;

/** A path over which each delivery would think for minutes. */
const SLOW = "list[?match(@.b, '(a|a)*(a|a)*(a|a)*c')].b";
const BODY = {
  title: 'of the body',
  list: Array.from({ length: 300 }, (_, a) => ({ a, b: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' })),
};

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

async function addSource(name: string, mapping: object): Promise<{ id: string; key: string }> {
  const answer = await admin.send('POST', '/api/sources', { name, settings: { mapping } });
  const { source, plain } = sourceWithSecretsSchema.parse(await answer.json());
  return { id: source.id, key: plain.key ?? '' };
}

test('a slow mapping keeps no other source waiting, and loses nothing of its own', async () => {
  const slow = await addSource('Slow', { title: SLOW, customer: 'list[0].a' });
  const quick = await addSource('Quick', { title: 'list[?@.a == 7].b' });
  const plain = await addSource('Plain', {});
  expect((await admin.postAlert(quick.key, BODY)).id).toMatch(/^[\da-f-]{36}$/);

  const state = { isOver: false, answered: 0 };
  const slowPosts = Promise.all(Array.from({ length: DELIVERIES }, () => admin.postAlert(slow.key, BODY)));
  const noteEnd = () => (state.isOver = true);
  slowPosts.then(noteEnd, noteEnd);
  // On the server's own thread the first of these was answered after all of those.
  for (; !state.isOver && state.answered < 100; state.answered += 1) await admin.postAlert(plain.key, { n: 1 });
  const receipts = await slowPosts;
  expect(state.answered).toBeGreaterThan(1);

  expect(new Set(receipts.map(({ id }) => id)).size).toBe(DELIVERIES);
  const answer = await admin.get('/api/alerts/inbox?limit=500');
  const alerts = (await answer.json()) as { id: string; title: string; customer: string | null }[];
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  for (const { id } of receipts) expect(byId.get(id)).toMatchObject({ title: 'of the body', customer: '0' });

  // The source's page says why.
  const rows = async (id: string) => {
    const listed = await admin.get(`/api/sources/${id}/deliveries?limit=100`);
    return deliveryListSchema.parse(await listed.json()).map(({ summary }) => summary);
  };
  await expect.poll(async () => (await rows(slow.id)).length).toBe(DELIVERIES);
  const notes = new Set(await rows(slow.id));
  expect(notes).toContain('of the body · Mapping of title: Stopped after 50 ms. Use a path that names its fields.');
  // How many are not even begun depends on how much of the processor the others were given.
  for (const note of notes)
    expect(note).toMatch(/^of the body · Mapping of title: (?:Stopped after 50 ms|Not evaluated: )/);
  // A busy machine may stop a path that is quick.
  const sendQuick = async () => {
    const { id } = await admin.postAlert(quick.key, BODY);
    const [newest] = (await (await admin.get('/api/alerts/inbox?limit=1')).json()) as { id: string; title: string }[];
    return { isNewest: newest?.id === id, title: newest?.title };
  };
  await expect.poll(sendQuick).toEqual({ isNewest: true, title: BODY.list[7]?.b });
  await expect.poll(() => rows(quick.id)).toContainEqual(expect.not.stringContaining('Mapping'));
});
