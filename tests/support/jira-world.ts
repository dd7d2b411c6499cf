import { JIRA_EMAIL, JIRA_TOKEN } from './jira-service.ts';
import { type OutgoingReceiver, type ServiceRules, startReceiver } from './outgoing-receiver.ts';
import { outgoingWorld } from './outgoing-world.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** Where tickets are made: a server, an administrator, and a key that alerts are posted with. */
interface JiraPlace {
  server: TestServer;
  admin: TestClient;
  key: string;
}

export const newCustomer = (): string => `Customer ${crypto.randomUUID()}`;

/** Has problems of a customer made tickets of a Jira that a test plays, and says what became of both. */
export function jiraWorld(place: () => JiraPlace) {
  const receivers: OutgoingReceiver[] = [];
  const world = outgoingWorld(() => place().admin);
  const receipts = (id: string) => world.receipts(id);
  return {
    ...world,
    async receive(rules: ServiceRules) {
      const receiver = await startReceiver(rules);
      receivers.push(receiver);
      return receiver;
    },
    /** Deletes all destinations, and ends what received for them. */
    async stopReceivers() {
      const { admin } = place();
      for (const { id } of await world.destinations()) await admin.send('DELETE', `/api/outgoing/destinations/${id}`);
      for (const receiver of receivers.splice(0)) await receiver.stop();
    },
    /** A destination, and the rule that leads a customer's alerts to it. */
    async lead(customer: string, url: string, more: { completesAlert?: boolean } = {}) {
      const { destination } = await world.addDestination({
        kind: 'jira',
        name: `Jira ${crypto.randomUUID()}`,
        url,
        account: JIRA_EMAIL,
        token: JIRA_TOKEN,
        room: 'OPS',
        ...more,
      });
      await world.addRule([destination.id], {
        search: `customer:"${customer}"`,
        events: ['new', 'escalated', 'accepted', 'completed', 'note'],
      });
      return destination;
    },
    /** Posts a problem of the customer. Resolves to the alert's id. */
    async post(customer: string, more: object = {}): Promise<string> {
      const { admin, key } = place();
      const body = { customer, type: 'disk', title: 'Disk full', dedup_key: customer, ...more };
      return (await admin.postAlert(key, body)).id;
    },
    async statusOf(id: string): Promise<string> {
      return ((await (await place().admin.get(`/api/alerts/${id}`)).json()) as { status: string }).status;
    },
    ticketStates: async (id: string) => (await receipts(id)).tickets?.map(({ state }) => state),
    sentStates: async (id: string) => (await receipts(id)).receipts.map(({ state }) => state),
    /** All tickets are asked about at once, as after five minutes. */
    makeDue: () =>
      place().server.database.transaction((tx) =>
        tx.query('UPDATE outgoing_live SET ask_at = 0 WHERE ask_at IS NOT NULL'),
      ),
  };
}
