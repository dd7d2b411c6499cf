import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { createAskSender } from './ask-sender.ts';
import {
  type Actual,
  type SilenceQuery,
  SenderError,
  type SenderKind,
  type Subject,
  UnknownAlertError,
  isRequestedEnd,
  markerOf,
  withoutSlash,
} from './sender-kind.ts';

/**
 * Opsgenie's Alert API v2, of which the European address is another one (https://docs.opsgenie.com/docs/alert-api). An alert is
 * acknowledged and then snoozed: it is acknowledged no longer when the snooze ends, and an acknowledgment would end the snooze
 * (https://support.atlassian.com/opsgenie/docs/snooze-an-alert/).
 */
const API = '/v2/alerts';

/** Requests are processed asynchronously. Their result is read this many times, with this pause in milliseconds. */
const ATTEMPTS = 10;
const PAUSE_MS = 500;

const subjectSchema = z.object({ alertId: z.string() });

const alertAnswer = z.object({
  data: z.object({
    status: z.string(),
    acknowledged: z.boolean(),
    snoozed: z.optional(z.boolean()),
    snoozedUntil: z.optional(z.string()),
  }),
});
const notesAnswer = z.object({ data: z.array(z.object({ note: z.string() })) });
const acceptedAnswer = z.object({ requestId: z.string() });
const requestAnswer = z.object({ data: z.object({ isSuccess: z.boolean(), status: z.string() }) });

/** The alert of a webhook (https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data/). */
function subjectOf(payload: unknown): Subject | undefined {
  const read = z.object({ alert: z.object({ alertId: z.string().min(1) }) }).safeParse(payload);
  return read.success ? { alertId: read.data.alert.alertId } : undefined;
}

/** Statuses as in https://docs.opsgenie.com/docs/response. */
function explain(status: number): string | undefined {
  if (status === 401)
    return 'The API key is wrong, or its integration is turned off. European accounts have another address.';
  if (status === 402) return 'The plan of this Opsgenie account has no snooze. It needs Standard or Enterprise.';
  if (status === 403) return 'The API key needs the rights to read alerts, and to create and update them.';
  if (status === 404) return 'There is no Opsgenie API at this address.';
  return undefined;
}

const pathOf = ({ subject }: SilenceQuery, action = '', query = ''): string =>
  `/${encodeURIComponent(subjectSchema.parse(subject).alertId)}${action}?identifierType=id${query}`;

/** Opsgenie: an alert is an alert. */
export const opsgenie: SenderKind = {
  subjectOf,
  baseOf: (url) => withoutSlash(url).replace(/\/v2(\/alerts)?$/, ''),
  createApi(post, target, stopping) {
    const ask = createAskSender(post, stopping, {
      base: `${opsgenie.baseOf(target.url)}${API}`,
      headers: { Authorization: `GenieKey ${target.secret}` },
      target,
      explain,
      noSuchApi: 'What answers at this address is no Opsgenie API.',
    });
    /** Asks for an action, and waits until it is done. */
    const act = async (query: SilenceQuery, action: string, body: object): Promise<void> => {
      const answer = await ask.send('POST', pathOf(query, action), { source: PRODUCT_NAME, ...body });
      const { requestId } = ask.read(acceptedAnswer, answer);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const status = await ask.send('GET', `/requests/${encodeURIComponent(requestId)}`);
        if (status.status !== 404) {
          const { data } = ask.read(requestAnswer, status);
          if (data.isSuccess) return;
          throw new SenderError(`Opsgenie did not do it: ${data.status}`.slice(0, 300));
        }
        await wait(PAUSE_MS, undefined, { signal: stopping });
      }
      throw new SenderError('Opsgenie has not processed the request yet.');
    };
    const notesOf = async (query: SilenceQuery): Promise<string[]> => {
      const answer = await ask.send('GET', pathOf(query, '/notes', '&limit=100&order=desc'));
      const notes = ask.read(notesAnswer, answer).data.map(({ note }) => note);
      return notes.filter((note) => note.includes(markerOf(query.mark)));
    };
    /** What answers whatever is known there. @throws {SenderError} where the address or the account is wrong */
    const readAny = async (): Promise<void> => {
      ask.read(z.object({ data: z.array(z.unknown()) }), await ask.send('GET', '?limit=1'));
    };
    return {
      async tryOut() {
        await readAny();
        return 'It answers.';
      },
      async read(query): Promise<Actual> {
        const answer = await ask.send('GET', pathOf(query));
        if (answer.status === 404) {
          await readAny();
          throw new UnknownAlertError('Opsgenie has no such alert. It may be deleted, or of another account.');
        }
        const { status, acknowledged, snoozed = false, snoozedUntil } = ask.read(alertAnswer, answer).data;
        const endsAt = snoozed && snoozedUntil !== undefined ? Date.parse(snoozedUntil) : undefined;
        const isOurs = acknowledged && endsAt !== undefined && isRequestedEnd(query, endsAt);
        // The note comes with the acknowledgment: with it, what is not snoozed yet was begun here.
        const isBegun = acknowledged && !snoozed && query.madeId === null && (await notesOf(query)).length > 0;
        return {
          isOver: status === 'closed',
          ours: isOurs ? { id: 'alert', endsAt } : isBegun ? { id: 'alert', endsAt: 0 } : undefined,
          isEndedThere: query.madeId !== null && !acknowledged && !snoozed,
          isSilencedByOthers: (acknowledged || snoozed) && !isOurs && !isBegun,
          details: acknowledged,
        };
      },
      async silence(query, { ownerName, comment, endsAt }, { details: isAcknowledged }) {
        const said = { user: ownerName, note: comment };
        const isNew = query.madeId === null || query.ownerName !== ownerName;
        if (isAcknowledged !== true) await act(query, '/acknowledge', said);
        else if (isNew && !(await notesOf(query)).includes(comment)) await act(query, '/notes', said);
        const until = new Date(Math.ceil(endsAt / 1000) * 1000);
        await act(query, '/snooze', { user: ownerName, endTime: until.toISOString() });
        return { id: 'alert', endsAt: until.getTime() };
      },
      end: (query) =>
        act(query, '/unacknowledge', { note: `No longer accepted in ${PRODUCT_NAME}. ${markerOf(query.mark)}` }),
    };
  },
};
