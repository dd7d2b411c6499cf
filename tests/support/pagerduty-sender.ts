import * as z from 'zod';
import { type VendorAnswer, type VendorDouble, asJson, startVendorDouble } from './vendor-double.ts';

/**
 * A double of PagerDuty's REST API v2 with one incident, by its OpenAPI file
 * (https://github.com/PagerDuty/api-schema/blob/main/reference/REST/openapiv3.json), its errors
 * (https://developer.pagerduty.com/docs/errors) and its limits (https://support.pagerduty.com/main/docs/rest-api-rate-limits). It
 * was never compared with the real one.
 */

export const PAGERDUTY_KEY = 'y_NbAkKc66ryYTWUXYEu';
export const PAGERDUTY_FROM = 'desk@nordwind.example';
export const PAGERDUTY_INCIDENT = 'PINC001';

/** The time after which an acknowledgment ends by the service's settings, in milliseconds. */
const ACKNOWLEDGED_MS = 30 * 60_000;

const update = z.strictObject({
  incident: z.strictObject({
    type: z.enum(['incident', 'incident_reference']),
    status: z.enum(['triggered', 'acknowledged', 'resolved']),
  }),
});
const snooze = z.strictObject({ duration: z.int().min(1).max(604_800) });
const note = z.strictObject({ note: z.strictObject({ content: z.string().min(1).max(25_000) }) });

export interface PagerdutySender extends VendorDouble {
  status: 'triggered' | 'acknowledged' | 'resolved';
  /** When the acknowledgment ends, in milliseconds. */
  unacknowledgeAt: number | undefined;
  notes: string[];
  acknowledgements: number;
  /** The key may only read. */
  isReadOnly: boolean;
  /** What somebody does in the web interface. */
  acknowledgeByHand(): void;
}

const error = (status: number, code: number, message: string, errors?: string[]): VendorAnswer =>
  asJson({ error: { code, message, ...(errors && { errors }) } }, status);

export async function startPagerdutySender(): Promise<PagerdutySender> {
  const world = {
    status: 'triggered' as PagerdutySender['status'],
    unacknowledgeAt: undefined as number | undefined,
    notes: [] as string[],
    acknowledgements: 0,
    isReadOnly: false,
  };
  const isOver = (): boolean => (world.unacknowledgeAt ?? Number.POSITIVE_INFINITY) <= Date.now();
  const refresh = (): void => {
    if (world.status === 'acknowledged' && isOver()) {
      Object.assign(world, { status: 'triggered', unacknowledgeAt: undefined });
    }
  };
  const present = (status = 200): VendorAnswer =>
    asJson(
      {
        incident: {
          id: PAGERDUTY_INCIDENT,
          type: 'incident',
          status: world.status,
          pending_actions:
            world.unacknowledgeAt === undefined
              ? []
              : [
                  // In whole seconds, as its examples are.
                  { type: 'unacknowledge', at: `${new Date(world.unacknowledgeAt).toISOString().slice(0, 19)}Z` },
                  { type: 'resolve', at: '2099-01-01T00:00:00Z' },
                ],
        },
      },
      status,
    );
  const acknowledge = (): void => {
    world.acknowledgements += 1;
    // "If another user acknowledges the incident we will un-snooze the incident."
    Object.assign(world, { status: 'acknowledged', unacknowledgeAt: Date.now() + ACKNOWLEDGED_MS });
  };
  const put = (json: unknown): VendorAnswer => {
    const asked = update.safeParse(json);
    if (!asked.success) return error(400, 2001, 'Invalid Input Provided', [asked.error.message]);
    const { status } = asked.data.incident;
    if (status === 'acknowledged') acknowledge();
    else Object.assign(world, { status, unacknowledgeAt: undefined });
    return present();
  };
  const postSnooze = (json: unknown): VendorAnswer => {
    const asked = snooze.safeParse(json);
    if (!asked.success) return error(400, 2001, 'Invalid Input Provided', ['Duration is out of range']);
    // "You're only able to snooze acknowledged incidents."
    if (world.status !== 'acknowledged')
      return error(400, 2001, 'Invalid Input Provided', ['Incident is not acknowledged']);
    world.unacknowledgeAt = Date.now() + asked.data.duration * 1000;
    return present(201);
  };
  const postNote = (json: unknown): VendorAnswer => {
    const asked = note.safeParse(json);
    if (!asked.success) return error(400, 2001, 'Invalid Input Provided', ['Content cannot be empty']);
    world.notes.push(asked.data.note.content);
    return asJson({ note: { id: `PNOTE${world.notes.length}`, content: asked.data.note.content } });
  };
  const double = await startVendorDouble(
    world,
    ({ method, url, headers, json }) => {
      refresh();
      if (headers.authorization !== `Token token=${PAGERDUTY_KEY}`) return error(401, 2006, 'Unauthorized');
      if (method === 'GET' && url.pathname === '/incidents') return asJson({ incidents: [], limit: 1, offset: 0 });
      const [, id, rest = ''] = /^\/incidents\/([^/]+)(\/\w+)?$/.exec(url.pathname) ?? [];
      if (id !== PAGERDUTY_INCIDENT) return error(404, 2100, 'Not Found');
      if (method === 'GET' && rest === '') return present();
      if (method === 'GET' && rest === '/notes') {
        return asJson({ notes: world.notes.map((content, at) => ({ id: `PNOTE${at}`, content })) });
      }
      // "API requests attempting to access endpoints with methods other than GET will return 403."
      if (world.isReadOnly) return error(403, 2010, 'Access Denied');
      if (headers.from !== PAGERDUTY_FROM) return error(400, 1008, 'Requester User Not Found');
      if (headers['content-type'] !== 'application/json') return error(415, 2001, 'Unsupported Media Type');
      if (method === 'PUT' && rest === '') return put(json);
      if (method === 'POST' && rest === '/snooze') return postSnooze(json);
      if (method === 'POST' && rest === '/notes') return postNote(json);
      return error(404, 2100, 'Not Found');
    },
    // "ratelimit-reset: the number of seconds until the limit is reset."
    () => ({
      ...error(429, 2020, 'Rate Limit Exceeded'),
      headers: { 'ratelimit-limit': '960', 'ratelimit-remaining': '0', 'ratelimit-reset': '2' },
    }),
  );
  return Object.assign(double, { acknowledgeByHand: acknowledge });
}
