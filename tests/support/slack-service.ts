import * as z from 'zod';
import type { ReceivedRequest, ServiceRules } from './outgoing-receiver.ts';

/**
 * A double of Slack's Web API for one workspace with one channel, by the pages of its methods
 * (https://docs.slack.dev/reference/methods). It was never compared with the real one.
 */

type Request = Omit<ReceivedRequest, 'status' | 'at'>;
type Answer = Exclude<ReturnType<ServiceRules>, undefined>;

export const SLACK_TOKEN = 'xoxb-1234567890-abcdefghijkl';
export const SLACK_APP_TOKEN = 'xapp-1-A0123456789-abcdefgh';
export const SLACK_CHANNEL = 'C0123456789';
export const SLACK_TEAM = 'T0123456789';

const said = (body: object): Answer => ({ status: 200, body: JSON.stringify({ ok: true, ...body }) });
const error = (name: string, more: object = {}): Answer => ({
  status: 200,
  body: JSON.stringify({ ok: false, error: name, ...more }),
});

const plainText = (most: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(most) });

/** "&, < and > as HTML entities": what is in angle brackets would be a mention or a link. */
const mrkdwnText = (most: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z
      .string()
      .min(1)
      .max(most)
      .refine((text) => !/<[^>]*>|&(?!amp;|lt;|gt;)/.test(text), 'a mention or a link'),
  });

/** https://docs.slack.dev/reference/block-kit/blocks: limits of each. */
const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(75),
  action_id: z.string().min(1).max(255),
  value: z.string().max(2_000).optional(),
  url: z.url().max(3_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});
const block = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('section'),
    text: mrkdwnText(3_000).optional(),
    fields: z.array(mrkdwnText(2_000)).min(1).max(10).optional(),
  }),
  z.strictObject({ type: z.literal('context'), elements: z.array(mrkdwnText(3_000)).min(1).max(10) }),
  z.strictObject({
    type: z.literal('actions'),
    block_id: z.string().max(255).optional(),
    elements: z
      .array(button)
      .min(1)
      .max(25)
      .refine((all) => new Set(all.map(({ action_id: id }) => id)).size === all.length, 'one action_id twice'),
  }),
]);
const blocks = z.array(block).max(50);
const text = z
  .string()
  .min(1)
  .max(40_000)
  .refine((one) => !/<[^>]*>/.test(one), 'a mention or a link');
const metadata = z.strictObject({
  event_type: z.string().regex(/^[a-z_]+$/),
  event_payload: z.record(z.string(), z.string()),
});

/** Arguments of the methods that take JSON. */
const METHODS = {
  'chat.postMessage': z.strictObject({
    channel: z.string(),
    text,
    blocks: blocks.optional(),
    metadata: metadata.optional(),
    thread_ts: z.string().optional(),
    reply_broadcast: z.boolean().optional(),
    unfurl_links: z.boolean().optional(),
    unfurl_media: z.boolean().optional(),
  }),
  'chat.update': z.strictObject({ channel: z.string(), ts: z.string(), text, blocks: blocks.optional() }),
  'chat.postEphemeral': z.strictObject({ channel: z.string(), user: z.string(), text: z.string().min(1).max(40_000) }),
};

/**
 * Requests that a method takes in a minute (https://docs.slack.dev/apis/web-api/rate-limits): Tier 3 is "50+", Tier 4 "100+", and
 * `chat.postMessage` takes one a second in each channel.
 */
const PER_MINUTE: Record<string, number> = {
  'chat.update': 50,
  'chat.postEphemeral': 100,
  'conversations.history': 50,
  'conversations.replies': 50,
  'users.info': 100,
};
const POST_EVERY_MS = 950;

export interface SlackMessage {
  ts: string;
  text: string;
  blocks?: unknown;
  metadata?: unknown;
  thread_ts?: string;
  isBroadcast: boolean;
  edits: number;
}

export interface SlackUser {
  id: string;
  name: string;
  email: string;
}

export interface SlackService {
  rules: ServiceRules;
  messages: SlackMessage[];
  ephemerals: { user: string; text: string }[];
  users: SlackUser[];
  /** Scopes that the app has. */
  scopes: Set<string>;
  /** The buttons of a message, by its place among those that are not in a thread. */
  buttons(at?: number): { action_id: string; value?: string }[];
  /** Messages that were refused because they came too fast. */
  tooFast: string[];
  isArchived: boolean;
}

