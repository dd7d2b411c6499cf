import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { type StorageState, storageStateOf } from '#tests/e2e/support/app-server.ts';
import { startEmbeddedServer } from '#tests/support/embedded-server.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { APP_FOLDER } from './desktop.ts';

/**
 * The data of a server on this computer that was used before: its database with an administrator, who is signed in, and
 * an API key. A copy starts in half the time of an empty folder, which gets its tables and a first administrator.
 */
export interface UsedServer {
  /** The administrator's session, good for every copy. */
  cookies: StorageState['cookies'];
  /** Copies the database into an app's data folder. */
  copyTo(userData: string): Promise<void>;
  /** Posts an alert to a running copy, as a system outside does. Resolves with the alert's id. */
  post(origin: string, body: object): Promise<string>;
  dispose(): Promise<void>;
}

/** Starts the server that ships with the app once, signs in, and stops it. */
export async function makeUsedServer(): Promise<UsedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-used-server-'));
  const server = await startEmbeddedServer(join(APP_FOLDER, 'server'), {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    DRAIN_SECONDS: '0',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  if (server.report.type !== 'listening') throw new Error(server.report.message);
  const url = new URL(server.report.url);
  const admin = await signIn(url, ADMIN);
  const { plainKey } = await admin.createApiKey('Desktop specs');
  const { cookies } = storageStateOf(url, admin);
  await server.stop();
  return {
    cookies,
    copyTo: (userData) => cp(dataDir, join(userData, 'server'), { recursive: true }),
    async post(origin, body) {
      const response = await fetch(new URL('/webhook', origin), {
        method: 'POST',
        // A kept connection may be closed by the server in the moment in which a busy machine uses it again.
        headers: { 'content-type': 'application/json', 'x-webhook-auth': plainKey, connection: 'close' },
        body: JSON.stringify(body),
      });
      return webhookReceiptSchema.parse(await response.json()).id;
    },
    dispose: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Adds `settings` to those that the app remembers in `userData`. */
export async function changeSettings(userData: string, settings: object): Promise<void> {
  await mkdir(userData, { recursive: true });
  const file = join(userData, 'desktop.json');
  const before = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as object;
  await writeFile(file, JSON.stringify({ ...before, ...settings }));
}
