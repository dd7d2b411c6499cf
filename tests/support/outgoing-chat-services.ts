import * as z from 'zod';
import type { ReceivedRequest, ServiceRules } from './outgoing-receiver.ts';

/**
 * Doubles of chat services, each as its public description says what it takes and refuses. None was ever compared with the real
 * service.
 */

type Request = Omit<ReceivedRequest, 'status' | 'at'>;
type Answer = Exclude<ReturnType<ServiceRules>, undefined>;

const jsonOf = ({ headers, body }: Request): unknown => {
  if (headers['content-type'] !== 'application/json') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
};

const answer = (status: number, body: unknown, headers?: Record<string, string>): Answer => ({
  status,
  body: JSON.stringify(body),
  ...(headers && { headers }),
});

/** A service that takes one request in so many milliseconds, and answers others as it does to those that come too fast. */
export function limited(rules: ServiceRules, everyMs: number, tooFast: (leftMs: number) => Answer): ServiceRules {
  let takenAt = Number.NEGATIVE_INFINITY;
  return (request) => {
    const left = takenAt + everyMs - performance.now();
    if (left > 0) return tooFast(left);
    const refused = rules(request);
    if (!refused || refused.status < 300) takenAt = performance.now();
    return refused;
  };
}

/**
 * An incoming integration of Rocket.Chat: what its server checks of attachments, whose fields need a title and a value
 * (https://github.com/RocketChat/Rocket.Chat/blob/develop/apps/meteor/app/lib/server/functions/sendMessage.ts,
 * `validateAttachment`). Its texts have no entities, and links under other words as Slack's and as Markdown's.
 */
const rocketText = z
  .string()
  .refine((text) => !/&(amp|lt|gt);|<(?!\u200B)[^>]*\||\]\(/.test(text), 'an entity or a link');
const rocketMessage = z.object({
  text: rocketText,
  attachments: z.array(
    z.object({
      color: z.string(),
      text: rocketText,
      title: z.string().optional(),
      title_link: z.url({ protocol: /^https?$/ }).optional(),
      fields: z.array(z.object({ short: z.boolean(), title: rocketText.min(1), value: rocketText.min(1) })),
    }),
  ),
});

export const ROCKET_PATH = '/hooks/64b0c1d2e3f4a5b6c7d8e9f0/AbCdEfGhIjKlMnOpQrStUvWxYz';

export const rocketChatRules: ServiceRules = (request) => {
  if (request.path !== ROCKET_PATH) {
    return answer(400, { success: false, error: 'Invalid integration id or token provided.' });
  }
  return rocketMessage.safeParse(jsonOf(request)).success
    ? undefined
    : answer(400, { success: false, error: 'Match error' });
};

const textRun = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string().refine((text) => !text.includes('{{'), 'a date function'),
  weight: z.enum(['lighter', 'default', 'bolder']).optional(),
  color: z.enum(['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention']).optional(),
  isSubtle: z.boolean().optional(),
});
const richText = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z.array(textRun).min(1),
  spacing: z.enum(['default', 'none', 'small', 'medium', 'large', 'extraLarge', 'padding']).optional(),
});

/**
 * The schema of the trigger (https://support.microsoft.com/office/create-incoming-webhooks-with-workflows-for-microsoft-teams-8ae491c7-0394-4861-ba59-055e33f75498
 * and https://learn.microsoft.com/connectors/teams/, "When a Teams webhook request is received") with a card of version 1.4
 * (https://adaptivecards.io/explorer/AdaptiveCard.html). Cards have up to 28 KB
 * (https://learn.microsoft.com/microsoftteams/limits-specifications-teams, "Chat").
 */
const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.literal('1.4'),
          fallbackText: z.string(),
          body: z.array(richText).min(1),
          actions: z
            .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string().min(1), url: z.url() }))
            .max(6),
        }),
      }),
    )
    .length(1),
});

/** Where the double of Teams takes requests, as its addresses are. */
export const TEAMS_PATH =
  '/powerautomate/automations/direct/workflows/0a1b/triggers/manual/paths/invoke?api-version=1&sig=AbCd1234';

