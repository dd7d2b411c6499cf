import * as z from 'zod';
import { type VendorAnswer, type VendorDouble, asJson, startVendorDouble } from './vendor-double.ts';

/**
 * A double of Zabbix's JSON-RPC API with one event, by its manual
 * (https://www.zabbix.com/documentation/current/en/manual/api/reference/event/acknowledge) and its source: `CEvent.php` says what
 * each bit of `action` does and what it skips, `CJsonRpc.php` which errors there are. It was never compared with the real one.
 */

export const ZABBIX_TOKEN = '2ce7f2d1b3c44a0f8d7b6e5a4c3d2b1a0f9e8d7c6b5a49382716059483726150';
export const ZABBIX_EVENT = '10528';

const [CLOSE, ACKNOWLEDGE, MESSAGE, UNACKNOWLEDGE, SUPPRESS, UNSUPPRESS] = [1, 2, 4, 16, 32, 64];

const request = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  id: z.int(),
});
/** `message` holds 2,048 characters (`acknowledges.message`). */
const acknowledge = z.strictObject({
  eventids: z.array(z.string().regex(/^\d+$/)).min(1),
  action: z.int().min(1).max(511),
  message: z.string().max(2_048).optional(),
  suppress_until: z.int().optional(),
});
const get = z.strictObject({
  eventids: z.array(z.string()).optional(),
  output: z.array(z.string()),
  selectAcknowledges: z.array(z.string()).optional(),
  limit: z.int().optional(),
});

/** A change of the event, as `selectAcknowledges` shows it. */
interface Acknowledge {
  acknowledgeid: string;
  clock: string;
  action: string;
  message: string;
  suppress_until: string;
}

export interface ZabbixSender extends VendorDouble {
  acknowledges: Acknowledge[];
  isAcknowledged: boolean;
  /** 0 while the problem lasts. */
  recoveryId: string;
  /** What the role of the token's user does not allow. */
  mayNot: 'nothing' | 'suppress';
  /** Until when it is suppressed, in milliseconds; undefined where it is not. */
  suppressedUntil(): number | undefined;
  /** What somebody does in the web interface. */
  byHand(action: number, until?: number): void;
}

const rpc = (body: object): VendorAnswer => asJson({ jsonrpc: '2.0', ...body, id: 1 });
const invalid = (data: string): VendorAnswer => rpc({ error: { code: -32602, message: 'Invalid params.', data } });
const refused = (data: string): VendorAnswer => rpc({ error: { code: -32500, message: 'Application error.', data } });

export async function startZabbixSender(version = '7.0.4'): Promise<ZabbixSender> {
  const world = {
    acknowledges: [] as Acknowledge[],
    isAcknowledged: false,
    recoveryId: '0',
    mayNot: 'nothing' as ZabbixSender['mayNot'],
  };
  const lastSuppression = () =>
    world.acknowledges.findLast(({ action }) => (Number(action) & (SUPPRESS | UNSUPPRESS)) !== 0);
  const suppressedUntil = (): number | undefined => {
    const last = lastSuppression();
    if (!last || (Number(last.action) & SUPPRESS) === 0) return undefined;
    const until = Number(last.suppress_until) * 1000;
    return until === 0 || until > Date.now() ? until : undefined;
  };
  /** "For some of selected events action might not be performed, as event is already with given change." */
  const change = (asked: number, message: string, until: number): void => {
    const isClosed = world.acknowledges.some(({ action }) => (Number(action) & CLOSE) !== 0);
    let action = asked & (MESSAGE | CLOSE);
    if ((asked & ACKNOWLEDGE) !== 0 && !world.isAcknowledged) action |= ACKNOWLEDGE;
    if ((asked & UNACKNOWLEDGE) !== 0 && world.isAcknowledged) action |= UNACKNOWLEDGE;
    if ((asked & SUPPRESS) !== 0 && !isClosed) action |= SUPPRESS;
    if ((asked & UNSUPPRESS) !== 0 && suppressedUntil() !== undefined && !isClosed) action |= UNSUPPRESS;
    if (action === 0) return;
    if ((action & ACKNOWLEDGE) !== 0) world.isAcknowledged = true;
    if ((action & UNACKNOWLEDGE) !== 0) world.isAcknowledged = false;
    world.acknowledges.push({
      acknowledgeid: String(world.acknowledges.length + 1),
      clock: String(Math.floor(Date.now() / 1000)),
      action: String(action),
      message,
      suppress_until: String((action & SUPPRESS) === 0 ? 0 : until),
    });
  };
  const getEvents = (params: unknown): VendorAnswer => {
    const asked = get.safeParse(params);
    if (!asked.success) return invalid(asked.error.message);
    if (asked.data.eventids?.includes(ZABBIX_EVENT) === false) return rpc({ result: [] });
    // Newest first, and in any order within a second: `order a.clock DESC`.
    const acknowledges = asked.data.selectAcknowledges && world.acknowledges.toReversed();
    return rpc({
      result: [{ eventid: ZABBIX_EVENT, r_eventid: world.recoveryId, ...(acknowledges && { acknowledges }) }],
    });
  };
  const acknowledgeEvent = (params: unknown): VendorAnswer => {
    const asked = acknowledge.safeParse(params);
    if (!asked.success) return invalid(asked.error.message);
    const { eventids, action, message = '', suppress_until: until } = asked.data;
    if (!eventids.includes(ZABBIX_EVENT)) return refused('No permissions to referred object or it does not exist!');
    if ((action & (SUPPRESS | UNSUPPRESS)) !== 0 && world.mayNot === 'suppress') {
      return refused('Incorrect value for field "action": no permissions to suppress problems.');
    }
    if ((action & MESSAGE) !== 0 && message === '') {
      return invalid('Incorrect value for field "message": cannot be empty.');
    }
    if ((action & SUPPRESS) !== 0 && (until === undefined || (until !== 0 && until * 1000 <= Date.now()))) {
      return invalid('Incorrect value for field "suppress_until": unexpected value.');
    }
    change(action, message, until ?? 0);
    return rpc({ result: { eventids } });
  };
  const double = await startVendorDouble(
    world,
    ({ method, url, headers, json }) => {
      if (method !== 'POST' || url.pathname !== '/api_jsonrpc.php') return { status: 404, body: 'Not Found' };
      // "412 Precondition Failed" without it (`api_jsonrpc.php`).
      if (!['application/json', 'application/json-rpc'].includes(String(headers['content-type']))) {
        return { status: 412, body: '' };
      }
      const call = request.safeParse(json);
      if (!call.success) return rpc({ error: { code: -32600, message: 'Invalid request.' } });
      const { method: name, params } = call.data;
      const { authorization } = headers;
      if (name === 'apiinfo.version') {
        if (authorization !== undefined) {
          return invalid('The "apiinfo.version" method must be called without authorization header.');
        }
        return rpc({ result: version });
      }
      if (authorization !== `Bearer ${ZABBIX_TOKEN}`) return invalid('Not authorized.');
      if (name === 'event.get') return getEvents(params);
      if (name === 'event.acknowledge') return acknowledgeEvent(params);
      return rpc({ error: { code: -32601, message: 'Method not found.' } });
    },
    // Zabbix has no limit of its own; the web server before it may.
    () => ({ status: 429, headers: { 'Retry-After': '2' }, body: '' }),
    (json) => request.safeParse(json).data?.method === 'event.acknowledge',
  );
  const own = { suppressedUntil, byHand: (action: number, until = 0) => change(action, '', until) };
  return Object.assign(double, own);
}
