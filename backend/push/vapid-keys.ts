import webPush from 'web-push';
import type { Config, VapidKeys } from '#backend/config.ts';
import type { SecretStore } from '#backend/secrets/secret-store.ts';
import { StartError } from '#backend/start-error.ts';

/** Both keys are kept as one value: two servers that start at once must not each store half of a pair. */
const SECRET_NAME = 'VAPID_KEYS';

/**
 * The pair that the environment names, else the one that was generated at the first start.
 *
 * @throws {StartError} when what is kept is not a pair.
 */
export async function loadVapidKeys(secrets: SecretStore, config: Pick<Config, 'vapidKeys'>): Promise<VapidKeys> {
  if (config.vapidKeys) return config.vapidKeys;
  const kept = await secrets.getOrCreate(SECRET_NAME, () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    return `${publicKey}.${privateKey}`;
  });
  const [, publicKey, privateKey] = /^(B[\w-]{86})\.([\w-]{43})$/.exec(kept) ?? [];
  if (publicKey === undefined || privateKey === undefined) {
    throw new StartError(`The secret ${SECRET_NAME} is damaged. Restore it, or remove it to make a new pair.`);
  }
  return { publicKey, privateKey };
}
