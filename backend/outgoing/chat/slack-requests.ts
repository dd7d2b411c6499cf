import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type ChatAction, isChatAction, readActionValue } from '#backend/outgoing/destinations/kinds/chat-actions.ts';
import { type RenderedRequest, below, json, objectOf } from '#backend/outgoing/destinations/kinds/kind.ts';
import { escapeSlack } from '#backend/outgoing/destinations/kinds/slack-text.ts';
import { waitAtMost } from '#backend/platform/database/repeat.ts';
import { type NamedAccount, accountNameOf } from './chat-account.ts';
import type { Said } from './press-button.ts';

/** A request of Slack is taken for so long after it was signed, in seconds. */
const FRESH_S = 300;

/** Slack waits for an acknowledgement for 3 s, then it shows who pressed that it failed. */
const ACKNOWLEDGE_MS = 2_500;

/** Waits until a press is done, for as long as its acknowledgement may take: what takes longer is done behind it. */
export const whileSlackWaits = (pressing: Promise<void>): Promise<void> => waitAtMost(ACKNOWLEDGE_MS, pressing);

/**
 * Whether Slack signed a request: HMAC-SHA-256 over version, time and body
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export function isSignedBySlack(
  secret: string,
  { signature, timestamp, body }: { signature: string; timestamp: string; body: string },
  now = Date.now(),
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > FRESH_S) return false;
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`);
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** What is read of `block_actions` (https://docs.slack.dev/reference/interaction-payloads/block_actions-payload). */
const pressSchema = z.object({
  type: z.literal('block_actions'),
  user: z.object({
    id: z.string().check(z.minLength(1), z.maxLength(100)),
    username: z.optional(z.string()),
    name: z.optional(z.string()),
    team_id: z.optional(z.string()),
  }),
  team: z.nullish(z.object({ id: z.string().check(z.maxLength(100)) })),
  actions: z.array(z.object({ action_id: z.string(), value: z.optional(z.string()) })),
});

/** A button of ours that somebody pressed. */
export interface SlackPress {
  destinationId: string;
  alertId: string;
  action: ChatAction;
  named: NamedAccount;
}

/** Reads a press; undefined for what concerns nobody here, such as a link that was opened. */
export function readSlackPress(payload: string): SlackPress | undefined {
  const parsed = pressSchema.safeParse(objectOf(payload));
  if (!parsed.success) return undefined;
  const { user, team, actions } = parsed.data;
  const [pressed] = actions;
  const about = readActionValue(pressed?.value);
  const place = user.team_id ?? team?.id;
  if (!about || !isChatAction(pressed?.action_id) || place === undefined) return undefined;
  const accountName = accountNameOf(user.name ?? user.username ?? user.id);
  return { ...about, action: pressed.action_id, named: { service: 'slack', place, account: user.id, accountName } };
}

const authorizationOf = ({ secrets }: Target) => ({ Authorization: `Bearer ${secrets.token}` });

/** Shows something to one person alone (https://docs.slack.dev/reference/methods/chat.postEphemeral). */
export const ephemeralRequest = (target: Target, user: string, said: NonNullable<Said>): RenderedRequest => {
  const link = said.link ? ` <${said.link.url}|${escapeSlack(said.link.label)}>` : '';
  const values = { channel: target.room, user, text: `${escapeSlack(said.text)}${link}` };
  return json(below(target.url, 'chat.postEphemeral'), values, authorizationOf(target));
};

/** https://docs.slack.dev/reference/methods/users.info, with the scopes users:read and users:read.email. */
export const userRequest = (target: Target, user: string): RenderedRequest => ({
  via: 'http',
  method: 'GET',
  url: `${below(target.url, 'users.info')}?${new URLSearchParams({ user })}`,
  headers: authorizationOf(target),
  body: '',
  keepBytes: 64 * 1024,
});

const userSchema = z.object({
  ok: z.literal(true),
  user: z.object({
    deleted: z.optional(z.boolean()),
    is_bot: z.optional(z.boolean()),
    is_stranger: z.optional(z.boolean()),
    is_email_confirmed: z.optional(z.boolean()),
    team_id: z.optional(z.string()),
    real_name: z.optional(z.string()),
    profile: z.object({ email: z.optional(z.string()) }),
  }),
});

/** The email of one of the workspace's own people. Of guests from elsewhere, another workspace says what their email is. */
export function readSlackUser(
  body: string,
  { place }: NamedAccount,
): { email: string | undefined; name: string | undefined } {
  const parsed = userSchema.safeParse(objectOf(body));
  if (!parsed.success) return { email: undefined, name: undefined };
  const { user } = parsed.data;
  const isOwn =
    user.deleted !== true &&
    user.is_bot !== true &&
    user.is_stranger !== true &&
    user.is_email_confirmed !== false &&
    user.team_id === place;
  return { email: isOwn ? user.profile.email : undefined, name: user.real_name };
}
