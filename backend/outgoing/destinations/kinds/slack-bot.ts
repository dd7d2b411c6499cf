import type { AlertSeverity, AlertStatus } from '#backend/contract/alert.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { cutText } from '#backend/contract/cut-text.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { cardOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { CHAT_ACTION_LABELS, type ChatAction, actionsFor, actionValue, marksOf } from './chat-actions.ts';
import { type KindModule, type RenderedMessage, type RenderedRequest, below, isLoud, json, objectOf } from './kind.ts';
import { escapeSlack } from './slack-text.ts';

/** Names what Alertdesk posted among a channel's messages (https://docs.slack.dev/messaging/message-metadata). */
const EVENT_TYPE = 'alertdesk_message';

/** How much of an answer is read: a posted message is in it whole. */
const ANSWER_BYTES = 64 * 1024;
/** How much of a page of a channel's messages is read. */
const PAGE_BYTES = 2 * 1024 * 1024;
const PAGE_MESSAGES = 100;

/** Clocks differ by so much at most, in seconds. */
const CLOCKS_S = 300;

const SEVERITY_MARKS: Record<AlertSeverity, string> = {
  critical: ':red_circle:',
  high: ':large_orange_circle:',
  warning: ':large_yellow_circle:',
  low: ':large_blue_circle:',
  info: ':large_blue_circle:',
  none: ':white_circle:',
};

const STATUS_MARKS: Record<AlertStatus, string> = { pending: '○', accepted: '●', 'in-progress': '●', completed: '✓' };

/** Longest text of a section, and of one of its fields (https://docs.slack.dev/reference/block-kit/blocks/section-block). */
const MAX_SECTION = 2_900;
const MAX_FIELD = 1_900;

const mrkdwn = (text: string, most = MAX_SECTION) => ({ type: 'mrkdwn', text: cutText(text, most) });

/** Whether presses of buttons reach this server: by Socket Mode, or by signed requests. */
const hasButtons = ({ id, secrets }: Target): boolean =>
  id !== '' && (secrets.appToken !== undefined || secrets.requestSecret !== undefined);

/** One at most is filled: what most people press. */
const buttonOf = (action: ChatAction, value: string) => ({
  type: 'button',
  action_id: action,
  text: { type: 'plain_text', text: CHAT_ACTION_LABELS[action] },
  value,
  ...(action === 'accept' && { style: 'primary' }),
});

function blocksOf(target: Target, payload: OutgoingPayload): object[] {
  const { alert } = payload.data;
  const card = cardOf(payload);
  const [status = '', ...rest] = card.news.split(', ');
  const buttons = hasButtons(target) ? actionsFor(payload.data) : [];
  const elements = [
    ...buttons.map((action) => buttonOf(action, actionValue(target.id, alert.id))),
    ...(card.link === null
      ? []
      : [{ type: 'button', action_id: 'open', text: { type: 'plain_text', text: 'Open' }, url: card.link }]),
  ];
  return [
    { type: 'section', text: mrkdwn(`${SEVERITY_MARKS[alert.severity]} *${escapeSlack(card.title)}*`) },
    ...(card.place === '' ? [] : [{ type: 'context', elements: [mrkdwn(escapeSlack(card.place))] }]),
    ...(card.fields.length === 0
      ? []
      : [
          {
            type: 'section',
            fields: card.fields.map(({ name, value }) =>
              mrkdwn(`${escapeSlack(name)}  *${escapeSlack(value)}*`, MAX_FIELD),
            ),
          },
        ]),
    {
      type: 'section',
      text: mrkdwn(
        `${STATUS_MARKS[alert.status]} *${escapeSlack(status)}*${rest.length === 0 ? '' : `  ${escapeSlack(rest.join(', '))}`}`,
      ),
    },
    ...(elements.length === 0 ? [] : [{ type: 'actions', block_id: 'alertdesk', elements }]),
  ];
}

