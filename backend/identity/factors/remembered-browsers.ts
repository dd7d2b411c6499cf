import { type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { type RememberedBrowser, REMEMBERED_DAYS } from '#backend/contract/second-step.ts';
import type { User } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { prune } from '#backend/platform/database/prune.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { ReplyCookie } from '#backend/platform/endpoint/endpoint.ts';
import { deviceOf } from '#backend/identity/users/device-of.ts';
import { newToken, sessionIdOf } from '#backend/identity/users/session-tokens.ts';
import { RememberedBrowserEntity, type StoredRememberedBrowser } from './second-step-entities.ts';

const LIFETIME_SECONDS = REMEMBERED_DAYS * 24 * 60 * 60;

/** So many browsers of one member are remembered; then the one that was used longest ago is forgotten. */
const MAX_BROWSERS = 20;

type Account = Pick<User, 'id' | 'passwordChangedAt'>;

/** Of an account with its present password: another password, however it was set, leaves nothing remembered. */
const ofAccount = ({ id, passwordChangedAt }: Account) => ({
  userId: id,
  passwordChangedAt: passwordChangedAt ?? IsNull(),
});

/** The cookie's name: on https the `__Host-` prefix keeps other hosts of the domain from setting it. */
export const rememberedCookieName = (isSecure: boolean): string => (isSecure ? '__Host-remembered' : 'remembered');

/** Whether the browser with this cookie is spared the second step of this account. Notes that it was. */
export async function acceptRememberedBrowser(
  tx: Transaction,
  account: Account,
  token: string,
  now: number = Date.now(),
): Promise<boolean> {
  const { affected } = await tx
    .getRepository(RememberedBrowserEntity)
    .update({ ...ofAccount(account), tokenHash: sessionIdOf(token), expiresAt: MoreThan(now) }, { lastUsedAt: now });
  return affected === 1;
}

/** The same, without noting it: whether it is worth trying. */
export const isRemembered = (
  manager: EntityManager,
  account: Account,
  token: string | undefined,
  now: number = Date.now(),
): Promise<boolean> =>
  token
    ? manager
        .getRepository(RememberedBrowserEntity)
        .existsBy({ ...ofAccount(account), tokenHash: sessionIdOf(token), expiresAt: MoreThan(now) })
    : Promise.resolve(false);

/** Remembers a browser from now on. Returns its cookie. */
export async function rememberBrowser(
  tx: Transaction,
  account: Account,
  { ip, userAgent, isSecure }: { ip: string; userAgent: string; isSecure: boolean },
  now: number = Date.now(),
): Promise<ReplyCookie> {
  const token = newToken();
  const browsers = tx.getRepository(RememberedBrowserEntity);
  const kept = await browsers.find({
    where: { userId: account.id },
    order: { lastUsedAt: 'DESC', id: 'DESC' },
    select: { id: true },
    skip: MAX_BROWSERS - 1,
    take: MAX_BROWSERS,
  });
  if (kept.length > 0) await browsers.delete({ id: In(kept.map(({ id }) => id)) });
  await browsers.insert({
    id: newId(),
    userId: account.id,
    tokenHash: sessionIdOf(token),
    passwordChangedAt: account.passwordChangedAt,
    userAgent: userAgent.slice(0, 200).toWellFormed(),
    ip,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + LIFETIME_SECONDS * 1000,
  });
  return { name: rememberedCookieName(isSecure), value: token, httpOnly: true, maxAgeSeconds: LIFETIME_SECONDS };
}

/** The browsers that are spared the second step of this account, the last used first. */
export async function listRememberedBrowsers(
  manager: EntityManager,
  account: Account,
  token: string | undefined,
): Promise<RememberedBrowser[]> {
  const rows = await manager.getRepository(RememberedBrowserEntity).find({
    where: { ...ofAccount(account), expiresAt: MoreThan(Date.now()) },
    order: { lastUsedAt: 'DESC', id: 'DESC' },
  });
  return rows.map((row) => present(row, token));
}

const present = (row: StoredRememberedBrowser, token: string | undefined): RememberedBrowser => ({
  id: row.id,
  browser: deviceOf(row.userAgent),
  ip: row.ip,
  createdAt: new Date(row.createdAt).toISOString(),
  lastUsedAt: new Date(row.lastUsedAt).toISOString(),
  expiresAt: new Date(row.expiresAt).toISOString(),
  isThisBrowser: token !== undefined && sessionIdOf(token) === row.tokenHash,
});

/** Forgets one browser of a member, or all without `id`. Returns how many were forgotten. */
export async function forgetBrowsers(tx: Transaction, userId: string, id?: string): Promise<number> {
  const { affected } = await tx
    .getRepository(RememberedBrowserEntity)
    .delete({ userId, ...(id !== undefined && { id }) });
  return affected ?? 0;
}

/** Deletes browsers that are not remembered any more. @param now see `SteadyClock` */
export const pruneBrowsers = (
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  stopping: AbortSignal,
  now: number,
) => prune(database, { table: 'remembered_browsers', column: 'expires_at' }, now, stopping);
