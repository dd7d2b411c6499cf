import { createHmac, timingSafeEqual } from 'node:crypto';
import { cutText } from '#backend/contract/cut-text.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { cardOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { CHAT_ACTION_LABELS, type ChatAction, actionValue, actionsFor, marksOf } from './chat-actions.ts';
import {
  COLORS,
  type KindModule,
  type RenderedMessage,
  type RenderedRequest,
  below,
  isLoud,
  json,
  objectOf,
  outsideAddresses,
  withoutMentions,
} from './kind.ts';

/** Where Mattermost sends presses of buttons, below the server's own address. */
export const MATTERMOST_ACTIONS_PATH = '/api/chat/mattermost';

/** How much of an answer is read: a post, and a page of a channel. */
const ANSWER_BYTES = 64 * 1024;
const PAGE_BYTES = 2 * 1024 * 1024;

/** Clocks differ by so much at most, in milliseconds. */
const CLOCKS_MS = 300_000;

/** "Maximum length 16,383 characters" of a post (https://developers.mattermost.com/api-documentation/#/operations/CreatePost). */
const MAX_TEXT = 4_000;

/** Characters that Markdown would take for marks. Without brackets no parentheses are a link. */
const escape = (text: string): string =>
  outsideAddresses(withoutMentions(text), (part) => part.replaceAll(/[\\*_~`|>#[\]<!-]/g, String.raw`\$&`));

/**
 * Proves that a button is one of ours: Mattermost does not sign what it sends, and keeps a button's context from its clients
 * (https://developers.mattermost.com/integrate/plugins/interactive-messages).
 */
export const actionKey = (secret: string, action: ChatAction, value: string): string =>
  createHmac('sha256', secret).update(`${action}:${value}`).digest('base64url');

export function isActionKey(secret: string, action: ChatAction, value: string, given: unknown): boolean {
  const [expected, got] = [actionKey(secret, action, value), typeof given === 'string' ? given : ''].map((text) =>
    Buffer.from(text),
  ) as [Buffer, Buffer];
  return expected.length === got.length && timingSafeEqual(expected, got);
}

function buttonsOf(target: Target, { data }: RenderedMessage['payload']): object[] {
  const { alert } = data;
  const { actionSecret } = target.secrets;
  if (alert.link === null || actionSecret === undefined || target.id === '') return [];
  const url = new URL(MATTERMOST_ACTIONS_PATH, alert.link).href;
  const value = actionValue(target.id, alert.id);
  return actionsFor(data).map((action) => ({
    id: action,
    name: CHAT_ACTION_LABELS[action],
    type: 'button',
    style: action === 'accept' ? 'primary' : 'default',
    integration: { url, context: { action, value, key: actionKey(actionSecret, action, value) } },
  }));
}

const authorizationOf = ({ secrets }: Target) => ({ Authorization: `Bearer ${secrets.token}` });

const call = (target: Target, method: 'POST' | 'PUT', path: string, values: object): RenderedRequest => ({
  ...json(below(target.url, `api/v4/${path}`), values, authorizationOf(target)),
  method,
  keepBytes: ANSWER_BYTES,
});

function propsOf(target: Target, message: RenderedMessage): object {
  const { payload } = message;
  const card = cardOf(payload);
  return {
    attachments: [
      {
        fallback: withoutMentions(card.title),
        color: `#${COLORS[payload.data.alert.severity].toString(16).padStart(6, '0')}`,
        title: withoutMentions(card.title),
        ...(card.link !== null && { title_link: card.link }),
        text: cutText(card.lines.map(escape).join('\n'), MAX_TEXT),
        fields: card.fields.map(({ name, value }) => ({ title: escape(name), value: escape(value), short: true })),
        actions: buttonsOf(target, payload),
      },
    ],
    alertdesk: marksOf(message),
  };
}

interface FoundPost {
  id?: unknown;
  root_id?: unknown;
  delete_at?: unknown;
  props?: { alertdesk?: { message_id?: unknown; alert_id?: unknown } };
}

/**
 * A channel of Mattermost, by a bot account (https://developers.mattermost.com/integrate/reference/bot-accounts). One post for
 * each problem is changed in place; notes, and what must be noticed, follow in its thread.
 */