/**
 * Errors of Azure Logic Apps: https://learn.microsoft.com/azure/logic-apps/logic-apps-http-endpoint. A workflow that was
 * deleted answers as one that is turned off.
 */
export const teamsRules: ServiceRules = (request) => {
  const url = new URL(request.path, 'http://x');
  if (url.searchParams.get('sig') !== 'AbCd1234') {
    return answer(401, {
      error: { code: 'DirectApiInvalidAuthorization', message: 'The provided signature is not valid.' },
    });
  }
  if (Buffer.byteLength(request.body) > 28_000) return answer(413, { error: { code: 'RequestEntityTooLarge' } });
  return teamsMessage.safeParse(jsonOf(request)).success
    ? undefined
    : answer(400, { error: { code: 'TriggerInputSchemaMismatch', message: 'The input does not match the schema.' } });
};

export const TEAMS_OFF = answer(400, {
  error: { code: 'WorkflowTriggerIsNotEnabled', message: "trigger 'manual' with state 'Disabled'" },
});

/** https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages#Message and "create" on the same site. */
const googleMessage = z.strictObject({
  text: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 32_000, 'more than 32,000 bytes'),
  thread: z.strictObject({ threadKey: z.string().min(1).max(4_000) }),
});

export const GOOGLE_PATH = '/v1/spaces/AAAA1234/messages?key=AIzaKey&token=tok%3D1234';

/** Errors by https://google.aip.dev/193. */
const googleError = (code: number, status: string, message: string): Answer =>
  answer(code, { error: { code, status, message } });

export const googleChatRules: ServiceRules = (request) => {
  const url = new URL(request.path, 'http://x');
  if (url.pathname !== '/v1/spaces/AAAA1234/messages') return googleError(404, 'NOT_FOUND', 'Space not found.');
  if (url.searchParams.get('key') !== 'AIzaKey') {
    return googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.');
  }
  if (url.searchParams.get('token') !== 'tok=1234') return googleError(401, 'UNAUTHENTICATED', 'Invalid token.');
  if (url.searchParams.get('messageReplyOption') !== 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD') {
    return googleError(400, 'INVALID_ARGUMENT', 'messageReplyOption');
  }
  const message = googleMessage.safeParse(jsonOf(request));
  // What is in angle brackets is a mention or a link: the link to the alert alone.
  const commands = message.data?.text.match(/<(?!\u200B)[^>]*>/g) ?? [];
  return message.success && commands.every((one) => one.endsWith('|Open in Alertdesk>'))
    ? undefined
    : googleError(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
};

/** https://developers.google.com/workspace/chat/limits: no `Retry-After`. */
export const googleTooFast = (): Answer => googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for space.');

/** https://core.telegram.org/bots/api#sendmessage */
const telegramMessage = z.strictObject({
  chat_id: z.string(),
  text: z.string().min(1),
  parse_mode: z.literal('HTML'),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
  disable_notification: z.boolean().optional(),
});

const telegramError = (code: number, description: string, parameters?: object): Answer =>
  answer(code, { ok: false, error_code: code, description, ...(parameters && { parameters }) });

/** "HTML style": of tags these two, of entities the four (https://core.telegram.org/bots/api#html-style). */
const TELEGRAM_MARKUP = /<\/?b>|<a href="[^"<>]*">|<\/a>/g;
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** @param movedTo the supergroup that the chat became (https://core.telegram.org/bots/api#responseparameters) */
export const telegramRules =
  (token: string, chat: string, movedTo?: number): ServiceRules =>
  (request) => {
    const [, given] = /^\/bot(\d+:[\w-]+)\/sendMessage$/.exec(request.path) ?? [];
    if (given === undefined) return telegramError(404, 'Not Found');
    if (given !== token) return telegramError(401, 'Unauthorized');
    const message = telegramMessage.safeParse(jsonOf(request));
    if (!message.success) return telegramError(400, 'Bad Request: message text is empty');
    if (movedTo !== undefined && message.data.chat_id === chat) {
      return telegramError(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: movedTo,
      });
    }
    const known = movedTo === undefined ? chat : String(movedTo);
    if (message.data.chat_id !== known) return telegramError(400, 'Bad Request: chat not found');
    const plain = message.data.text.replaceAll(TELEGRAM_MARKUP, '');
    if (/[<>]|&(?!lt;|gt;|amp;|quot;)/.test(plain)) return telegramError(400, "Bad Request: can't parse entities");
    return unescaped(plain).length > 4_096 ? telegramError(400, 'Bad Request: message is too long') : undefined;
  };

