import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema, alertSchema } from '#backend/contract/alert.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { createSourceWorld } from '#tests/support/source-world.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
});
afterAll(() => server.destroy());

const JSON_WANTED = { Accept: 'application/json' };

const newAlert = async (): Promise<string> => (await insertAlerts(server.database, [{}]))[0] ?? '';
const alertOf = async (answer: Response): Promise<Alert> => alertSchema.parse(await answer.json());
const versionOf = async (id: string): Promise<number> => (await alertOf(await anna.get(`/api/alerts/${id}`))).version;

describe('the version of an alert', () => {
  test('grows by one with each change of it, and stays where nothing changes', async () => {
    const id = await newAlert();
    const versions = [await versionOf(id)];
    for (const [method, path, body] of [
      ['POST', `/api/alerts/${id}/accept`, undefined],
      ['POST', `/api/alerts/${id}/accept`, undefined],
      ['PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' }],
      ['PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' }],
      ['POST', `/api/alerts/${id}/snooze`, { minutes: 60 }],
      ['POST', `/api/alerts/${id}/wake`, undefined],
      ['POST', `/api/alerts/${id}/unaccept`, undefined],
    ] as const) {
      versions.push((await alertOf(await anna.send(method, path, body))).version);
    }
    expect(versions).toEqual([1, 2, 2, 3, 3, 4, 5, 6]);
    expect(await versionOf(id)).toBe(6);
  });

  test('grows with what its sender reports, and with a note', async () => {
    const world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
    const { source, token } = await world.newSource();
    const post = (severity: string) =>
      world.send(`/in/${token}`, {
        body: JSON.stringify({ title: 'Disk full', dedupKey: 'disk', state: 'firing', severity }),
      });
    await post('warning');
    const [alert] = alertListSchema.parse(await (await anna.get(`/api/alerts/inbox?source=${source.id}`)).json());
    expect(alert?.version).toBe(1);
    await post('critical');
    expect(await versionOf(alert?.id ?? '')).toBe(2);
    await anna.send('POST', `/api/alerts/${alert?.id}/accept`);
    await anna.send('POST', `/api/alerts/${alert?.id}/notes`, { text: 'Looking' });
    expect(await versionOf(alert?.id ?? '')).toBe(4);
  });

  test('is in the events of one and of many', async () => {
    const [one, other] = [await newAlert(), await newAlert()];
    const live = await listenLive(ben);
    await anna.send('POST', `/api/alerts/${one}/accept`);
    await waitFor(() =>
      expect(live.events).toContainEqual(expect.objectContaining({ type: 'alert_accepted', alertId: one, version: 2 })),
    );
    await anna.send('POST', '/api/alerts/bulk', { action: 'accept', ids: [other] });
    await waitFor(() =>
      expect(live.events).toContainEqual(
        expect.objectContaining({ type: 'alerts_changed', alertIds: [other], versions: [2] }),
      ),
    );
    live.socket.close();
  });
});

describe('a change that was decided on another version', () => {
  test('is not made, and the error has the alert as it is', async () => {
    const id = await newAlert();
    await anna.send('POST', `/api/alerts/${id}/accept`);
    const answer = await anna.send(
      'PATCH',
      `/api/webhooks/${id}/status?ifVersion=1`,
      { status: 'completed' },
      JSON_WANTED,
    );
    expect(answer.status).toBe(409);
    const problem = problemSchema.parse(await answer.json());
    expect(problem.type).toBe('urn:alertdesk:problem:changed-meanwhile');
    expect(alertSchema.parse(problem.alert)).toMatchObject({ id, version: 2, status: 'accepted', ownerName: 'Anna' });
    expect((await anna.send('PATCH', `/api/webhooks/${id}/status?ifVersion=2`, { status: 'completed' })).status).toBe(
      200,
    );
  });

  test('says nothing of an alert that the member may not see', async () => {
    const id = await newAlert();
    await anna.send('POST', `/api/alerts/${id}/accept`);
    const answer = await ben.send('PATCH', `/api/webhooks/${id}/status?ifVersion=1`, { status: 'completed' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(anna.id);
  });

  test('of several on one version at once one is made', async () => {
    const id = await newAlert();
    await anna.send('POST', `/api/alerts/${id}/accept`);
    const answers = await Promise.all(
      ['in-progress', 'completed', 'in-progress', 'completed'].map((status) =>
        anna.send('PATCH', `/api/webhooks/${id}/status?ifVersion=2`, { status }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(await versionOf(id)).toBe(3);
  });

  test('a version is a number from 1', async () => {
    const id = await newAlert();
    const answers = await Promise.all(
      ['0', '-1', '1.5', 'new'].map((version) => anna.send('POST', `/api/alerts/${id}/accept?ifVersion=${version}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });
});
