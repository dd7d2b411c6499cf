import { RateLimiterRes } from 'rate-limiter-flexible';
import { consume, networkOf, type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { WrongCredential } from '#backend/platform/endpoint/errors.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { addAudit, authorOf } from './audit-log.ts';
import { type CountedEntries, type CountedEntry, createCountedEntries } from './counted-entries.ts';

/** What one member repeats is counted for so long, in milliseconds. */
const MEMBER_MS = 60_000;

const HOUR_SECONDS = 60 * 60;

/** Different tokens and links of one network, at all servers together, that are entries of their own in an hour. */
const PER_NETWORK = 20;

/** The same of all networks together, at one server. */
const OF_ALL_NETWORKS = 500;

/** How often entries are looked through for those whose time is over, in milliseconds. */
export const COUNTED_FLUSH_MS = 5_000;

/** What a member was refused: the declared route, and the path that they asked for. */
export interface RefusedCall {
  method: string;
  route: string;
  path: string;
}

/** Part of the audit trail that is bounded, because people and strangers repeat it as often as they like. */
export interface CountedAudit {
  /** A member was denied a call. @throws when it could not be written */
  denied(actor: Actor, ip: string, call: RefusedCall): Promise<void>;
  /** What a member did repeats within a minute: they are counted in one more entry. @throws when it could not be written */
  repeated(key: string, entry: CountedEntry): Promise<void>;
  /** A token or a link was not accepted. It is answered also when this cannot be written. */
  refused(credential: WrongCredential, ip: string): Promise<void>;
  /** What a member reads: an entry in an hour for each key. It is read also when this cannot be written. */
  read(actor: Actor, key: string, entry: CountedEntry): Promise<void>;
  /** Writes how often it was repeated where the time is over; before a stop everywhere, where a failure is only logged. */
  flush(isStopping?: boolean): Promise<void>;
}

/** @param shared where servers count together */
export function createCountedAudit(
  { database, logger }: { database: Pick<Database, 'dialect' | 'transaction'>; logger: Logger },
  shared: SharedCounts | undefined,
): CountedAudit {
  const members = createCountedEntries(database, MEMBER_MS);
  const strangers = createCountedEntries(database, HOUR_SECONDS * 1_000);
  const networks = createLimiter('audit-credentials', PER_NETWORK, HOUR_SECONDS, shared);
  const readings = createLimiter('audit-readings', 1, HOUR_SECONDS, shared);
  const logFailure = (error: unknown) => logger.error({ err: error }, 'an audit entry could not be written');

  /** What brings nobody an entry of its own any more is counted of its network, or of all of them. */
  const isNoticed = async (key: string, network: string): Promise<boolean | 'others'> => {
    if (strangers.has(key)) return true;
    // First, so that strangers with many addresses fill no memory either.
    if (strangers.size >= OF_ALL_NETWORKS) return strangers.has(restOf(network)) ? false : 'others';
    return (await consume(networks, network)) instanceof RateLimiterRes;
  };

  return {
    denied(actor, ip, { method, route, path }) {
      const entry = { author: authorOf(actor, ip), action: 'refused', subject: `${method} ${path}` } as const;
      return members.add(`${readerOf(actor)} ${method} ${route}`, entry);
    },
    repeated: (key, entry) => members.add(key, entry),
    async refused({ action, mark, reason, subject, owner }, ip) {
      const network = networkOf(ip);
      const author = owner ? { ...owner, ip } : { ...NOBODY, ip };
      try {
        const key = `${network} ${mark}`;
        const noticed = await isNoticed(key, network);
        if (noticed === true) {
          await strangers.add(key, { author, action, subject: subject ?? null, detail: reason });
        } else if (noticed === false) {
          const detail = 'more from this network within the hour';
          await strangers.add(restOf(network), { author: { ...NOBODY, ip }, action, detail }, true);
        } else {
          const detail = 'more from other networks within the hour';
          await strangers.add(restOf('others'), { author: { ...NOBODY, ip: null }, action, detail }, true);
        }
      } catch (error) {
        logFailure(error);
      }
    },
    async read(actor, key, { author, action, subject, detail }) {
      const reading = `${readerOf(actor)} ${key}`;
      if (!((await consume(readings, reading)) instanceof RateLimiterRes)) return;
      await database
        .transaction((tx) => addAudit(tx, author, action, subject, { detail }))
        .catch(async (error: unknown) => {
          logFailure(error);
          // So that the next one is written.
          await readings.delete(reading);
        });
    },
    async flush(isStopping = false) {
      const written = flushBoth(members, strangers, isStopping);
      await (isStopping ? written.catch(logFailure) : written);
    },
  };
}

const NOBODY = { id: null, name: 'somebody unknown' };

const restOf = (network: string): string => `${network} rest`;

/** Of each of a member's tokens by itself, so that an entry names the one that acts. */
const readerOf = ({ id, tokenScope, sessionId }: Actor): string => `${id} ${tokenScope ? sessionId : ''}`;

/** The second also when the first fails. */
async function flushBoth(one: CountedEntries, other: CountedEntries, isStopping: boolean): Promise<void> {
  const results = await Promise.allSettled([one.flush(isStopping), other.flush(isStopping)]);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