export function createSlackService(): SlackService {
  let count = 0;
  const takenAt = new Map<string, number[]>();
  const service: SlackService = {
    rules,
    messages: [],
    ephemerals: [],
    users: [],
    scopes: new Set(['chat:write', 'channels:history', 'users:read', 'users:read.email']),
    tooFast: [],
    isArchived: false,
    buttons: (at = 0) => {
      const { blocks: shown } = service.messages.filter(({ thread_ts: thread }) => thread === undefined)[at] ?? {};
      const all = (shown ?? []) as { elements?: { action_id: string; value?: string }[] }[];
      return all.flatMap(({ elements = [] }) => elements.filter(({ action_id: id }) => id));
    },
  };
  const isTooFast = (method: string): boolean => {
    const now = performance.now();
    const before = (takenAt.get(method) ?? []).filter((at) => at > now - 60_000);
    const isPost = method === 'chat.postMessage';
    const isOver = isPost
      ? (before.at(-1) ?? Number.NEGATIVE_INFINITY) > now - POST_EVERY_MS
      : before.length >= (PER_MINUTE[method] ?? 1_000);
    takenAt.set(method, before);
    return isOver;
  };
  const needs = (scope: string): Answer | undefined =>
    service.scopes.has(scope)
      ? undefined
      : error('missing_scope', { needed: scope, provided: [...service.scopes].join(',') });

  function rules(request: Request): Answer {
    const { pathname, searchParams } = new URL(request.path, 'http://x');
    const [, method = ''] = /^\/api\/([\w.]+)$/.exec(pathname) ?? [];
    if (method === '') return { status: 404, body: 'Not Found' };
    if (request.headers.authorization !== `Bearer ${SLACK_TOKEN}`) return error('invalid_auth');
    if (isTooFast(method)) {
      service.tooFast.push(method);
      return { status: 429, headers: { 'Retry-After': '1' }, body: '{"ok":false,"error":"ratelimited"}' };
    }
    const answer = answerTo(method, searchParams, request);
    if (answer.body?.startsWith('{"ok":true')) takenAt.get(method)?.push(performance.now());
    return answer;
  }
  function answerTo(method: string, searchParams: URLSearchParams, request: Request): Answer {
    if (method in METHODS) return write(method as keyof typeof METHODS, request);
    if (method === 'users.info') return userInfo(searchParams.get('user') ?? '');
    if (method === 'auth.test') return said({ team_id: SLACK_TEAM, team: 'Lakeside Works', user_id: 'U000BOT' });
    if (method === 'conversations.history' || method === 'conversations.replies') return read(method, searchParams);
    return error('unknown_method');
  }
  function write(method: keyof typeof METHODS, { headers, body }: Request): Answer {
    if (headers['content-type'] !== 'application/json') return error('invalid_post_type');
    const missing = needs('chat:write');
    if (missing) return missing;
    const parsed = METHODS[method].safeParse(JSON.parse(body));
    if (!parsed.success) {
      const isBlocks = parsed.error.issues.some(({ path }) => path[0] === 'blocks');
      return error(isBlocks ? 'invalid_blocks' : 'invalid_arguments');
    }
    if (parsed.data.channel !== SLACK_CHANNEL) return error('channel_not_found');
    if (service.isArchived) return error('is_archived');
    if ('user' in parsed.data) {
      service.ephemerals.push({ user: parsed.data.user, text: parsed.data.text });
      return said({ message_ts: '1.1' });
    }
    if ('ts' in parsed.data) {
      const { ts, text: words, blocks: shown } = parsed.data;
      const message = service.messages.find((one) => one.ts === ts);
      if (!message) return error('message_not_found');
      Object.assign(message, { text: words, blocks: shown, edits: message.edits + 1 });
      return said({ channel: SLACK_CHANNEL, ts, text: words });
    }
    const { text: words, blocks: shown, metadata: data, thread_ts: thread, reply_broadcast: isBroadcast } = parsed.data;
    if (thread !== undefined && !service.messages.some(({ ts }) => ts === thread)) return error('thread_not_found');
    count += 1;
    const ts = `${Math.floor(Date.now() / 1000)}.${String(count).padStart(6, '0')}`;
    service.messages.push({
      ts,
      text: words,
      blocks: shown,
      metadata: data,
      ...(thread !== undefined && { thread_ts: thread }),
      isBroadcast: isBroadcast === true,
      edits: 0,
    });
    return said({ channel: SLACK_CHANNEL, ts, message: { text: words, ts } });
  }
  function userInfo(id: string): Answer {
    const missing = needs('users:read');
    if (missing) return missing;
    const user = service.users.find((one) => one.id === id);
    if (!user) return error('user_not_found');
    const email = service.scopes.has('users:read.email') ? { email: user.email } : {};
    return said({
      user: {
        id,
        team_id: SLACK_TEAM,
        is_bot: false,
        real_name: user.name,
        profile: { real_name: user.name, ...email },
      },
    });
  }
  function read(method: string, query: URLSearchParams): Answer {
    const missing = needs('channels:history');
    if (missing) return missing;
    if (query.get('channel') !== SLACK_CHANNEL) return error('channel_not_found');
    const oldest = Number(query.get('oldest') ?? 0);
    const thread = query.get('ts');
    const found = service.messages.filter(
      (one) =>
        Number(one.ts) > oldest &&
        (method === 'conversations.history'
          ? one.thread_ts === undefined
          : one.thread_ts === thread || one.ts === thread),
    );
    const withMetadata = query.get('include_all_metadata') === 'true';
    const messages = withMetadata ? found : found.map(({ metadata: _left, ...one }) => one);
    return said({ messages, has_more: false });
  }
  return service;
}
