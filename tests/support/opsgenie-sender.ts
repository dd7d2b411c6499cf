import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type VendorAnswer, type VendorDouble, asJson, startVendorDouble } from './vendor-double.ts';

/**
 * A double of Opsgenie's Alert API with one alert, by its OpenAPI file
 * (https://github.com/opsgenie/opsgenie-python-sdk/blob/master/opsgenie-oas.yml), its answers
 * (https://docs.opsgenie.com/docs/response), and what its manual says of acknowledging and snoozing
 * (https://support.atlassian.com/opsgenie/docs/snooze-an-alert/). It was never compared with the real one.
 */

export const OPSGENIE_KEY = 'eb243592-faa2-4ba2-a551-1afdf565c889';
export const OPSGENIE_ALERT = '70413a06-38d6-4c85-92b8-5ebc900d42e2';

/** `user` holds 100 characters, `source` 100, `note` 25,000. */
const action = z.strictObject({
  user: z.string().max(100).optional(),
  source: z.string().max(100).optional(),
  note: z.string().max(25_000).optional(),
});
const BODIES: Record<
  string,
  z.ZodType<{ note?: string | undefined; endTime?: string | undefined; user?: string | undefined }>
> = {
  acknowledge: action,
  unacknowledge: action,
  snooze: action.extend({ endTime: z.iso.datetime() }),
  notes: action.extend({ note: z.string().min(1).max(25_000) }),
};

export interface OpsgenieSender extends VendorDouble {
  isClosed: boolean;
  isAcknowledged: boolean;
  /** In milliseconds; undefined where it is not snoozed. */
  snoozedUntil: number | undefined;
  acknowledgedBy: string | undefined;
  notes: string[];
  /** So often it is asked what became of a request before it is processed. */
  asksUntilDone: number;
  /** The key may not change alerts. */
  isReadOnly: boolean;
  /** The plan of the account has no snooze. */
  hasNoSnooze: boolean;
}

const error = (status: number, message: string): VendorAnswer =>
  asJson({ message, took: 0.001, requestId: randomUUID() }, status);

export async function startOpsgenieSender(): Promise<OpsgenieSender> {
  const world = {
    isClosed: false,
    isAcknowledged: false,
    snoozedUntil: undefined as number | undefined,
    acknowledgedBy: undefined as string | undefined,
    notes: [] as string[],
    asksUntilDone: 0,
    isReadOnly: false,
    hasNoSnooze: false,
  };
  const requests = new Map<string, { left: number; isSuccess: boolean; status: string }>();
  /** "If you snooze an acknowledged alert, the alert status becomes open and un'acked when the snooze ends." */
  const refresh = (): void => {
    if (world.snoozedUntil !== undefined && world.snoozedUntil <= Date.now()) {
      Object.assign(world, { snoozedUntil: undefined, isAcknowledged: false });
    }
  };
  const act = (
    name: string,
    { note, endTime, user }: { note?: string | undefined; endTime?: string | undefined; user?: string | undefined },
  ): string => {
    if (world.isClosed && name !== 'notes') return 'Alert is already closed';
    if (note !== undefined) world.notes.push(note);
    if (name === 'acknowledge') {
      if (world.isAcknowledged) return 'Alert is already acknowledged';
      // "The snooze mechanism is cancelled when the alert is acknowledged."
      Object.assign(world, { isAcknowledged: true, acknowledgedBy: user, snoozedUntil: undefined });
    }
    if (name === 'unacknowledge') {
      if (!world.isAcknowledged) return 'Alert is not acknowledged';
      Object.assign(world, { isAcknowledged: false, snoozedUntil: undefined });
    }
    if (name === 'snooze') world.snoozedUntil = Date.parse(endTime ?? '');
    return 'done';
  };
  const post = (name: string, json: unknown): VendorAnswer => {
    const asked = BODIES[name]?.safeParse(json);
    if (!asked) return error(404, 'Not found');
    if (!asked.success) return error(422, asked.error.message);
    const { endTime } = asked.data;
    if (name === 'snooze' && world.hasNoSnooze) return error(402, 'Your plan does not support snooze');
    // "You can snooze alerts up to one week."
    const until = Date.parse(endTime ?? '');
    if (name === 'snooze' && (until <= Date.now() || until > Date.now() + 7 * 24 * 60 * 60_000)) {
      return error(422, 'endTime must be within a week');
    }
    const status = act(name, asked.data);
    const requestId = randomUUID();
    requests.set(requestId, { left: world.asksUntilDone, isSuccess: status === 'done', status });
    return asJson({ result: 'Request will be processed', took: 0.302, requestId }, 202);
  };
  const present = (): VendorAnswer =>
    asJson({
      data: {
        id: OPSGENIE_ALERT,
        status: world.isClosed ? 'closed' : 'open',
        acknowledged: world.isAcknowledged,
        snoozed: world.snoozedUntil !== undefined,
        ...(world.snoozedUntil !== undefined && { snoozedUntil: new Date(world.snoozedUntil).toISOString() }),
      },
      took: 0.01,
      requestId: randomUUID(),
    });
  const statusOf = (id: string): VendorAnswer => {
    const found = requests.get(id);
    if (!found || found.left > 0) {
      if (found) found.left -= 1;
      return error(404, 'Request not found. It might not be processed, yet.');
    }
    const { isSuccess, status } = found;
    return asJson({
      data: { success: isSuccess, action: 'Acknowledge', isSuccess, status, alertId: OPSGENIE_ALERT },
      took: 0.02,
    });
  };
  return startVendorDouble(
    world,
    ({ method, url, headers, json }) => {
      refresh();
      if (headers.authorization !== `GenieKey ${OPSGENIE_KEY}`) return error(401, 'Could not authenticate');
      if (method === 'GET' && url.pathname === '/v2/alerts') return asJson({ data: [], took: 0.01 });
      const [, id, part] = /^\/v2\/alerts\/([^/]+)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
      if (id === undefined) return error(404, 'Not found');
      if (method === 'GET' && id === 'requests') return statusOf(part ?? '');
      if (url.searchParams.get('identifierType') !== 'id') return error(422, 'identifierType');
      if (id !== OPSGENIE_ALERT) return error(404, 'Alert with id does not exist');
      if (method === 'GET' && part === undefined) return present();
      if (method === 'GET' && part === 'notes') {
        return asJson({ data: world.notes.map((note) => ({ note, owner: 'desk' })).toReversed(), took: 0.01 });
      }
      if (world.isReadOnly) return error(403, 'You are not authorized to perform this action');
      if (headers['content-type'] !== 'application/json') return error(415, 'Unsupported Media Type');
      return method === 'POST' ? post(part ?? '', json) : error(405, 'Method Not Allowed');
    },
    // https://docs.opsgenie.com/docs/api-rate-limiting
    () => ({
      ...error(429, 'You are making too many requests!'),
      headers: { 'X-RateLimit-State': 'THROTTLED', 'X-RateLimit-Reason': 'ACCOUNT', 'X-RateLimit-Period-In-Sec': '2' },
    }),
  );
}
