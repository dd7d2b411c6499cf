import {
  type SecretStore,
  createFileSecretStore,
  createTableSecretStore,
} from '#backend/platform/secrets/secret-store.ts';
import { chosenAs } from '#backend/outgoing/mails/unsubscribe.ts';
import { type Sealing, createSealing, newSealingKey } from '#backend/platform/secrets/sealing.ts';
import type { TestServer } from './test-server.ts';

/** What a server encrypts with: for tests that read what it has queued, or make what it takes. */
export async function sealingOf({ config, database }: Pick<TestServer, 'config' | 'database'>): Promise<Sealing> {
  const secrets: SecretStore =
    config.databaseUrl === undefined ? createFileSecretStore(config.dataDir) : createTableSecretStore(database);
  return createSealing(await secrets.getOrCreate('SOURCE_SECRETS_KEY', newSealingKey));
}

/** A path of this server that ends the digests of a member. */
export async function unsubscribePath(server: Pick<TestServer, 'config' | 'database'>, userId: string) {
  const config = { ...server.config, publicUrl: new URL('http://127.0.0.1') };
  const { pathname, search } = new URL(
    chosenAs({ config, sealing: await sealingOf(server) }, 'digest', userId).unsubscribeUrl,
  );
  return pathname + search;
}
