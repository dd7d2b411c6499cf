import { afterAll, afterEach, beforeAll } from 'vitest';
import type { NewDestination, OutgoingEvent } from '#backend/contract/outgoing.ts';
import { type OutgoingReceiver, startReceiver } from './outgoing-receiver.ts';
import { ladderWorld } from './ladder-world.ts';
import { LOCAL_NETWORK, outgoingWorld } from './outgoing-world.ts';
import type { TestClient } from './test-client.ts';
import { type TestServer, startTestServer } from './test-server.ts';

/** A server that sends messages out, for the tests of a file, and what is done on it. */
export interface OutgoingServer {
  readonly server: TestServer;
  readonly admin: TestClient;
  readonly world: ReturnType<typeof outgoingWorld>;
  readonly ladders: ReturnType<typeof ladderWorld>;
  /** Stops the server, and starts it again on what it has stored. */
  restart(): Promise<void>;
  /** Starts a receiver, which ends with the test. */
  receive(...rules: Parameters<typeof startReceiver>): Promise<OutgoingReceiver>;
  /** A destination that is sent alerts of one customer, so that tests do not receive messages of each other. */
  addFor(
    customer: string,
    input: Omit<NewDestination, 'name'> & { name?: string },
    events?: OutgoingEvent[],
  ): ReturnType<ReturnType<typeof outgoingWorld>['addDestination']>;
  /** Posts an alert as its sender does. Resolves to its id. */
  post(body: object): Promise<string>;
}

/**
 * Serves all tests of a file. Its destinations and receivers end with each test.
 *
 * @param environment variables of the server, beside the one that lets destinations be on this machine
 */
export function useOutgoingServer(
  environment: () => Record<string, string> = () => ({ PUBLIC_URL: 'https://alerts.example.com' }),
): OutgoingServer {
  let server: TestServer;
  let admin: TestClient;
  let key: string;
  const receivers: OutgoingReceiver[] = [];
  const world = outgoingWorld(() => admin);
  beforeAll(async () => {
    server = await startTestServer({ ...LOCAL_NETWORK, ...environment() });
    admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
    key = await server.addApiKey();
  });
  afterEach(async () => {
    for (const { id } of await world.destinations()) await admin.send('DELETE', `/api/outgoing/destinations/${id}`);
    for (const receiver of receivers.splice(0)) await receiver.stop();
  });
  afterAll(() => server.destroy());
  return {
    get server() {
      return server;
    },
    get admin() {
      return admin;
    },
    world,
    ladders: ladderWorld(() => admin),
    async restart() {
      server = await server.restart();
      admin = admin.at(server.url);
    },
    async receive(...rules) {
      const receiver = await startReceiver(...rules);
      receivers.push(receiver);
      return receiver;
    },
    async addFor(customer, input, events = ['new']) {
      const made = await world.addDestination({ name: `Destination ${crypto.randomUUID()}`, ...input });
      await world.addRule([made.destination.id], { search: `customer:"${customer}"`, events });
      return made;
    },
    post: async (body) => (await admin.postAlert(key, body)).id,
  };
}
