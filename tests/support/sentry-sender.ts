import * as z from 'zod';
import { type VendorAnswer, type VendorDouble, asJson, startVendorDouble } from './vendor-double.ts';

/**
 * A double of Sentry's API with one issue, by its pages (https://docs.sentry.io/api/events/update-an-issue/, limits:
 * https://docs.sentry.io/api/ratelimits/) and its source: `issues/ignored.py` for archiving, `issues/endpoints/group_notes.py` for
 * comments. It was never compared with the real one.
 */

export const SENTRY_TOKEN = 'sntrys_eyJpYXQiOjE3NjQwMDAwMDB9_abcdefghijklmnop';
export const SENTRY_ORGANIZATION = 'nordwind';
export const SENTRY_ISSUE = '5550001';

const update = z.strictObject({
  status: z.enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored']),
  substatus: z
    .enum(['archived_until_escalating', 'archived_until_condition_met', 'archived_forever', 'ongoing'])
    .optional(),
  statusDetails: z.strictObject({ ignoreDuration: z.int().min(1).optional() }).optional(),
});
const comment = z.strictObject({ text: z.string().min(1) });

export interface SentrySender extends VendorDouble {
  status: 'unresolved' | 'ignored' | 'resolved';
  /** In milliseconds; undefined where it is archived for good, or not at all. */
  ignoreUntil: number | undefined;
  comments: string[];
  /** The token has event:read alone. */
  isReadOnly: boolean;
}

const detail = (status: number, text: string): VendorAnswer => asJson({ detail: text }, status);

export async function startSentrySender(): Promise<SentrySender> {
  const world = {
    status: 'unresolved' as SentrySender['status'],
    ignoreUntil: undefined as number | undefined,
    comments: [] as string[],
    isReadOnly: false,
  };
  const present = (): VendorAnswer =>
    asJson({
      id: SENTRY_ISSUE,
      status: world.status,
      statusDetails:
        world.status === 'ignored' && world.ignoreUntil !== undefined
          ? { ignoreUntil: new Date(world.ignoreUntil).toISOString(), ignoreCount: null, actor: null }
          : {},
    });
  const put = (json: unknown): VendorAnswer => {
    const asked = update.safeParse(json);
    if (!asked.success) return asJson({ status: [asked.error.message] }, 400);
    const { status, statusDetails = {} } = asked.data;
    world.status = status === 'resolvedInNextRelease' ? 'resolved' : status;
    const minutes = statusDetails.ignoreDuration;
    world.ignoreUntil = status === 'ignored' && minutes !== undefined ? Date.now() + minutes * 60_000 : undefined;
    return present();
  };
  const post = (json: unknown): VendorAnswer => {
    const asked = comment.safeParse(json);
    if (!asked.success) return asJson({ text: ['This field is required.'] }, 400);
    if (world.comments.includes(asked.data.text)) return detail(400, 'You have already posted that comment.');
    world.comments.push(asked.data.text);
    return asJson({ id: String(world.comments.length), type: 'note', data: { text: asked.data.text } }, 201);
  };
  return startVendorDouble(
    world,
    ({ method, url, headers, json }) => {
      if (headers.authorization !== `Bearer ${SENTRY_TOKEN}`) return detail(401, 'Invalid token');
      const base = `/api/0/organizations/${SENTRY_ORGANIZATION}/issues/`;
      if (!url.pathname.startsWith(base)) return detail(404, 'The requested resource does not exist');
      const rest = url.pathname.slice(base.length);
      if (method === 'GET' && rest === '') return asJson([]);
      if (!rest.startsWith(`${SENTRY_ISSUE}/`)) return detail(404, 'The requested resource does not exist');
      const part = rest.slice(SENTRY_ISSUE.length + 1);
      if (method === 'GET' && part === '') return present();
      if (method === 'GET' && part === 'comments/') {
        return asJson(
          world.comments.map((text, at) => ({ id: String(at), type: 'note', data: { text } })).toReversed(),
        );
      }
      if (world.isReadOnly) return detail(403, 'You do not have permission to perform this action.');
      if (method === 'PUT' && part === '') return put(json);
      if (method === 'POST' && part === 'comments/') return post(json);
      // Django answers an address without its slash with a redirect.
      return detail(404, 'The requested resource does not exist');
    },
    () => ({
      ...detail(429, 'You are attempting to use this endpoint too frequently.'),
      headers: {
        'X-Sentry-Rate-Limit-Limit': '40',
        'X-Sentry-Rate-Limit-Remaining': '0',
        // "The time when the next rate limit window begins, in seconds since the epoch."
        'X-Sentry-Rate-Limit-Reset': String(Math.ceil(Date.now() / 1000) + 2),
      },
    }),
  );
}
