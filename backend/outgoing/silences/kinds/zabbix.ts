import { z } from 'zod';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { type AskSender, createAskSender } from './ask-sender.ts';
import {
  type Actual,
  type SilenceQuery,
  type SenderKind,
  SenderError,
  type Subject,
  UnknownAlertError,
  markerOf,
  withoutSlash,
} from './sender-kind.ts';

/**
 * Zabbix's JSON-RPC API (https://www.zabbix.com/documentation/current/en/manual/api), from 6.4, which takes tokens in the header
 * `Authorization`. A problem is suppressed until a time, and acknowledged, by one `event.acknowledge` with a message:
 * https://www.zabbix.com/documentation/current/en/manual/api/reference/event/acknowledge
 */
const PATH = '/api_jsonrpc.php';

/** Bits of `action`. */
const CLOSE = 1;
const ACKNOWLEDGE = 2;
const MESSAGE = 4;
const UNACKNOWLEDGE = 16;
const SUPPRESS = 32;
const UNSUPPRESS = 64;

const subjectSchema = z.object({ eventId: z.string() });

const eventAnswer = z.object({
  /** The event that recovered it; 0 while it lasts. */
  r_eventid: z.string(),
  acknowledges: z.array(
    z.object({
      acknowledgeid: z.string(),
      clock: z.string(),
      action: z.string(),
      message: z.string(),
      suppress_until: z.string(),
    }),
  ),
});

const errorAnswer = z.object({ error: z.object({ data: z.optional(z.string()), message: z.string() }) });

/** A change of a problem, in the order in which they were made. */
interface Change {
  action: number;
  message: string;
  until: number;
}

/** The event's id, in the field `eventid`, or in the link to it. */
function subjectOf(payload: unknown): Subject | undefined {
  const read = z
    .object({ eventid: z.optional(z.union([z.string(), z.number()])), link: z.optional(z.string()) })
    .safeParse(payload);
  if (!read.success) return undefined;
  const { eventid, link = '' } = read.data;
  const id = String(eventid ?? URL.parse(link)?.searchParams.get('eventid') ?? '');
  return /^\d{1,20}$/.test(id) ? { eventId: id } : undefined;
}

/** Error of the API; its HTTP status is 200. */
function errorOf(body: string): string | undefined {
  try {
    const { error } = errorAnswer.parse(JSON.parse(body));
    return error.data ?? error.message;
  } catch {
    return undefined;
  }
}

function statusOf(status: number, body: string): number {
  const error = status === 200 ? errorOf(body) : undefined;
  if (error === undefined) return status;
  if (/not authori[sz]ed|re-login|token expired/i.test(error)) return 401;
  return /no permissions/i.test(error) ? 403 : 422;
}

function explain(status: number, body: string): string | undefined {
  if (status === 401) return 'The API token is wrong, disabled, or has expired.';
  if (status === 403) {
    return 'The role of the token’s user must allow the API methods event.get and event.acknowledge, and to acknowledge, comment and suppress problems.';
  }
  if (status === 404) return 'There is no Zabbix API at this address. Enter the address of its web interface.';
  return errorOf(body)?.slice(0, 250);
}

const changesOf = ({ acknowledges }: z.infer<typeof eventAnswer>): Change[] =>
  acknowledges
    .toSorted(
      (one, other) =>
        Number(one.clock) - Number(other.clock) || Number(BigInt(one.acknowledgeid) - BigInt(other.acknowledgeid)),
    )
    .map(({ action, message, suppress_until: until }) => ({
      action: Number(action),
      message,
      until: Number(until) * 1000,
    }));

/** Suppressed until a time, or, at 0, for good. */
const isSuppressed = (change: Change | undefined): boolean =>
  change !== undefined && (change.action & SUPPRESS) !== 0 && (change.until === 0 || change.until > Date.now());

const changesBy = (changes: readonly Change[], { mark }: SilenceQuery): Change[] =>
  changes.filter(({ message }) => message.includes(markerOf(mark)));

