import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { type MessageWords, cardOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type KindModule, type RenderedMessage, type RenderedRequest, below, form, objectOf } from './kind.ts';

/** `max_message_length` and `max_topic_length`, both in characters of Unicode (https://zulip.com/api/register-queue). */
const MAX_CONTENT = 10_000;
const MAX_TOPIC = 60;

/** Characters of an alert's id by which topics of the same name differ. */
const TOPIC_ID = 6;

/**
 * Zulip has no backslash escapes. It takes HTML entities, which no pattern of its Markdown sees: `@**all**` mentions nobody,
 * and no text is a quote, a heading, a formula or a link under other words
 * (https://github.com/zulip/zulip/blob/main/zerver/lib/markdown/__init__.py, `build_inlinepatterns`). What addresses contain
 * stays, so that they are links.
 */
const escape = (text: string): string =>
  text
    .replaceAll(/^[ \t]+/gm, '')
    .replaceAll(/&(?=#?\w+;)|[<>*`|]|^#|\](?=\()|~(?=~)|\$(?=\$)/gm, (mark) => `&#${mark.codePointAt(0)};`);

/** A text, escaped and cut so that it takes so many characters at most. */
function escapeWithin(text: string, most: number): string {
  const points = Array.from(text);
  for (let count = points.length; count > 0; count = Math.floor(count * 0.9)) {
    const escaped = escape(points.slice(0, count).join(''));
    if (escaped.length < most) return count === points.length ? escaped : `${escaped}…`;
  }
  return '';
}

/** One topic for each problem, whose name no repeat changes. Topics are plain text. */
function topicOf({ data: { alert } }: OutgoingPayload): string {
  const name = [alert.alertType ?? alert.source ?? 'Alert', alert.customer].filter((part) => part !== null).join(' · ');
  const points = Array.from(name);
  const most = MAX_TOPIC - TOPIC_ID - 1;
  const short = points.length <= most ? name : `${points.slice(0, most - 1).join('')}…`;
  return `${short} ${alert.id.slice(-TOPIC_ID)}`;
}

function contentOf(words: MessageWords): string {
  const link = words.link === null ? '' : `\n[Open in Alertdesk](${words.link})`;
  const title = `**${escapeWithin(words.title, MAX_CONTENT / 4)}**\n`;
  const lines = [...words.lines, ...words.fields.map(({ name, value }) => `${name}: ${value}`)].join('\n');
  return title + escapeWithin(lines, MAX_CONTENT - title.length - link.length) + link;
}

const authorizationOf = ({ account, secrets }: Target) => ({
  Authorization: `Basic ${Buffer.from(`${account}:${secrets.token}`).toString('base64')}`,
});

const post = (target: Target, { payload }: RenderedMessage, words: MessageWords): RenderedRequest =>
  form(
    below(target.url, 'api/v1/messages'),
    {
      // The name by which servers of every version know channels.
      type: 'stream',
      to: target.room ?? '',
      topic: topicOf(payload),
      content: contentOf(words),
    },
    authorizationOf(target),
  );

/** A channel of Zulip, by a bot (https://zulip.com/api/send-message). */
export const zulipKind: KindModule = {
  label: 'Zulip',
  fieldNames: { account: 'bot’s email', token: 'API key', room: 'channel' },
  isForPeople: true,
  faultOf: (field, value) =>
    field === 'account' && !/^[^\s@]+@[^\s@]+$/.test(value) ? 'The bot’s email is no email address.' : undefined,
  // 200 requests a minute of one account (https://zulip.com/api/rest-error-handling, "Rate limit").
  pauseMs: 300,
  render: (target, message) => post(target, message, wordsOf(message.payload)),
  live: {
    updatePace: { everyMs: 300, burst: 10 },
    // https://zulip.com/api/update-message. Notes and what must be noticed are messages of the same topic.
    card(target, message, remote) {
      const words = cardOf(message.payload);
      if (remote === null) return post(target, message, words);
      const { url } = target;
      const values = { content: contentOf(words) };
      return { ...form(below(url, `api/v1/messages/${remote}`), values, authorizationOf(target)), method: 'PATCH' };
    },
    postedAs(body) {
      const id = objectOf(body)?.['id'];
      return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : undefined;
    },
    // Organizations let messages be changed for a while only, and bots of some types change none.
    isGone(status, body) {
      const { code, msg } = objectOf(body) ?? {};
      return (
        code === 'EXPECTATION_MISMATCH' ||
        (status < 500 &&
          typeof msg === 'string' &&
          /time limit|invalid message|permission to edit|incoming webhook bots/i.test(msg))
      );
    },
  },
  explain(status, body) {
    const { code, msg } = objectOf(body) ?? {};
    if (code === 'STREAM_DOES_NOT_EXIST')
      return 'There is no channel of this name, or it was archived. Enter the name as Zulip shows it.';
    if (code === 'USER_DEACTIVATED') return 'The bot was deactivated in Zulip. Reactivate it, or enter another one.';
    if (code === 'REALM_DEACTIVATED') return 'The organization was deactivated in Zulip.';
    if (status === 401 || code === 'INVALID_API_KEY')
      return 'The bot’s email or API key is not right. Both are in Zulip under Settings, Bots.';
    if (status === 403 || (typeof msg === 'string' && /not authorized|not have permission/i.test(msg)))
      return 'The bot may not write to this channel. Subscribe it, or let it post there in the channel’s settings.';
    if (status === 404) return 'There is no Zulip server at this address.';
    return undefined;
  },
};
