import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import type { SourceName } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import { type SourceCounts, type SourcesInTrouble, sourceCountsSchema } from '#backend/contract/source-standing.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';

/** Keys of what administrators see of sources: each source by itself lies behind the list's key. */
const SOURCES = '/api/sources';
const NAMES = '/api/source-names';
const HEALTH = '/api/source-health';
const UNKNOWN_KEYS = '/api/unknown-keys';
const API_KEYS = '/api/api-keys';

/** What a page reads of one source's delivery log: only a page that shows this log has any of it. */
const OF_LOG = ['newest', 'first', 'delivery-counts'] as const;

/** What is read again, where it is shown, after an event. Changes of sources are applied as they come. */
const READ_AGAIN = {
  hello: ['sources', 'source-health', 'unknown-keys', 'api-keys', 'audit'],
  profile_changed: ['auth/tokens'],
  // Groups and calendars say who of their members is disabled, and services are accounts.
  members_changed: [
    'auth/users',
    'auth/links',
    'auth/token-rule',
    // A rule that is decided may end them earlier.
    'auth/tokens',
    'service-tokens',
    'people',
    'outgoing/groups',
    'outgoing/calendars',
  ],
  rules_changed: ['rules'],
  outgoing_changed: ['destinations', 'rules', 'groups', 'calendars'].map((one) => `outgoing/${one}`),
  heartbeats_changed: ['heartbeats'],
};

/**
 * Keeps what the pages of administrators show current: what goes out, members and heartbeats are read again, and sources are
 * kept up to date. How a source stands by now comes with the event and is put in the place of what was known: with many
 * busy sources, every administrator's page would fetch all of them again and again. What was edited is fetched.
 */
export function followSources(client: QueryClient, events: readonly LiveEvent[]): void {
  for (const [type, paths] of Object.entries(READ_AGAIN)) {
    // What happened while the connection was away was not sent.
    if (!events.some((event) => event.type === type || event.type === 'hello')) continue;
    for (const path of paths) refetchWhenShown(client, [`/api/${path}`]);
  }
  const counts = new Map<string, SourceCounts>();
  for (const event of events) {
    if (event.type !== 'source_changed') continue;
    const parsed = sourceCountsSchema.safeParse(event.counts);
    if (event.sourceId === null) refetchWhenShown(client, [UNKNOWN_KEYS]);
    else if (parsed.success) counts.set(event.sourceId, parsed.data);
    else for (const key of [SOURCES, HEALTH, NAMES, UNKNOWN_KEYS, API_KEYS]) refetchWhenShown(client, [key]);
  }
  if (counts.size === 0) return;
  const counted = (source: Source): Source => withCounts(source, counts.get(source.id));
  client.setQueryData<Source[]>([SOURCES], (sources) => sources?.map(counted));
  client.setQueryData<SourcesInTrouble>([HEALTH], (known) => known && withStates(known, counts));
  if (isRecognised(client.getQueryData([NAMES]), counts)) refetchWhenShown(client, [NAMES]);
  for (const id of counts.keys()) {
    client.setQueryData<Source>([SOURCES, id], (source) => source && counted(source));
    for (const part of OF_LOG) {
      const queryKey = [SOURCES, id, part];
      if (client.getQueryCache().findAll({ queryKey }).length > 0) refetchWhenShown(client, queryKey);
    }
  }
}

function withCounts(source: Source, counts: SourceCounts | undefined): Source {
  if (!counts) return source;
  const { hours, ...others } = counts;
  return {
    ...source,
    ...others,
    hours: hours.map(([deliveries = 0, refused = 0]) => ({ deliveries, refused })),
  };
}

/** Those that need attention, once these stand as they do now. */
function withStates(known: SourcesInTrouble, counts: ReadonlyMap<string, SourceCounts>): SourcesInTrouble {
  const idsOf = (state: keyof SourcesInTrouble): string[] => [
    ...known[state].filter((id) => !counts.has(id)),
    ...[...counts].flatMap(([id, { health }]) => (health.state === state ? [id] : [])),
  ];
  return { refusing: idsOf('refusing'), silent: idsOf('silent') };
}

/** Whether a source was recognised since its name was read. */
function isRecognised(names: readonly SourceName[] | undefined, counts: ReadonlyMap<string, SourceCounts>): boolean {
  return names?.some(({ id, sender }) => sender === null && (counts.get(id)?.recognisedAs ?? null) !== null) === true;
}
