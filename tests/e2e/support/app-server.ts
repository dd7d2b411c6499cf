import type { BrowserContextOptions } from '@playwright/test';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { MAX_BULK_BATCH } from '#backend/contract/bulk.ts';
import type { Role } from '#backend/contract/session.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { type SignedInClient, clientWith, signIn } from '#scripts/demo/signed-in-client.ts';
import { type Message, bytesOf, json } from '#scripts/demo/webhook-request.ts';
import { ADMIN, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';
import { type Person, openAccounts } from './accounts.ts';

/** What a browser begins with. */
export type StorageState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

/** A running server as `npm start` runs it, with what a test needs to talk to it from outside. */
export interface AppServer extends ServerProcess {
  admin: SignedInClient;
  /** Key of a made-up sender. */
  apiKey: string;
  /** Adds a member to the stored accounts. */
  addMember(displayName: string, role?: Role): Promise<Person>;
  /** Starts a session of somebody's beside the sign-in form. */
  signIn(person: Person): Promise<SignedInClient>;
  /** Has the sessions of somebody be older than what counts as a proof of who they are. */
  forgetProofs(person: Person): Promise<void>;
  /** Has nobody have to have a second step. */
  requireNothing(): Promise<void>;
  /** Posts an alert as a sender does, and fails when it is not taken. Resolves at its 202, with its id. */
  post(body: unknown): Promise<string>;
  /** Posts what a sender of the demo says, with the key of the made-up sender. Resolves as `post` does. */
  deliver(message: Message): Promise<string>;
  inbox(): Promise<Alert[]>;
  /** The administrator's session, for a browser to begin with. */
  storageState(): StorageState;
  /** Deletes every alert, whoever has it. */
  clear(): Promise<void>;
}

/**
 * The server closes a connection that is idle for some seconds. A busy machine may notice that only after it has sent
 * the next request on it, which then fails, so each call gets a connection of its own.
 */
const ONE_CALL_A_CONNECTION = { connection: 'close' };

/**
 * Starts a server of its own on an empty embedded database.
 *
 * @param environment more variables for it
 * @param script what runs: as `npm start` does, or `backend/main.ts` without the web app
 */
export async function startAppServer(
  environment: Record<string, string> = {},
  script: 'scripts/start.ts' | 'backend/main.ts' = 'scripts/start.ts',
): Promise<AppServer> {
  const server = await startServerProcess({ script, environment });
  const { cookies } = await signIn(server.url, ADMIN);
  const admin = clientWith(server.url, cookies, ONE_CALL_A_CONNECTION, ADMIN.password);
  const { dispose } = server;
  const accounts = await openAccounts(server.dataDir);
  const { plainKey } = await admin.createApiKey('End-to-end tests');
  const list = async (name: 'inbox' | 'all') =>
    alertListSchema.parse(await (await admin.request('GET', `/api/alerts/${name}`)).json());

  const app: Omit<AppServer, Exclude<keyof ServerProcess, 'dispose'>> = {
    admin,
    apiKey: plainKey,
    addMember: (displayName, role = 'user') => accounts.add(displayName, role),
    signIn: async (person) =>
      clientWith(server.url, await accounts.startSession(person), ONE_CALL_A_CONNECTION, person.password),
    forgetProofs: ({ email }) => accounts.forgetProofs(email),
    requireNothing: () => accounts.requireNothing(),
    post: (body) => app.deliver(json(body)),
    async deliver(message) {
      const response = await fetch(new URL('/webhook', server.url), {
        method: 'POST',
        headers: { ...message.headers, 'x-webhook-auth': plainKey, ...ONE_CALL_A_CONNECTION },
        body: new Uint8Array(bytesOf(message)),
      });
      if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${await response.text()}`);
      return webhookReceiptSchema.parse(await response.json()).id;
    },
    inbox: () => list('inbox'),
    storageState: () => storageStateOf(server.url, admin),
    async clear() {
      // A page at a time: other tests may have left more than one.
      for (;;) {
        const ids = (await list('all')).map(({ id }) => id);
        if (ids.length === 0) return;
        for (let from = 0; from < ids.length; from += MAX_BULK_BATCH) {
          const batch = ids.slice(from, from + MAX_BULK_BATCH);
          const answer = await admin.request('POST', '/api/alerts/bulk', { action: 'delete', ids: batch });
          if (!answer.ok) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`);
        }
      }
    },
    async dispose() {
      await accounts.close();
      await dispose();
    },
  };
  // The server's own properties stay getters: its address is another after a restart.
  return Object.defineProperties(server, Object.getOwnPropertyDescriptors(app)) as AppServer;
}

/** A session's cookies, for a browser to begin with. */
export const storageStateOf = (url: URL, { cookies }: SignedInClient): StorageState => ({
  cookies: [...cookies].map(([name, value]) => ({
    name,
    value,
    domain: url.hostname,
    path: '/',
    expires: -1,
    httpOnly: name === 'sid',
    secure: false,
    sameSite: 'Lax',
  })),
  origins: [],
});
