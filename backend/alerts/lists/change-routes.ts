import type { EntityManager } from 'typeorm';
import { presentAlert } from '#backend/alerts/alert/alert.ts';
import { AUDIENCE, concerns } from '#backend/alerts/alert/audience.ts';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import { changesQuerySchema, changesSchema } from '#backend/contract/change.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Actor, type Endpoint, endpoint, okJson } from '#backend/platform/endpoint/endpoint.ts';
import { type JsonText, jsonArray, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type Fact, isPlain } from '#backend/platform/feed/feed-facts.ts';
import type { Feed } from '#backend/platform/feed/feed.ts';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import { loadAlerts, measurePage } from './alert-rows.ts';

/** Alerts that one answer is about at most. */
const MAX_ALERTS = 2_000;

/** What the call needs. */
interface ChangeRoutesDeps {
  database: Database;
  feed: Pick<Feed, 'place' | 'since'>;
  /** An event as it is sent to pages; undefined for what stays in the server. */
  eventText: (event: DomainEvent) => JsonText | undefined;
}

/** What changed since a place in the feed ([0081](../../../docs/decisions/0081-the-feed.md)). */
export function changeRoutes({ database, feed, eventText }: ChangeRoutesDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/changes',
      // An answer is as large as a page of a list, and is kept until its client has it.
      isList: true,
      tag: 'alerts',
      summary:
        'Returns what changed since a place, as live events bring it, and the place to ask from the next time; without `since` the present place alone. With `isComplete: false` everything is to be read again.',
      access: 'member',
      tokenScope: 'read',
      query: changesQuerySchema,
      responses: { 200: changesSchema },
      handle: async ({ actor, query: { since } }) => {
        // Before anything is read: what changes meanwhile comes again the next time.
        const now = feed.place();
        if (since === undefined) return answer(now, []);
        const missed = await feed.since(since);
        const events = missed && (await eventsFor(database.reads, actor, missed.facts, eventText));
        return answer(events && missed ? missed.place : now, events);
      },
    }),
  ];
}

/** @param events undefined when everything is to be read again */
const answer = (place: string, events: JsonText[] | undefined) =>
  okJson(
    jsonText(
      `{"place":${JSON.stringify(place)},"isComplete":${events !== undefined},"events":${jsonArray(events ?? [])}}`,
    ),
  );

/** The events that a member has missed; undefined when they are too many for one answer. */
async function eventsFor(
  reads: EntityManager,
  actor: Actor,
  facts: readonly Fact[],
  eventText: ChangeRoutesDeps['eventText'],
): Promise<JsonText[] | undefined> {
  const ids = [...new Set(facts.flatMap(alertIdsOf))];
  if (ids.length > MAX_ALERTS) return undefined;
  const page = await measurePage(
    reads,
    ids.map((id) => ({ id, status: 'pending' as const })),
  );
  if (page.isCut) return undefined;
  const others = facts.filter(
    (fact) => isPlain(fact) && alertIdsOf(fact).length === 0 && AUDIENCE.receives(actor, fact),
  );
  const texts = others.flatMap((fact) => eventText(fact as DomainEvent) ?? []);
  // Of those that came again the last: what is between may have taken the first back.
  const last = [...new Set(texts.toReversed())].toReversed();
  return [...(await alertTexts(reads, actor, ids, page.alerts, arrivedIn(facts))), ...last];
}

/** The alerts that came, and of which people were to be notified. */
const arrivedIn = (facts: readonly Fact[]): ReadonlySet<string> =>
  new Set(facts.flatMap((fact) => (fact.type === 'new_alert' && fact.quiet !== true ? fact.alertIds : [])));

/** The alerts that an event changes. */
function alertIdsOf(fact: Fact): readonly string[] {
  if ('alertIds' in fact) return fact.alertIds;
  return fact.type === 'alert_accepted' || fact.type === 'alert_deleted' ? [fact.alertId] : [];
}

/** What each of these alerts is to the member now. */
async function alertTexts(
  reads: EntityManager,
  actor: Actor,
  ids: readonly string[],
  measured: Awaited<ReturnType<typeof measurePage>>['alerts'],
  arrived: ReadonlySet<string>,
): Promise<JsonText[]> {
  const names = await findDisplayNames(
    reads,
    measured.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const known = new Map<string, JsonText>();
  for await (const group of loadAlerts(reads, measured)) {
    for (const alert of group) {
      const { id, ownerId, version } = alert;
      const ownerName = names.get(ownerId ?? '') ?? null;
      // It may have been taken since, and is no news any more.
      const reason = arrived.has(id) && isEverybodys(alert) ? '"reason":"arrived",' : '';
      known.set(
        id,
        concerns(actor, ownerId)
          ? jsonText(`{"type":"alert_updated",${reason}"alert":${presentAlert(alert, ownerName)}}`)
          : jsonText(JSON.stringify({ type: 'alert_accepted', alertId: id, ownerId, ownerName, version })),
      );
    }
  }
  return ids.map((id) => known.get(id) ?? jsonText(JSON.stringify({ type: 'alert_deleted', alertId: id })));
}
