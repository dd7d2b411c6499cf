import { afterEach, beforeEach } from 'vitest';
import { type SenderApiKind, alertSilenceSchema } from '#backend/contract/silence.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { LOCAL_NETWORK } from './outgoing-world.ts';
import { PAGERDUTY_INCIDENT } from './pagerduty-sender.ts';
import type { TestClient } from './test-client.ts';
import { type TestServer, startTestServer } from './test-server.ts';

/** A server for each test of a file, whose sources have senders that can be asked to keep quiet. */
export function useSilencingServer() {
  let server: TestServer;
  let admin: TestClient;
  beforeEach(async () => {
    server = await startTestServer(LOCAL_NETWORK);
    admin = await server.signedIn({ role: 'admin', displayName: 'Mara' });
  });
  afterEach(() => server.destroy());
  return {
    server: () => server,
    admin: () => admin,
    /** From now on an administrator of another server is asked, until the test ends. */
    actAs(other: TestClient): void {
      admin = other;
    },
    async addSource(adapter: SenderApiKind) {
      const made = await admin.send('POST', '/api/sources', { name: `Source ${crypto.randomUUID()}`, adapter });
      const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
      return { id: source.id, name: source.name, key: plain.key ?? '' };
    },
    /** Sets silencing of a source up. @param query such as `?ifVersion=1` */
    put: (sourceId: string, body: object, query = '') =>
      admin.send(
        'PUT',
        `/api/sources/${sourceId}/silencing${query}`,
        { auth: 'bearer', minutes: 240, isOn: true, ...body },
        { Accept: 'application/json' },
      ),
    silenceOf: async (id: string) =>
      alertSilenceSchema.parse(await (await admin.get(`/api/alerts/${id}/silence`)).json()).silence,
    accept: (id: string) => admin.send('POST', `/api/alerts/${id}/accept`, {}),
    inbox: async () => (await admin.alerts('/api/alerts/inbox')).map(({ title }) => title),
  };
}

/** What PagerDuty's webhook says of the incident of its double. */
export const pagerdutyIncident = (type: string, data: object = {}) => ({
  event: {
    id: crypto.randomUUID(),
    event_type: `incident.${type}`,
    resource_type: 'incident',
    occurred_at: new Date().toISOString(),
    data: { id: PAGERDUTY_INCIDENT, type: 'incident', title: 'Queue is stuck', status: type, ...data },
  },
});