/** A call of the Web API (https://docs.slack.dev/apis/web-api). */
const call = (target: Target, method: string, values: object): RenderedRequest => ({
  ...json(below(target.url, method), { channel: target.room, ...values }, authorizationOf(target)),
  keepBytes: ANSWER_BYTES,
});

const authorizationOf = ({ secrets }: Target) => ({ Authorization: `Bearer ${secrets.token}` });

const metadataOf = (message: RenderedMessage) => ({
  metadata: { event_type: EVENT_TYPE, event_payload: marksOf(message) },
});

/** What notifications on phones and desktops say. */
const plainText = (payload: OutgoingPayload): string => {
  const { title } = cardOf(payload);
  const { customer } = payload.data.alert;
  return escapeSlack(customer === null ? title : `${title}, ${customer}`);
};

/** What a method answers with, and what can be done. Statuses stand for what the Web API says with 200. */
const ANSWERS: Record<string, { status: number; text?: string }> = {
  ...Object.fromEntries(
    ['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired', 'not_allowed_token_type'].map(
      (error) => [
        error,
        { status: 401, text: 'The bot token is not right any more. Copy it again: in the app, OAuth & Permissions.' },
      ],
    ),
  ),
  not_in_channel: { status: 403, text: 'The bot is not in the channel. Write /invite @alertdesk there.' },
  channel_not_found: {
    status: 404,
    text: 'There is no channel with this id, or the bot cannot see it. Write /invite @alertdesk there, and check the id.',
  },
  is_archived: { status: 403, text: 'The channel was archived. Restore it, or enter another one.' },
  restricted_action: {
    status: 403,
    text: 'An administrator of the workspace does not let apps write here. Ask there.',
  },
  team_access_not_granted: { status: 403, text: 'The app was removed from the workspace. Install it again.' },
  message_not_found: { status: 404 },
  cant_update_message: { status: 404 },
  edit_window_closed: { status: 404 },
  ratelimited: { status: 429 },
  rate_limited: { status: 429 },
  internal_error: { status: 503 },
  fatal_error: { status: 503 },
  service_unavailable: { status: 503 },
  request_timeout: { status: 503 },
};

const errorOf = (body: string): { error: string; needed: string } | undefined => {
  const { ok, error, needed } = objectOf(body) ?? {};
  if (ok !== false || typeof error !== 'string') return undefined;
  return { error, needed: typeof needed === 'string' ? needed : '' };
};

const GONE = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

/**
 * A channel of Slack, by an app with a bot (https://docs.slack.dev/reference/methods/chat.postMessage). One message for each
 * problem is changed in place; notes, and what must be noticed, follow in its thread. Presses of its buttons come back by Socket
 * Mode or by signed requests.
 */
