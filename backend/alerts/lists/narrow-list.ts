import type { EntityManager } from 'typeorm';
import { emailKey } from '#backend/identity/users/user.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import {
  type AlertFacetsQuery,
  type AlertFilter,
  type AlertListQuery,
  MAX_FILTER_SOURCES,
} from '#backend/contract/alert-query.ts';
import { type AlertList, type ListPlace, ownPlaces } from '#backend/contract/alert-place.ts';
import { type ParsedSearch, type SearchKey, isSourceId, parseSearch } from '#backend/contract/search.ts';
import type { SeverityCountsQuery } from '#backend/contract/severity-counts.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { idsBetween } from '#backend/platform/database/id-times.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { type ProblemError, malformed, notAllowed } from '#backend/platform/endpoint/errors.ts';
import { seesEverything } from '#backend/alerts/alert/alert.ts';
import { type Condition, isOneOf } from '#backend/platform/database/conditions.ts';
import { type NarrowedList, partsOf } from '#backend/alerts/alert/alert-list.ts';
import { labelsStored } from './stored-labels.ts';

type Narrowing = AlertFilter & Pick<AlertListQuery, 'q' | 'search' | 'timeZone'>;
type Reads = Pick<Database, 'reads' | 'dialect'>;

/**
 * Members, names of customers or of types, and labels that one search stands for at most. Each is a range of an index of its own,
 * which are read together: SQLite joins 500 at most.
 */
const MAX_MEMBERS = 25;
const MAX_NAMES = 100;
const MAX_LABELS = 10;

function tooManyNamed(key: SearchKey, message: string): ProblemError {
  const sentence = `${key}: stands for ${message}`;
  return malformed(sentence, [{ path: 'search', message: sentence }]);
}

/** Nothing is in it. */
const EMPTY: NarrowedList = { parts: [], alternatives: [], labels: [], texts: [], traits: [], range: {} };

/**
 * What a call asks of a list: its filter and its search together. Values of the search are names, compared whatever their
 * case; what is in no list of the member's is not found.
 *
 * @throws {ProblemError} 400 when a part of the search is not understood, or stands for too many names or members
 */
export async function narrowList(
  database: Reads,
  actor: Pick<Actor, 'id' | 'displayName' | 'email'>,
  list: AlertList,
  { q, search, timeZone = 'UTC', ...filter }: Narrowing,
): Promise<NarrowedList> {
  const texts = q ? [q] : [];
  if (!search) return { ...EMPTY, parts: [{ list, filter }], texts };
  const parsed = parseSearch(search, { now: Date.now(), timeZone });
  if (parsed.hints.length > 0) {
    const errors = parsed.hints.map(({ message }) => ({ path: 'search', message }));
    throw malformed(errors.map(({ message }) => message).join(' '), errors);
  }
  const lists = await narrowByPlace(database, actor, list, parsed);
  const narrowed = await narrowFilter(database, filter, parsed);
  if (!narrowed) return EMPTY;
  const labels = await labelsStored(database, parsed.label);
  if (labels.length > MAX_LABELS) {
    throw tooManyNamed('label', `${labels.length} labels here, of ${MAX_LABELS} at most.`);
  }
  // Ids begin with their time, and every index ends with them.
  const range = await idsBetween(database.reads, parsed);
  const statuses = parsed.status.length > 1 && filter.status === undefined ? parsed.status : [narrowed.filter.status];
  const parts = lists.flatMap((one) =>
    statuses.map((status) => ({ list: one, filter: { ...narrowed.filter, status } })),
  );
  return {
    parts: parts.filter((part) => partsOf(part.list, part.filter).length > 0),
    alternatives: narrowed.alternatives,
    labels,
    texts: [...texts, ...parsed.texts],
    traits: parsed.is,
    range,
  };
}

/**
 * The list that a call names.
 *
 * @throws {ProblemError} 403 when the member may not see it
 */
export function listNamed(actor: Pick<Actor, 'id' | 'role'>, named: AlertFacetsQuery | SeverityCountsQuery): AlertList {
  switch (named.list) {
    case 'inbox':
      return { list: 'inbox' };
    case 'mine':
      return { list: 'mine', ownerId: actor.id };
    case 'folder':
      return { list: 'folder', ownerId: actor.id, folderIds: [named.folderId] };
    case 'all-folders':
      return { list: 'filed', ownerId: actor.id };
    case 'snoozed':
      return { list: 'snoozed', ownerId: actor.id };
    case 'all':
      if (!seesEverything(actor)) throw notAllowed();
      return { list: 'all' };
  }
}

