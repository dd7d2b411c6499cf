import { In, type EntityManager } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';
import { tooMany, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { aliasOf, isAcknowledged, isClosed, lastOccurredAtOf, messageOf, presentBase, updatedAtOf } from './present.ts';
import { readQuery } from './query.ts';
import { MAX_SEARCHED, type ReadAlert, findNewestIds, readAlerts } from './read-alerts.ts';

/** Alerts that are read at a time: others have their turn between two. */
const STEP = 200;

/** Lists and counts that are made at a time by one server. */
const AT_ONCE = 4;

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** By what lists are sorted. */
const SORTS: Readonly<Record<string, (alert: ReadAlert) => number | string>> = {
  createdAt: ({ receivedAt }) => receivedAt,
  tinyId: ({ id }) => id,
  updatedAt: updatedAtOf,
  lastOccurredAt: lastOccurredAtOf,
  snoozedUntil: ({ snoozedUntil }) => snoozedUntil ?? 0,
  alias: aliasOf,
  message: messageOf,
  count: ({ occurrences }) => occurrences,
  status: (alert) => Number(isClosed(alert)),
  acknowledged: (alert) => Number(isAcknowledged(alert)),
  snoozed: ({ snoozedUntil }) => Number(snoozedUntil !== null),
};

/** A whole number of a query. @throws {ProblemError} 422 for anything else */
export const numberOf = (
  query: URLSearchParams,
  name: string,
  least: number,
  most: number,
  otherwise: number,
): number => {
  const text = query.get(name);
  if (text === null || text === '') return otherwise;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw unacceptable(`${name} is a whole number from ${least} to ${most}.`);
};

/** E-mail addresses of the owners of these alerts, by their ids. */
export async function findOwners(
  reads: EntityManager,
  alerts: readonly Pick<ReadAlert, 'ownerId'>[],
): Promise<Map<string, string>> {
  const ids = [...new Set(alerts.flatMap(({ ownerId }) => ownerId ?? []))];
  if (ids.length === 0) return new Map();
  const users = await reads
    .getRepository(UserEntity)
    .find({ select: { id: true, email: true }, where: { id: In(ids) } });
  return new Map(users.map(({ id, email }) => [id, email]));
}

/** Lists and counts the alerts of a source. @param maxEntries how many entries of each status are read, of whatever source */
export function createLister(reads: EntityManager, maxEntries?: number) {
  let active = 0;

  /** Calls `onMatch` for each alert that is searched for, the newest first, until it returns false. */
  const search = async (
    source: Pick<KnownSource, 'id'>,
    text: string,
    onMatch: (alert: ReadAlert) => boolean,
  ): Promise<void> => {
    const { matches, isOpenOnly } = readQuery(text);
    if (active >= AT_ONCE) throw tooMany('Too many lists are being made. Ask again.', 1);
    active += 1;
    try {
      const { ids, isComplete } = await findNewestIds(reads, source.id, !isOpenOnly, maxEntries);
      for (let at = 0; at < Math.min(ids.length, MAX_SEARCHED); at += STEP) {
        for (const alert of await readAlerts(reads, source.id, ids.slice(at, at + STEP))) {
          if (matches(alert) && !onMatch(alert)) return;
        }
        await new Promise(setImmediate);
      }
      if (ids.length > MAX_SEARCHED) throw tooManyAlerts();
      if (!isComplete) throw tooManyOthers();
    } finally {
      active -= 1;
    }
  };

  return {
    async list(source: KnownSource, query: URLSearchParams, pageUrl: (offset: number) => string) {
      refuseSavedSearch(query);
      const limit = numberOf(query, 'limit', 1, MAX_LIMIT, DEFAULT_LIMIT);
      const offset = numberOf(query, 'offset', 0, MAX_SEARCHED - limit, 0);
      const sort = query.get('sort') || 'createdAt';
      const order = query.get('order') || 'desc';
      const read = Object.hasOwn(SORTS, sort) ? SORTS[sort] : undefined;
      if (!read)
        throw unacceptable(
          `Alerts cannot be sorted by ${sort.slice(0, 40)}. Sort by one of ${Object.keys(SORTS).join(', ')}.`,
        );
      if (order !== 'asc' && order !== 'desc') throw unacceptable('order is asc or desc.');
      const wanted = offset + limit;
      // The newest come first by themselves: the page and one more are enough.
      const isAsRead = sort === 'createdAt' && order === 'desc';
      const found: ReadAlert[] = [];
      await search(source, query.get('query') ?? '', (alert) => {
        found.push(alert);
        return !isAsRead || found.length <= wanted;
      });
      if (!isAsRead) {
        const sign = order === 'asc' ? 1 : -1;
        found.sort((one, other) => sign * compare(read(one), read(other)));
      }
      const page = found.slice(offset, wanted);
      const owners = await findOwners(reads, page);
      return {
        data: page.map((alert) => presentBase(alert, source, owners)),
        paging: {
          ...(offset > 0 && { prev: pageUrl(Math.max(0, offset - limit)) }),
          ...(found.length > wanted && wanted + limit <= MAX_SEARCHED && { next: pageUrl(wanted) }),
          first: pageUrl(0),
        },
      };
    },
    async count(source: Pick<KnownSource, 'id'>, query: URLSearchParams): Promise<number> {
      refuseSavedSearch(query);
      let count = 0;
      await search(source, query.get('query') ?? '', () => {
        count += 1;
        return true;
      });
      return count;
    },
  };
}

const compare = (one: number | string, other: number | string): number => (one < other ? -1 : one > other ? 1 : 0);

const tooManyAlerts = () =>
  unacceptable(
    `This source has more than ${MAX_SEARCHED.toLocaleString('en')} alerts to look at. Narrow the query, such as with status: open.`,
  );

const tooManyOthers = () =>
  unacceptable(
    'There are too many alerts of all sources to find every one of this source. Ask for fewer of the newest, or narrow the query, such as with status: open.',
  );

function refuseSavedSearch(query: URLSearchParams): void {
  if (query.get('searchIdentifier')) throw unacceptable('Saved searches are not supported. Send the query itself.');
}