function createCall(ask: AskSender) {
  return async <T>(method: string, params: unknown, schema: z.ZodType<T>, without?: string[]): Promise<T> => {
    const answer = await ask.send('POST', PATH, { jsonrpc: '2.0', method, params, id: 1 }, without);
    return ask.read(z.object({ result: schema }), answer).result;
  };
}

/** Zabbix: an alert is the problem of an event. */
export const zabbix: SenderKind = {
  subjectOf,
  baseOf: (url) => withoutSlash(withoutSlash(url).replace(/\/(api_jsonrpc|index|zabbix)\.php$/, '')),
  createApi(post, target, stopping) {
    const call = createCall(
      createAskSender(post, stopping, {
        base: zabbix.baseOf(target.url),
        headers: { Authorization: `Bearer ${target.secret}` },
        target,
        explain,
        statusOf,
        noSuchApi: 'What answers at this address is no Zabbix API.',
      }),
    );
    const acknowledge = ({ subject }: SilenceQuery, action: number, rest: object) =>
      call(
        'event.acknowledge',
        { eventids: [subjectSchema.parse(subject).eventId], action, ...rest },
        z.object({ eventids: z.array(z.union([z.string(), z.number()])) }),
      );
    const readEvent = async ({ subject }: SilenceQuery) => {
      const [event] = await call(
        'event.get',
        {
          eventids: [subjectSchema.parse(subject).eventId],
          output: ['eventid', 'r_eventid'],
          selectAcknowledges: ['acknowledgeid', 'clock', 'action', 'message', 'suppress_until'],
        },
        z.array(eventAnswer),
      );
      if (!event) {
        throw new UnknownAlertError('Zabbix has no such event, or the token’s user may not read its host.');
      }
      return { event, changes: changesOf(event) };
    };
    return {
      async tryOut() {
        // Whoever signs in is refused here.
        const version = await call('apiinfo.version', [], z.string(), ['Authorization']);
        await call('event.get', { output: ['eventid'], limit: 1 }, z.array(z.unknown()));
        const [major = 0, minor = 0] = version.split('.').map(Number);
        if (major < 6 || (major === 6 && minor < 4)) {
          throw new SenderError(`It is version ${version}. Zabbix can be asked to be quiet from version 6.4.`);
        }
        return `It answers: version ${version}.`;
      },
      async read(query): Promise<Actual> {
        const { event, changes } = await readEvent(query);
        const last = changes.findLast(({ action }) => (action & (SUPPRESS | UNSUPPRESS)) !== 0);
        const own = changesBy(changes, query);
        const isOurs = last !== undefined && own.includes(last);
        return {
          isOver: event.r_eventid !== '0' || changes.some(({ action }) => (action & CLOSE) !== 0),
          ours: last && isOurs && isSuppressed(last) ? { id: 'event', endsAt: last.until } : undefined,
          isEndedThere: own.length > 0 && !isOurs && !isSuppressed(last),
          isSilencedByOthers: !isOurs && isSuppressed(last),
        };
      },
      async silence(query, { comment, endsAt }) {
        const until = Math.ceil(endsAt / 1000);
        await acknowledge(query, ACKNOWLEDGE | MESSAGE | SUPPRESS, { message: comment, suppress_until: until });
        return { id: 'event', endsAt: until * 1000 };
      },
      async end(query) {
        const { changes } = await readEvent(query);
        // What somebody else has acknowledged stays so.
        const isAcknowledgedByUs = changesBy(changes, query).some(({ action }) => (action & ACKNOWLEDGE) !== 0);
        await acknowledge(query, UNSUPPRESS | MESSAGE | (isAcknowledgedByUs ? UNACKNOWLEDGE : 0), {
          message: `No longer accepted in ${PRODUCT_NAME}. ${markerOf(query.mark)}`,
        });
      },
    };
  },
};