export const telegramTooFast = (leftMs: number): Answer => {
  const retry = Math.ceil(leftMs / 1000);
  return telegramError(429, `Too Many Requests: retry after ${retry}`, { retry_after: retry });
};

/** https://zulip.com/api/send-message, and https://zulip.com/api/rest-error-handling for its errors. */
const zulipMessage = z.strictObject({
  type: z.enum(['stream', 'channel']),
  to: z.string(),
  topic: z
    .string()
    .min(1)
    .refine((text) => Array.from(text).length <= 60, 'more than 60 characters'),
  content: z
    .string()
    .min(1)
    .refine((text) => Array.from(text).length <= 10_000, 'more than 10,000 characters'),
});

const zulipError = (status: number, code: string, msg: string, headers?: Record<string, string>): Answer =>
  answer(status, { result: 'error', code, msg }, headers);

export const zulipRules =
  (account: string, key: string, channel: string): ServiceRules =>
  (request) => {
    if (request.path !== '/api/v1/messages') return answer(404, { result: 'error', msg: 'Not found' });
    const basic = `Basic ${Buffer.from(`${account}:${key}`).toString('base64')}`;
    if (request.headers.authorization !== basic) return zulipError(401, 'INVALID_API_KEY', 'Invalid API key');
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') {
      return zulipError(400, 'REQUEST_VARIABLE_MISSING', "Missing 'type' argument");
    }
    const message = zulipMessage.safeParse(Object.fromEntries(new URLSearchParams(request.body)));
    if (!message.success) return zulipError(400, 'BAD_REQUEST', 'Invalid message');
    return message.data.to === channel
      ? undefined
      : zulipError(400, 'STREAM_DOES_NOT_EXIST', `Channel '${message.data.to}' does not exist`);
  };

export const zulipTooFast = (leftMs: number): Answer =>
  zulipError(429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'Retry-After': String(leftMs / 1000) });

/** https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes, events of up to 65,536 bytes ("Size limits"). */
const matrixMessage = z.strictObject({
  msgtype: z.literal('m.text'),
  body: z.string().min(1),
  format: z.literal('org.matrix.custom.html'),
  formatted_body: z.string().refine((html) => !/<(?!strong>|\/strong>|br>|a href="[^"<>]*">|\/a>)/.test(html)),
  'm.mentions': z.strictObject({}),
});

const matrixError = (status: number, errcode: string, error: string): Answer => answer(status, { errcode, error });

export const matrixRules =
  (token: string, room: string): ServiceRules =>
  (request) => {
    const [, path, transaction] =
      /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(request.path) ?? [];
    if (request.method !== 'PUT' || !path || !transaction)
      return matrixError(404, 'M_UNRECOGNIZED', 'Unrecognized request');
    if (request.headers.authorization !== `Bearer ${token}`) {
      return matrixError(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.');
    }
    if (decodeURIComponent(path) !== room) return matrixError(403, 'M_FORBIDDEN', 'User not in room');
    if (Buffer.byteLength(request.body) > 65_000) return matrixError(413, 'M_TOO_LARGE', 'event too large');
    return matrixMessage.safeParse(jsonOf(request)).success ? undefined : matrixError(400, 'M_BAD_JSON', 'Bad JSON');
  };

/** https://spec.matrix.org/latest/client-server-api/#rate-limiting: older servers give the wait in the body alone. */
export const matrixTooFast = (leftMs: number): Answer =>
  answer(429, { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: Math.ceil(leftMs) });