export const mattermostBotKind: KindModule = {
  label: 'Mattermost bot',
  fieldNames: { room: 'channel id', token: 'bot’s access token' },
  hasActionSecret: true,
  isForPeople: true,
  // "10 requests per second" where an administrator limits them (https://docs.mattermost.com/administration-guide/configure/rate-limiting-configuration-settings.html).
  pauseMs: 150,
  faultOf(field, value) {
    if (field === 'room' && !/^[a-z0-9]{26}$/.test(value))
      return 'The channel id has 26 letters and digits. In Mattermost: the channel’s menu, View Info, at the very end.';
    return undefined;
  },
  render: (target, message) => mattermostBotKind.live?.card(target, message, null) ?? call(target, 'POST', 'posts', {}),
  live: {
    updatePace: { everyMs: 150, burst: 10 },
    card: (target, message, remote) =>
      remote === null
        ? call(target, 'POST', 'posts', { channel_id: target.room, message: '', props: propsOf(target, message) })
        : // Without a message, which would be refused after "PostEditTimeLimit" (server/channels/api4/post.go, "postPatchChecks").
          call(target, 'PUT', `posts/${remote}/patch`, { props: propsOf(target, message) }),
    reply(target, message, remote) {
      const { payload } = message;
      const { note } = payload.data;
      const words = wordsOf(payload);
      const text = note
        ? `**${escape(note.author)}**: ${escape(note.text)}`
        : [words.title, ...words.lines.slice(1)].map(escape).join('\n');
      return call(target, 'POST', 'posts', {
        channel_id: target.room,
        root_id: remote,
        message: isLoud(payload) ? `**${text}**` : text,
        props: { alertdesk: marksOf(message) },
      });
    },
    postedAs(body) {
      const id = objectOf(body)?.['id'];
      return typeof id === 'string' && /^[a-z0-9]{26}$/.test(id) ? id : undefined;
    },
    isGone(status, body) {
      const id = String(objectOf(body)?.['id']);
      // What it says of a reply to a deleted post (server/channels/app/post.go of mattermost/mattermost, "CreatePost").
      if (status === 400) return id === 'api.post.create_post.root_id.app_error';
      return status === 404 && /\bpost\b/.test(id);
    },
    // A change of a deleted post is a 403, as one that the bot may not make (server/channels/api4/post.go, "postPatchChecks").
    look: (target, remote, status) =>
      status === 403
        ? {
            via: 'http',
            method: 'GET',
            url: below(target.url, `api/v4/posts/${remote}`),
            headers: authorizationOf(target),
            body: '',
            keepBytes: ANSWER_BYTES,
          }
        : undefined,
    // Changing what another bot posted is a 403, as writing to a channel is that the bot was removed from.
    botOf: (token) => token,
    find(target, { id, payload }, remote) {
      const since = Date.parse(payload.timestamp) - CLOCKS_MS;
      return {
        request: {
          via: 'http',
          method: 'GET',
          url: below(target.url, `api/v4/channels/${encodeURIComponent(target.room ?? '')}/posts?since=${since}`),
          headers: authorizationOf(target),
          body: '',
          keepBytes: PAGE_BYTES,
        },
        read(body) {
          const posts = objectOf(body)?.['posts'];
          if (typeof posts !== 'object' || posts === null) return undefined;
          const found = Object.values(posts as Record<string, FoundPost>).find(
            (post) =>
              post.delete_at === 0 &&
              post.root_id === (remote ?? '') &&
              (remote === null
                ? post.props?.alertdesk?.alert_id === payload.data.alert.id
                : post.props?.alertdesk?.message_id === id),
          );
          if (typeof found?.id !== 'string') return undefined;
          return { remote: found.id, isOwn: found.props?.alertdesk?.message_id === id };
        },
      };
    },
  },
  explain(status, body) {
    const id = String(objectOf(body)?.['id'] ?? '');
    if (status === 401) return 'The access token is not right any more. Make another one for the bot and enter it.';
    if (status === 403 && id.includes('permissions'))
      return 'The bot may not write to this channel. Add it to the team and to the channel.';
    if (status === 404 && id.includes('channel'))
      return 'There is no channel with this id, or it was archived. Check the channel id.';
    if (status === 400 && id.includes('archived')) return 'The channel was archived. Restore it, or enter another one.';
    if (status === 404) return 'There is no Mattermost server at this address.';
    return undefined;
  },
};
