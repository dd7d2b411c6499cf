import { hash } from 'node:crypto';
import { type EntityManager, IsNull, LessThan, Not } from 'typeorm';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { newToken } from '#backend/identity/users/session-tokens.ts';
import { CeremonyEntity, type CeremonyKind, type StoredCeremony } from './second-step-entities.ts';

/** How long each kind may take, in milliseconds. */
const LIFETIME_MS: Record<CeremonyKind, number> = {
  sign_in: 10 * 60_000,
  totp: 15 * 60_000,
  new_passkey: 5 * 60_000,
  passkey_sign_in: 5 * 60_000,
  passkey_second_step: 5 * 60_000,
  proof: 5 * 60_000,
  oidc: 10 * 60_000,
  oidc_app: 2 * 60_000,
  // Not begun as the others: the names of logout tokens that were accepted.
  oidc_logout: 6 * 60_000,
};

/** Clocks of two servers may differ by so much, in milliseconds. */
const CLOCK_TOLERANCE_MS = 30_000;

/** A pending sign-in's cookie lives as long as its row, in seconds. */
export const PENDING_SIGN_IN_SECONDS = LIFETIME_MS.sign_in / 1000;

/** Likewise the cookie of the browser that signs in at a provider. */
export const PROVIDER_SIGN_IN_SECONDS = LIFETIME_MS.oidc / 1000;

/** What is stored of a ceremony's token or challenge. */
export const ceremonyIdOf = (token: string): string => hash('sha256', token);

type NewCeremony = Pick<StoredCeremony, 'kind'> &
  Partial<Pick<StoredCeremony, 'userId' | 'boundTo' | 'data' | 'details'>>;

/**
 * Begins a ceremony in a transaction, and removes those that ran out. Returns its token: 256 random bits in base64url,
 * which is stored by its hash only.
 */
export async function beginCeremony(
  tx: Transaction,
  { kind, userId = null, boundTo = null, data = null, details = null }: NewCeremony,
  now: number = Date.now(),
): Promise<string> {
  const token = newToken();
  const ceremonies = tx.getRepository(CeremonyEntity);
  await ceremonies.delete({ expiresAt: LessThan(now) });
  const expiresAt = now + LIFETIME_MS[kind];
  await ceremonies.insert({ id: ceremonyIdOf(token), kind, userId, boundTo, data, details, expiresAt });
  return token;
}

/** The ceremony of this kind with this token; undefined when there is none, or it ran out. */
export async function findCeremony(
  manager: EntityManager,
  kind: CeremonyKind,
  token: string | undefined,
  now: number = Date.now(),
): Promise<StoredCeremony | undefined> {
  if (!token) return undefined;
  const found = await manager.getRepository(CeremonyEntity).findOneBy({ id: ceremonyIdOf(token), kind });
  // A clock that was set back does not make it live longer. That of the server that began it may be a little ahead.
  const isLive = found && found.expiresAt >= now && found.expiresAt <= now + LIFETIME_MS[kind] + CLOCK_TOLERANCE_MS;
  return isLive ? found : undefined;
}

/** Ends a ceremony for good. False when somebody else has ended it: of two at once, one gets it. */
export async function endCeremony(tx: Transaction, { id }: Pick<StoredCeremony, 'id'>): Promise<boolean> {
  const { affected } = await tx.getRepository(CeremonyEntity).delete({ id });
  return affected === 1;
}

/** Ends sign-ins whose second step is due after a provider: it vouches for the member no more. */
export const endProviderSignIns = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.getRepository(CeremonyEntity).delete({ kind: 'sign_in', userId, details: Not(IsNull()) });

/**
 * Finds and ends a ceremony, whatever comes of it afterwards. Who does not match it leaves it as it is.
 *
 * @param holder the member and what the ceremony is bound to
 */
export async function takeCeremony(
  database: Pick<Database, 'reads' | 'transaction'>,
  kind: CeremonyKind,
  token: string | undefined,
  holder: Pick<StoredCeremony, 'userId' | 'boundTo'>,
): Promise<StoredCeremony | undefined> {
  const found = await findCeremony(database.reads, kind, token);
  if (!found || found.userId !== holder.userId || found.boundTo !== holder.boundTo) return undefined;
  return (await database.transaction((tx) => endCeremony(tx, found))) ? found : undefined;
}
