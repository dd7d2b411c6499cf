import * as z from 'zod';
import type { ReceivedRequest, ServiceRules } from './outgoing-receiver.ts';

/**
 * Doubles of services, each as its public description says what it takes and refuses. None was ever compared with the real
 * service.
 */

type Answer = ReturnType<ServiceRules>;
type Request = Omit<ReceivedRequest, 'status' | 'at'>;

const jsonOf = ({ headers, body }: Request): unknown => {
  if (headers['content-type'] !== 'application/json') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
};

const limitedTo = (text: number) => z.string().min(1).max(text);

/**
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks ("Handling errors"): `invalid_payload` for what is
 * no message, `no_text` without a text, `no_service` for an address that is not right. Attachments by
 * https://docs.slack.dev/reference/messaging/attachments, texts up to 40,000 characters by
 * https://docs.slack.dev/apis/web-api/rate-limits ("truncated").
 */
const slackMessage = z.object({
  text: limitedTo(40_000),
  attachments: z
    .array(
      z.strictObject({
        fallback: limitedTo(40_000),
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        text: z.string().max(40_000),
        title: z.string().optional(),
        title_link: z.url().optional(),
        fields: z.array(z.strictObject({ title: z.string(), value: z.string(), short: z.boolean() })),
      }),
    )
    .max(100),
});

export const slackRules: ServiceRules = (request) => {
  if (!/^\/services\/T\w+\/B\w+\/\w{24}$/.test(request.path)) return { status: 404, body: 'no_service' };
  const message = slackMessage.safeParse(jsonOf(request));
  if (!message.success) return { status: 400, body: 'invalid_payload' };
  // "&, < and > as HTML entities": anything else in angle brackets would be a mention or a link.
  return /<[^>]*>|&(?!amp;|lt;|gt;)/.test(message.data.text) ? { status: 400, body: 'invalid_payload' } : undefined;
};

/**
 * https://docs.discord.com/developers/resources/webhook ("Execute Webhook": 204 without a body) and
 * https://docs.discord.com/developers/resources/message ("Embed Limits"); an unknown webhook is 404 with the code 10015. That a
 * link of an embed needs a host with a dot is in no page of Discord, and reported by others with this answer:
 * https://github.com/bugsink/bugsink/issues/280, https://github.com/rogerrum/alertmanager-discord/issues/19.
 */
const discordEmbed = z.strictObject({
  title: limitedTo(256),
  description: z.string().max(4_096),
  url: z.url().optional(),
  color: z.int().min(0).max(0xffffff),
  timestamp: z.iso.datetime(),
  fields: z.array(z.strictObject({ name: limitedTo(256), value: limitedTo(1_024), inline: z.boolean() })).max(25),
});
const discordMessage = z.strictObject({
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(['roles', 'users', 'everyone'])) }),
  embeds: z
    .array(discordEmbed)
    .min(1)
    .max(10)
    .refine((embeds) => JSON.stringify(embeds).length <= 6_000, 'more than 6,000 characters'),
});

export const discordRules: ServiceRules = (request) => {
  if (!/^\/api\/webhooks\/\d{17,20}\/[\w-]{68}(\?wait=true)?$/.test(request.path)) {
    return { status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' };
  }
  const message = discordMessage.safeParse(jsonOf(request));
  if (!message.success) return { status: 400, body: '{"message": "Invalid Form Body", "code": 50035}' };
  const refused = message.data.embeds.findIndex(({ url }) => url !== undefined && !new URL(url).hostname.includes('.'));
  return refused === -1 ? undefined : { status: 400, body: `{"embeds": ["${refused}"]}` };
};

/**
 * https://docs.ntfy.sh/publish/#publish-as-json (fields; posted to the root), https://docs.ntfy.sh/publish/#limitations (a message of
 * 4,096 bytes) and https://docs.ntfy.sh/publish/#access-tokens.
 */
const ntfyMessage = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().max(1_024),
  message: z.string().refine((text) => Buffer.byteLength(text) <= 4_096),
  priority: z.int().min(1).max(5),
  click: z.url().optional(),
});

/** @param token the access token of the topic; undefined for one that everybody may write to */
export const ntfyRules =
  (token?: string): ServiceRules =>
  (request): Answer => {
    if (request.path !== '/') return { status: 404, body: '{"code":40401,"http":404,"error":"page not found"}' };
    const given = request.headers.authorization;
    if (token !== undefined && given !== `Bearer ${token}`) {
      return given === undefined
        ? { status: 403, body: '{"code":40301,"http":403,"error":"forbidden"}' }
        : { status: 401, body: '{"code":40101,"http":401,"error":"unauthorized"}' };
    }
    return ntfyMessage.safeParse(jsonOf(request)).success
      ? undefined
      : { status: 400, body: '{"code":40024,"http":400,"error":"invalid request: request body must be valid JSON"}' };
  };

/** https://gotify.net/api-docs ("createMessage": message is required) and https://gotify.net/docs/msgextras. */
const gotifyMessage = z.strictObject({
  title: z.string(),
  message: z.string().min(1),
  priority: z.int().min(0).max(10),
  extras: z.record(z.string().regex(/^[\w-]+::[\w-]+$/), z.unknown()).optional(),
});

export const gotifyRules =
  (token: string): ServiceRules =>
  (request): Answer => {
    if (request.path !== '/message') return { status: 404, body: '{"error":"Not Found","errorCode":404}' };
    if (request.headers['x-gotify-key'] !== token) {
      return { status: 401, body: '{"error":"Unauthorized","errorCode":401}' };
    }
    return gotifyMessage.safeParse(jsonOf(request)).success
      ? undefined
      : { status: 400, body: '{"error":"Bad Request","errorCode":400}' };
  };