/** The lists that are left of one when owners or folders are named. */
async function narrowByPlace(
  { reads }: Reads,
  actor: Pick<Actor, 'id' | 'displayName' | 'email'>,
  list: AlertList,
  { owner, folder }: ParsedSearch,
): Promise<AlertList[]> {
  if (owner.length === 0 && folder.length === 0) return [list];
  const owners = owner.length === 0 ? undefined : await ownersNamed(reads, actor, list, owner);
  const mayBe = (id: string | null): boolean => owners?.has(id) ?? true;
  const folders = folder.length === 0 ? undefined : await foldersNamed(reads, actor.id, folder);
  const foldersAmong = (ids: readonly string[]): ListPlace[] =>
    ids.length === 0 ? [] : [{ list: 'folder', ownerId: actor.id, folderIds: ids }];
  const ownFolders = foldersAmong([...(folders ?? [])]);
  switch (list.list) {
    case 'inbox':
      return folders === undefined && mayBe(null) ? [list] : [];
    case 'mine':
      return folders === undefined && mayBe(list.ownerId) ? [list] : [];
    case 'folder':
      return mayBe(list.ownerId) ? foldersAmong(list.folderIds.filter((id) => folders?.has(id) ?? true)) : [];
    case 'filed':
      if (!mayBe(list.ownerId)) return [];
      return folders === undefined ? [list] : ownFolders;
    case 'snoozed': {
      const own = mayBe(list.ownerId) ? ownPlaces(list.ownerId) : [];
      const anywhere: ListPlace[] = [...own, ...(mayBe(null) ? [{ list: 'inbox' } as const] : [])];
      return [{ ...list, within: folders === undefined ? anywhere : mayBe(list.ownerId) ? ownFolders : [] }];
    }
    case 'all': {
      const anywhere = [...(owners ?? [])].flatMap((id): ListPlace[] =>
        id === null ? [{ list: 'inbox' }] : ownPlaces(id),
      );
      const within = folders === undefined ? anywhere : mayBe(actor.id) ? ownFolders : [];
      return [...within, { list: 'snoozed', ownerId: actor.id, within }];
    }
  }
}

/** Members of these names or e-mails; null for nobody. In a list of the member's own nobody else is looked for. */
async function ownersNamed(
  reads: EntityManager,
  actor: Pick<Actor, 'id' | 'displayName' | 'email'>,
  list: AlertList,
  names: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const wanted = new Set(names.map((name) => name.trim().toLowerCase()));
  const users: { id: string; email: string; name: string }[] =
    list.list === 'all' && [...wanted].some((name) => name !== 'me' && name !== 'none')
      ? await reads.query('SELECT id, email_key AS email, display_name AS name FROM users')
      : [{ id: actor.id, email: emailKey(actor.email), name: actor.displayName }];
  const found = users.filter(({ email, name }) => wanted.has(email) || wanted.has(name.toLowerCase()));
  if (found.length > MAX_MEMBERS) {
    throw tooManyNamed('owner', `${found.length} members here, of ${MAX_MEMBERS} at most. Use their emails instead.`);
  }
  return new Set([
    ...(wanted.has('none') ? [null] : []),
    ...(wanted.has('me') ? [actor.id] : []),
    ...found.map(({ id }) => id),
  ]);
}

/** The member's folders of these names. */
async function foldersNamed(
  reads: EntityManager,
  ownerId: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const folders: { id: string; name: string }[] = await reads.query('SELECT id, name FROM folders WHERE owner_id = ?', [
    ownerId,
  ]);
  return new Set(folders.filter(({ name }) => isAmong(names, name)).map(({ id }) => id));
}

