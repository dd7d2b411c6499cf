import type { BrowserContextOptions } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { createPasswords } from '#backend/accounts/passwords.ts';
import { UserEntity } from '#backend/accounts/user-entity.ts';
import { emailKey } from '#backend/accounts/user-store.ts';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import type { Role } from '#backend/contract/session.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { openDatabase } from '#backend/database/open-database.ts';
import { type SignedInClient, signIn } from '#scripts/demo/signed-in-client.ts';
import { ADMIN, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';

/** Somebody who can sign in. */
export interface Person {
  email: string;
  password: string;
  displayName: string;
}

type StorageState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

/** bcrypt's lowest work factor, for members whom tests make. */
const PASSWORD_COST = 4;

/** A running server as `npm start` runs it, with what a test needs to talk to it from outside. */
export interface AppServer extends ServerProcess {
  admin: SignedInClient;
  /** Key of a made-up sender. */
  apiKey: string;
  /** Adds a member to the stored accounts. */
  addMember(displayName: string, role?: Role): Promise<Person>;
  /** Posts an alert as a sender does, and fails when it is not taken. Resolves at its 202, with its id. */
  post(body: unknown): Promise<string>;
  inbox(): Promise<Alert[]>;
  /** The administrator's session, for a browser to begin with. */
  storageState(): StorageState;
  /** Deletes every alert, whoever has it. */
  clear(): Promise<void>;
}

/** Starts a server of its own on an empty embedded database; `environment` holds more variables for it. */
export async function startAppServer(environment: Record<string, string> = {}): Promise<AppServer> {
  const server = await startServerProcess({ script: 'scripts/start.ts', environment });
  const admin = await signIn(server.url, ADMIN);
  const { plainKey } = await admin.createApiKey('End-to-end tests');
  const list = async (name: 'inbox' | 'all') =>
    alertListSchema.parse(await (await admin.request('GET', `/api/alerts/${name}`)).json());

  const app: Omit<AppServer, keyof ServerProcess> = {
    admin,
    apiKey: plainKey,
    addMember: (displayName, role = 'user') => addMember(server.dataDir, displayName, role),
    async post(body) {
      const response = await fetch(new URL('/webhook', server.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-webhook-auth': plainKey },
        body: JSON.stringify(body),
      });
      if (response.status !== 202) throw new Error(`The webhook answered ${response.status}: ${await response.text()}`);
      return webhookReceiptSchema.parse(await response.json()).id;
    },
    inbox: () => list('inbox'),
    storageState: () => storageStateOf(server.url, admin),
    async clear() {
      const alerts = await list('all');
      await Promise.all(alerts.map(({ id }) => admin.request('DELETE', `/api/webhooks/${id}`)));
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

async function addMember(dataDir: string, displayName: string, role: Role): Promise<Person> {
  const person = { email: `${uuidv7()}@example.org`, password: 'only for tests', displayName };
  const database = await openDatabase({ dataDir, databaseUrl: undefined });
  try {
    await database.transaction(async (tx) =>
      tx.getRepository(UserEntity).insert({
        id: uuidv7(),
        email: person.email,
        emailKey: emailKey(person.email),
        displayName,
        role,
        isActive: true,
        passwordHash: await createPasswords(PASSWORD_COST).hash(person.password),
        passwordChangedAt: null,
        createdAt: Date.now(),
      }),
    );
  } finally {
    await database.close();
  }
  return person;
}