export const slackBotKind: KindModule = {
  label: 'Slack app',
  fieldNames: { room: 'channel id', token: 'bot token', requestSecret: 'signing secret' },
  isForPeople: true,
  // "1 message per second per channel" (https://docs.slack.dev/apis/web-api/rate-limits).
  pauseMs: 1_000,
  faultOf(field, value) {
    if (field === 'room' && !/^[CG][A-Z0-9]{6,20}$/.test(value))
      return 'The channel id begins with C, such as C0123456789. In Slack: the channel’s name, About, at the very end.';
    if (field === 'token' && !value.startsWith('xoxb-'))
      return 'The bot token begins with xoxb-. In the app: OAuth & Permissions, Bot User OAuth Token.';
    if (field === 'appToken' && value !== '' && !value.startsWith('xapp-'))
      return 'The app-level token begins with xapp-. In the app: Basic Information, App-Level Tokens, with the scope connections:write.';
    if (field === 'requestSecret' && value !== '' && !/^[0-9a-f]{32}$/.test(value))
      return 'The signing secret has 32 digits from 0 to f. In the app: Basic Information, Signing Secret.';
    return undefined;
  },
  render: (target, message) => slackBotKind.live?.card(target, message, null) ?? call(target, 'chat.postMessage', {}),
  live: {
    // Tier 3: "50+ per minute": ten at once and forty more are no more than that.
    updatePace: { everyMs: 1_500, burst: 10 },
    card(target, message, remote) {
      const { payload } = message;
      const shown = { text: plainText(payload), blocks: blocksOf(target, payload) };
      return remote === null
        ? call(target, 'chat.postMessage', {
            ...shown,
            ...metadataOf(message),
            unfurl_links: false,
            unfurl_media: false,
          })
        : call(target, 'chat.update', { ts: remote, ...shown });
    },
    reply(target, message, remote) {
      const { payload } = message;
      const { note } = payload.data;
      const words = wordsOf(payload);
      const text = note
        ? `*${escapeSlack(note.author)}*: ${escapeSlack(note.text)}`
        : [words.title, ...words.lines.slice(1)].map(escapeSlack).join('\n');
      return call(target, 'chat.postMessage', {
        text,
        thread_ts: remote,
        ...(isLoud(payload) && { reply_broadcast: true }),
        ...metadataOf(message),
        unfurl_links: false,
        unfurl_media: false,
      });
    },
    postedAs(body) {
      const { ok, ts } = objectOf(body) ?? {};
      return ok === true && typeof ts === 'string' && /^\d+\.\d+$/.test(ts) ? ts : undefined;
    },
    isGone: (_status, body) => GONE.has(errorOf(body)?.error ?? ''),
    /** Needs the scope channels:history or groups:history; without it a message may be posted twice. */
    find(target, { id, payload }, remote) {
      const oldest = Math.floor(Date.parse(payload.timestamp) / 1000) - CLOCKS_S;
      const query = new URLSearchParams({
        channel: target.room ?? '',
        oldest: String(oldest),
        limit: String(PAGE_MESSAGES),
        include_all_metadata: 'true',
        ...(remote !== null && { ts: remote }),
      });
      const method = remote === null ? 'conversations.history' : 'conversations.replies';
      const isOwn = (posted: { message_id?: unknown; alert_id?: unknown }): boolean =>
        remote === null ? posted.alert_id === payload.data.alert.id : posted.message_id === id;
      return {
        request: {
          via: 'http',
          method: 'GET',
          url: `${below(target.url, method)}?${query}`,
          headers: authorizationOf(target),
          body: '',
          keepBytes: PAGE_BYTES,
        },
        read(body) {
          const messages = objectOf(body)?.['messages'];
          if (!Array.isArray(messages)) return undefined;
          const found = (messages as PostedMessage[]).find(
            ({ metadata, thread_ts: thread, ts }) =>
              metadata?.event_type === EVENT_TYPE &&
              isOwn(metadata.event_payload ?? {}) &&
              (remote !== null || thread === undefined || thread === ts),
          );
          if (typeof found?.ts !== 'string') return undefined;
          return { remote: found.ts, isOwn: found.metadata?.event_payload?.message_id === id };
        },
      };
    },
  },
  statusOf: (status, body) => {
    const found = errorOf(body);
    if (!found) return status;
    if (found.error === 'missing_scope') return 403;
    return ANSWERS[found.error]?.status ?? 400;
  },
  explain(status, body) {
    const found = errorOf(body);
    if (found?.error === 'missing_scope')
      return `The app lacks the scope ${found.needed}. Add it in the app under OAuth & Permissions, install it again, and enter the new token.`;
    if (found) return ANSWERS[found.error]?.text;
    return status === 404 ? 'There is no Web API at this address. Enter https://slack.com/api.' : undefined;
  },
};

interface PostedMessage {
  ts?: unknown;
  thread_ts?: unknown;
  metadata?: { event_type?: unknown; event_payload?: { message_id?: unknown; alert_id?: unknown } };
}
