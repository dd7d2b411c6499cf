import { commandLine } from '#backend/platform/logger/command-line.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { startRepeating } from '#backend/platform/database/repeat.ts';
import { unavailable } from '#backend/platform/endpoint/errors.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type Sealing, createSealing, newSealingKey } from './sealing.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { type SecretStore, createTableSecretStore } from './secret-store.ts';

/** Name of the key that is kept with the other generated secrets: on MySQL in the database that it seals. */
export const INSIDE_KEY = 'SOURCE_SECRETS_KEY';

/** Name of a text in the database that is sealed under the key that seals now. */
export const SEALING_CHECK = 'SEALING_CHECK';
const CHECKED = 'alertdesk';

/** Name of the texts of keys inside that others replaced, between spaces: the file of one of them may be put back. */
const EARLIER_CHECKS = 'EARLIER_SEALING_CHECKS';
const MAX_EARLIER = 5;

/** What is lost with the key, as people call it. */
export const SEALED_THINGS =
  'second steps, signing secrets, queued mails, and the secrets of destinations, own channels, calendars and silences';

/** How often servers look under which key they are to seal, in milliseconds. */
export const FOLLOW_MS = 5_000;

/** Where a key is kept: with the generated secrets, or in the configuration. */
export type KeyPlace = 'inside' | 'outside';

interface SecretsKey {
  place: KeyPlace;
  sealing: Sealing;
}

/**
 * Seals under one key and opens under each that is configured. The database says which one seals, so that servers that are
 * restarted in turn with another key go on together until a command changes it for all.
 */
export interface Keyring extends Sealing {
  /** Where the key is kept that seals. */
  place(): KeyPlace;
  /** Whether that is the database which it seals. Beside an embedded one it is in a file of its own, which no backup has. */
  isInDatabase(): boolean;
  /** Whether this is sealed under the key that seals. @throws {Error} when none of the keys opens it */
  isCurrent(sealed: string, owner: string): boolean;
  /** Has every server seal under the first key outside, from now on and within {@link FOLLOW_MS}. */
  moveOutside(): Promise<void>;
  stop(): Promise<void>;
}

/** What the configuration says about keys. */
export interface KeyringConfig {
  /** Keys outside the database that seal secrets, in base64url, the newest first. */
  secretsKeys: readonly string[];
  /** `mysql://…`, or undefined for the embedded database. */
  databaseUrl: string | undefined;
}

/** What opening the keyring takes. */
export type KeyringDeps = {
  config: KeyringConfig;
  database: Database;
  /** Where generated secrets are kept. */
  store: SecretStore;
  logger: Pick<Logger, 'warn' | 'error'>;
  /** How often the keyring looks which key seals, in milliseconds; default: as in production. */
  followMs?: number;
};