/** The filter and the search's names together; undefined when they exclude each other. */
async function narrowFilter(
  database: Reads,
  filter: AlertFilter,
  { customer, type, source, status, severity }: ParsedSearch,
): Promise<(Pick<NarrowedList, 'alternatives'> & { filter: AlertFilter }) | undefined> {
  const customers = both(filter.customer, await namesStored(database, 'customer', customer));
  const types = both(filter.alertType, await namesStored(database, 'type', type));
  const statuses = both(filter.status, status.length > 0 ? status : undefined);
  const severities = shared(filter.severity, severity);
  const sources = shared(
    filter.source,
    source.length > 0 ? await sourcesNamed(database.reads, source) : [],
    source.length > 0,
  );
  if ([customers, types, statuses, severities, sources].some((values) => values?.length === 0)) return undefined;
  const [one, oneType] = [single(customers), single(types)];
  return {
    filter: {
      customer: one,
      alertType: oneType,
      status: single(statuses),
      completion: filter.completion,
      severity: severities as AlertSeverity[] | undefined,
      source: sources,
    },
    alternatives: [
      ...(customers && one === undefined ? [{ column: 'customer', values: customers } as const] : []),
      ...(types && oneType === undefined ? [{ column: 'alert_type', values: types } as const] : []),
    ],
  };
}

const single = <Value>(values: readonly Value[] | undefined): Value | undefined =>
  values?.length === 1 ? values[0] : undefined;

/** The values that a filter of one and a search of several leave. */
const both = <Value>(one: Value | undefined, several: readonly Value[] | undefined): readonly Value[] | undefined =>
  one === undefined ? several : (several ?? [one]).filter((value) => value === one);

/** The values that two filters of several leave; an empty search asks for none, unless it `isAsked`. */
function shared(
  filtered: string[] | undefined,
  searched: readonly string[],
  isAsked = searched.length > 0,
): string[] | undefined {
  if (!isAsked) return filtered;
  return filtered ? filtered.filter((value) => searched.includes(value)) : [...searched];
}

const isAmong = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.trim().toLowerCase() === name.toLowerCase());

/** Sources of these names, and these ids themselves: the alerts of a source that was deleted still have its id. */
async function sourcesNamed(reads: EntityManager, names: readonly string[]): Promise<string[]> {
  const ids = names.filter(isSourceId);
  return [...new Set([...ids, ...(await sourcesStored(reads, names))])].slice(0, MAX_FILTER_SOURCES);
}

/** The sources that there are with these names or ids. */
async function sourcesStored(reads: EntityManager, names: readonly string[]): Promise<string[]> {
  const sources: { id: string; name: string }[] = await reads.query('SELECT id, name FROM sources ORDER BY id');
  return sources.filter(({ id, name }) => isAmong(names, name) || names.includes(id)).map(({ id }) => id);
}

/** Whether there is a source with this name or id. */
export const isSourceNamed = async ({ reads }: Reads, name: string): Promise<boolean> =>
  (await sourcesStored(reads, [name])).length > 0;

/** Whether a member has this name or email; "none" is nobody, whom alerts can have as their owner. */
export const isMemberNamed = async ({ reads }: Reads, name: string): Promise<boolean> =>
  (await ownersNamed(reads, { id: '', displayName: '', email: '' }, { list: 'all' }, [name])).size > 0;

/** Names as they are stored: those that are written this way, else those that differ in their case alone. */
async function namesStored(
  { reads, dialect }: Reads,
  key: 'customer' | 'type',
  names: readonly string[],
): Promise<string[] | undefined> {
  if (names.length === 0) return undefined;
  const table = key === 'customer' ? 'customers' : 'alert_types';
  const exact = await namesIn(reads, table, isOneOf('name', names));
  const others = names.filter((name) => !exact.includes(name));
  if (others.length === 0) return exact;
  const alike = await namesIn(reads, table, dialect.contains(['name'], [...others]));
  const stored = new Set([...exact, ...alike.filter((name) => isAmong(others, name))]);
  // What has no alert any more may be forgotten here, and be in alerts all the same.
  for (const name of others) if (!isAmong([...stored], name)) stored.add(name);
  if (stored.size > MAX_NAMES) {
    throw tooManyNamed(key, `${stored.size} names here, of ${MAX_NAMES} at most. Write it as the alerts do.`);
  }
  return [...stored];
}

async function namesIn(reads: EntityManager, table: string, { sql, values }: Condition): Promise<string[]> {
  const rows: { name: string }[] = await reads.query(`SELECT name FROM ${table} WHERE ${sql}`, values);
  return rows.map(({ name }) => name);
}
