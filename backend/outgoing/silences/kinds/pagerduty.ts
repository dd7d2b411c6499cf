import { z } from 'zod';
import { createAskSender } from './ask-sender.ts';
import {
  type Actual,
  type SilenceQuery,
  type SenderKind,
  type Subject,
  UnknownAlertError,
  isRequestedEnd,
  markerOf,
  withoutSlash,
} from './sender-kind.ts';

/**
 * PagerDuty's REST API v2 (https://github.com/PagerDuty/api-schema/blob/main/reference/REST/openapiv3.json). An incident is
 * acknowledged, and snoozed: that ends the acknowledgment at a time (`pending_actions`). Only acknowledged incidents can be snoozed
 * (https://support.pagerduty.com/main/docs/edit-incidents). A note says for whom.
 */
const ACCEPT = 'application/vnd.pagerduty+json;version=2';

/** Longest snooze, in seconds: `maximum` of `duration`. */
const MAX_SECONDS = 604_800;

/** An acknowledgment that ends within this time is as good as over, in milliseconds. */
const ENDING_MS = 5_000;

const subjectSchema = z.object({ incidentId: z.string() });

const incidentAnswer = z.object({
  incident: z.object({
    status: z.enum(['triggered', 'acknowledged', 'resolved']),
    pending_actions: z.optional(z.array(z.object({ type: z.string(), at: z.string() }))),
  }),
});
type Incident = z.infer<typeof incidentAnswer>['incident'];
const notesAnswer = z.object({ notes: z.array(z.object({ content: z.string() })) });

/** The incident of a webhook (https://developer.pagerduty.com/docs/webhooks-overview), also of one about a note of it. */
function subjectOf(payload: unknown): Subject | undefined {
  const read = z
    .object({
      event: z.object({
        data: z.object({
          id: z.string(),
          type: z.string(),
          incident: z.optional(z.nullable(z.object({ id: z.string() }))),
        }),
      }),
    })
    .safeParse(payload);
  if (!read.success) return undefined;
  const { id, type, incident } = read.data.event.data;
  const incidentId = incident?.id ?? (type === 'incident' ? id : undefined);
  return incidentId === undefined ? undefined : { incidentId };
}

function explain(status: number, body: string): string | undefined {
  if (status === 400 && /requester/i.test(body)) return 'No user of PagerDuty has the email that is entered here.';
  if (status === 401) return 'The API key is wrong or was deleted.';
  if (status === 402) return 'The plan of this PagerDuty account does not allow it.';
  if (status === 403) return 'This API key may not change incidents. A read-only key cannot acknowledge.';
  if (status === 404) return 'There is no PagerDuty API at this address.';
  return undefined;
}

/** When its acknowledgment ends; undefined where it does not end by itself. */
const endOf = ({ pending_actions: pending = [] }: Incident): number | undefined => {
  const at = pending.find(({ type }) => type === 'unacknowledge')?.at;
  return at === undefined ? undefined : Date.parse(at);
};

const pathOf = ({ subject }: SilenceQuery): string =>
  `/incidents/${encodeURIComponent(subjectSchema.parse(subject).incidentId)}`;

/** PagerDuty: an alert is an incident. */
export const pagerduty: SenderKind = {
  subjectOf,
  baseOf: withoutSlash,
  createApi(post, target, stopping) {
    const ask = createAskSender(post, stopping, {
      base: pagerduty.baseOf(target.url),
      headers: { Authorization: `Token token=${target.secret}`, From: target.user, Accept: ACCEPT },
      target,
      explain,
      noSuchApi: 'What answers at this address is no PagerDuty API.',
    });
    /** What answers whatever is known there. @throws {SenderError} where the address or the account is wrong */
    const readAny = async (): Promise<void> => {
      ask.read(z.object({ incidents: z.array(z.unknown()) }), await ask.send('GET', '/incidents?limit=1'));
    };
    const readIncident = async (query: SilenceQuery): Promise<Incident> => {
      const answer = await ask.send('GET', pathOf(query));
      if (answer.status === 404) {
        await readAny();
        throw new UnknownAlertError('PagerDuty has no such incident, or the API key belongs to another account.');
      }
      return ask.read(incidentAnswer, answer).incident;
    };
    const notesOf = async (query: SilenceQuery): Promise<string[]> => {
      const { notes } = ask.read(notesAnswer, await ask.send('GET', `${pathOf(query)}/notes`));
      return notes.map(({ content }) => content).filter((content) => content.includes(markerOf(query.mark)));
    };
    const setStatus = async (query: SilenceQuery, status: Incident['status']): Promise<void> => {
      ask.taken(await ask.send('PUT', pathOf(query), { incident: { type: 'incident', status } }));
    };
    const snooze = async (query: SilenceQuery, seconds: number): Promise<Incident> => {
      const duration = Math.min(MAX_SECONDS, Math.max(1, Math.round(seconds)));
      return ask.read(incidentAnswer, await ask.send('POST', `${pathOf(query)}/snooze`, { duration })).incident;
    };
    return {
      async tryOut() {
        await readAny();
        return 'It answers.';
      },
      async read(query): Promise<Actual> {
        const incident = await readIncident(query);
        const endsAt = endOf(incident);
        // What is about to end has ended: so Alertdesk ends it.
        const isEnding = endsAt !== undefined && endsAt <= Date.now() + ENDING_MS;
        const isAcknowledged = incident.status === 'acknowledged' && !isEnding;
        const isOurs = isAcknowledged && endsAt !== undefined && isRequestedEnd(query, endsAt);
        // The note is written first: with it, what is acknowledged was begun here.
        const isBegun = isAcknowledged && !isOurs && query.madeId === null && (await notesOf(query)).length > 0;
        return {
          isOver: incident.status === 'resolved',
          ours: isOurs ? { id: 'incident', endsAt } : isBegun ? { id: 'incident', endsAt: 0 } : undefined,
          isEndedThere: query.madeId !== null && incident.status === 'triggered',
          isSilencedByOthers: isAcknowledged && !isOurs && !isBegun,
          details: isAcknowledged,
        };
      },
      async silence(query, { ownerName, comment, now, endsAt }, { details: isAcknowledged }) {
        const isNew = query.madeId === null || query.ownerName !== ownerName;
        if (isNew && !(await notesOf(query)).includes(comment)) {
          ask.taken(await ask.send('POST', `${pathOf(query)}/notes`, { note: { content: comment } }));
        }
        if (isAcknowledged !== true) await setStatus(query, 'acknowledged');
        const incident = await snooze(query, (endsAt - now) / 1000);
        return { id: 'incident', endsAt: endOf(incident) ?? endsAt };
      },
      // "After this number of seconds has elapsed, the incident will return to the triggered state."
      end: async (query) => void (await snooze(query, 1)),
      resolve: (query) => setStatus(query, 'resolved'),
    };
  },
};