/** @throws {StartError} when the database's secrets are sealed under a key that is not here. Nothing is changed then. */
export async function openKeyring({
  config,
  database,
  store,
  logger,
  followMs = FOLLOW_MS,
}: KeyringDeps): Promise<Keyring> {
  const checks = createTableSecretStore(database);
  const [stored, inside] = [await checks.get(SEALING_CHECK), await store.get(INSIDE_KEY)];
  const isEmbedded = config.databaseUrl === undefined;
  const isLost = isEmbedded && inside === undefined && stored !== undefined && isInside(stored);
  const keys = keysOutside(config);
  // An installation that has none yet makes one where it is to be; one whose key is outside makes no other.
  const isMade = keys.length === 0 && (stored === undefined || isLost);
  const own = inside ?? (isMade ? await store.getOrCreate(INSIDE_KEY, newSealingKey) : undefined);
  if (own !== undefined) keys.push({ place: 'inside', sealing: createSealing(own) });
  const [wanted, kept] = [keys[0], keys.at(-1)];
  if (!wanted || !kept) throw wrongKey(config, stored);

  if (isLost) {
    logger.warn(`secrets.json was replaced: what was sealed under its key (${SEALED_THINGS}) cannot be opened`);
    await keepEarlier(checks, stored);
    await checks.remove(SEALING_CHECK);
  }
  const returned = await findReturned(checks, keys, stored);
  if (returned !== undefined && stored !== undefined) {
    logger.warn(
      `an earlier secrets.json was put back: what was sealed under the key of the one in between (${SEALED_THINGS}) cannot be opened`,
    );
    await keepEarlier(checks, stored);
    await checks.put(SEALING_CHECK, returned);
  }
  // What is there is sealed under the key inside until the command moves it.
  const check = await checks.getOrCreate(SEALING_CHECK, () => checkOf(kept.place === 'inside' ? kept : wanted));
  const found = keyOf(keys, check);
  if (!found) throw wrongKey(config, check);
  let current: SecretsKey | undefined = found;
  const isInDatabase = () => current?.place === 'inside' && !isEmbedded;
  if (isInDatabase()) {
    logger.warn(
      `the key that seals secrets lies in the database that it seals; set SECRETS_KEY or SECRETS_KEY_FILE, and run ${commandLine('secrets-key', 'rotate')}`,
    );
  }

  let isFailing = false;
  const following = startRepeating(
    async () => {
      const is = await checks.get(SEALING_CHECK);
      const next = is === undefined ? undefined : keyOf(keys, is);
      if (!next && current)
        logger.error(
          'secrets are sealed under a key that this server does not have; give it SECRETS_KEY and restart it',
        );
      current = next;
      isFailing = false;
    },
    {
      intervalMs: followMs,
      onError: (error) => {
        if (!isFailing)
          logger.warn(
            { err: error },
            'it could not be read under which key secrets are sealed; the next attempt follows',
          );
        isFailing = true;
      },
    },
  );
  const sealingKey = (): SecretsKey => {
    // What it sealed, nobody could open.
    if (!current) throw unavailable('The key of the secrets was changed; this server has to be restarted with it.', 30);
    return current;
  };
  return {
    place: () => current?.place ?? 'outside',
    isInDatabase,
    seal: (text, owner) => sealingKey().sealing.seal(text, owner),
    open: (sealed, owner) => openWith(keys, sealed, owner),
    isCurrent(sealed, owner) {
      if (isOpenedBy(sealingKey(), sealed, owner)) return true;
      openWith(keys, sealed, owner);
      return false;
    },
    async moveOutside() {
      await checks.put(SEALING_CHECK, checkOf(wanted));
      current = wanted;
    },
    stop: () => following.stop(),
  };
}

/**
 * Where the key is kept that seals, without changing anything.
 *
 * @throws {StartError} when it is not here
 */
export async function findKeyPlace({ config, database, store }: Omit<KeyringDeps, 'logger'>): Promise<KeyPlace> {
  const checks = createTableSecretStore(database);
  const [stored, inside] = [await checks.get(SEALING_CHECK), await store.get(INSIDE_KEY)];
  const keys = keysOutside(config);
  if (inside !== undefined) keys.push({ place: 'inside', sealing: createSealing(inside) });
  // Without a text to compare with, the next start makes one.
  if (stored === undefined) return keys.at(-1)?.place ?? 'inside';
  const found = keyOf(keys, stored);
  if (found) return found.place;
  if ((await findReturned(checks, keys, stored)) !== undefined) return 'inside';
  if (inside === undefined && config.databaseUrl === undefined && isInside(stored)) {
    throw new StartError(
      `secrets.json with the key of the secrets is missing in DATA_DIR; put it back, or go on without what is sealed under its key (${SEALED_THINGS}).`,
    );
  }
  throw wrongKey(config, stored);
}

const keysOutside = ({ secretsKeys }: KeyringConfig): SecretsKey[] =>
  secretsKeys.map((key) => ({ place: 'outside', sealing: createSealing(key) }));

const isInside = (check: string): boolean => check.startsWith('inside:');

const earlierChecks = async (checks: SecretStore): Promise<string[]> =>
  (await checks.get(EARLIER_CHECKS))?.split(' ') ?? [];

/** Records the text of a key that another one replaces, before it is replaced. */
async function keepEarlier(checks: SecretStore, check: string): Promise<void> {
  const all = new Set([check, ...(await earlierChecks(checks))]);
  await checks.put(EARLIER_CHECKS, [...all].slice(0, MAX_EARLIER).join(' '));
}

/** The text of an earlier key inside that is here again, while the one that replaced it is not. */
async function findReturned(
  checks: SecretStore,
  keys: readonly SecretsKey[],
  stored: string | undefined,
): Promise<string | undefined> {
  if (stored === undefined || !isInside(stored) || keyOf(keys, stored)) return undefined;
  return (await earlierChecks(checks)).find((check) => keyOf(keys, check));
}

const checkOf = ({ place, sealing }: SecretsKey): string => `${place}:${sealing.seal(CHECKED, SEALING_CHECK)}`;

const keyOf = (keys: readonly SecretsKey[], check: string): SecretsKey | undefined =>
  keys.find((key) => isOpenedBy(key, check.slice(check.indexOf(':') + 1), SEALING_CHECK));

const isOpenedBy = ({ sealing }: SecretsKey, sealed: string, owner: string): boolean => {
  try {
    sealing.open(sealed, owner);
    return true;
  } catch {
    return false;
  }
};

function openWith(keys: readonly SecretsKey[], sealed: string, owner: string): string {
  const key = keys.find((one) => isOpenedBy(one, sealed, owner));
  if (!key) throw new Error('A sealed secret was changed, or sealed under a key that is not here.');
  return key.sealing.open(sealed, owner);
}

/** Which key is missing, and where it is to be found. */
function wrongKey({ secretsKeys, databaseUrl }: KeyringDeps['config'], check: string | undefined): StartError {
  if (secretsKeys.length > 0) {
    return new StartError(
      'The secrets of this database are sealed under another key than SECRETS_KEY or SECRETS_KEY_FILE has; set the right one, or name both.',
    );
  }
  return new StartError(
    databaseUrl === undefined && check !== undefined && isInside(check)
      ? `The secrets of this database are sealed under the key of another secrets.json; copy that file into DATA_DIR, or remove the one that is there, to go on without what is sealed under it (${SEALED_THINGS}).`
      : 'The secrets of this database are sealed under a key that is kept outside it; set SECRETS_KEY or SECRETS_KEY_FILE to that key.',
  );
}

/** How a sealed value of the store begins. */
const SEALED = 'sealed:';
const ownerOf = (name: string): string => `secret:${name}`;

/** The value as it is to be stored: sealed where the key is outside. */
export const protectSecret = (keyring: Keyring, name: string, value: string): string =>
  keyring.place() === 'outside' ? SEALED + keyring.seal(value, ownerOf(name)) : value;

/** A stored value as it is. */
export const revealSecret = (keyring: Keyring, name: string, stored: string): string =>
  stored.startsWith(SEALED) ? keyring.open(stored.slice(SEALED.length), ownerOf(name)) : stored;

/** Whether a stored value is as {@link protectSecret} would store it now. */
export const isProtected = (keyring: Keyring, name: string, stored: string): boolean =>
  stored.startsWith(SEALED)
    ? keyring.isCurrent(stored.slice(SEALED.length), ownerOf(name))
    : keyring.place() === 'inside';

/** Names that say how everything else is sealed. */
export const isOfKeyring = (name: string): boolean => [INSIDE_KEY, SEALING_CHECK, EARLIER_CHECKS].includes(name);

/** The generated secrets in the database, sealed where the key is outside. */
export const createSealedStore = (store: SecretStore, keyring: Keyring): SecretStore => ({
  ...store,
  async get(name) {
    const stored = await store.get(name);
    return stored === undefined ? undefined : revealSecret(keyring, name, stored);
  },
  getOrCreate: async (name, make) =>
    revealSecret(keyring, name, await store.getOrCreate(name, () => protectSecret(keyring, name, make()))),
  put: (name, value) => store.put(name, protectSecret(keyring, name, value)),
});
