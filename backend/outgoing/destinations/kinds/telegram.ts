import { cutText } from '#backend/contract/cut-text.ts';
import { type MessageWords, cardOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type KindModule, below, escapeHtml, isLoud, json, objectOf } from './kind.ts';

/** "1-4096 characters after entities parsing" (https://core.telegram.org/bots/api#sendmessage), with room for the link's words. */
const MAX_TEXT = 4_000;

/** A username in a text mentions its owner. Addresses of mail stay as they are. */
const withoutUsernames = (text: string): string => text.replaceAll(/(?<![\p{L}\p{N}_])@(?=\w)/gu, '@\u200B');

const inert = (text: string): string => escapeHtml(withoutUsernames(text));

const describe = (body: string): string => {
  const description = objectOf(body)?.['description'];
  return typeof description === 'string' ? description : '';
};

const request = ({ url, room, secrets }: Target, method: string, values: object) =>
  json(below(url, `./bot${secrets.token ?? ''}/${method}`), { chat_id: room, ...values });

/** A link rather than a button: of buttons, addresses without a public name are refused with the whole message. */
function textOf(words: MessageWords): object {
  const lines = [...words.lines, ...words.fields.map(({ name, value }) => `${name}: ${value}`)].join('\n');
  const link = words.link === null ? '' : `\n<a href="${escapeHtml(words.link)}">Open in Alertdesk</a>`;
  const title = `<b>${inert(words.title)}</b>`;
  return {
    text: `${title}\n${inert(cutUnits(lines, MAX_TEXT - words.title.length))}${link}`,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  };
}

/**
 * A chat of Telegram, by a bot (https://core.telegram.org/bots/api). The token is in the address of every request, so addresses
 * are in no answer, log or receipt.
 */
export const telegramKind: KindModule = {
  label: 'Telegram',
  fieldNames: { room: 'chat id', token: 'bot token' },
  isForPeople: true,
  // "20 messages per minute to the same group" (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
  pauseMs: 3_000,
  faultOf(field, value) {
    if (field === 'token' && !/^\d+:[\w-]+$/.test(value))
      return 'The bot token is a number, a colon and letters, such as 123456789:AAE2…. BotFather shows it after /mybots, API Token.';
    if (field === 'room' && !/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(value))
      return 'The chat id is a number, which begins with a minus for groups, or the @name of a public channel.';
    return undefined;
  },
  render: (target, { payload }) =>
    request(target, 'sendMessage', {
      ...textOf(wordsOf(payload)),
      ...(!isLoud(payload) && { disable_notification: true }),
    }),
  live: {
    updatePace: { everyMs: 3_000, burst: 5 },
    card: (target, { payload }, remote) =>
      remote === null
        ? request(target, 'sendMessage', {
            ...textOf(cardOf(payload)),
            ...(!isLoud(payload) && { disable_notification: true }),
          })
        : request(target, 'editMessageText', { message_id: Number(remote), ...textOf(cardOf(payload)) }),
    reply: (target, { payload }, remote) =>
      request(target, 'sendMessage', {
        ...textOf(wordsOf(payload)),
        reply_parameters: { message_id: Number(remote), allow_sending_without_reply: true },
        ...(!isLoud(payload) && { disable_notification: true }),
      }),
    postedAs(body) {
      // The message itself may be long: its id stands at its beginning (https://core.telegram.org/bots/api#message).
      return /"result"\s*:\s*\{\s*"message_id"\s*:\s*(\d{1,15})\b/.exec(body)?.[1];
    },
    isGone: (status, body) =>
      status === 400 && /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i.test(describe(body)),
    isUnchanged: (status, body) => status === 400 && /message is not modified/i.test(describe(body)),
    // In chats with one person, and in groups that are no supergroups, each bot numbers messages by itself: another bot's may have
    // the number of this one's. The token begins with the number of the bot.
    botOf: (token) => token.split(':', 1).join(''),
  },
  explain(status, body) {
    const text = describe(body);
    if (status === 401 || (status === 404 && text === 'Not Found'))
      return 'The bot token is not right. Ask BotFather for it with /mybots, API Token, and enter it.';
    if (status === 404) return 'There is no Bot API server at this address. Enter https://api.telegram.org.';
    if (/chat not found/i.test(text))
      return 'The chat id is not right, or nobody has added the bot there. Add the bot to the chat, or send it /start, and check the chat id.';
    if (status === 403) return 'The bot was removed from the chat, or blocked there. Add it to the chat again.';
    if (/not enough rights|have no rights|need administrator rights|CHAT_WRITE_FORBIDDEN/i.test(text))
      return 'The bot may not write in the chat. Let it post messages there, in a channel as an administrator.';
    if (/TOPIC_CLOSED|CHAT_RESTRICTED/.test(text)) return 'The chat is closed for messages. Open it in Telegram.';
    return undefined;
  },
  /** A group became a supergroup (https://core.telegram.org/bots/api#responseparameters). */
  movedTo(_status, body) {
    const parameters = objectOf(body)?.['parameters'];
    const { migrate_to_chat_id: id } = (typeof parameters === 'object' && parameters !== null ? parameters : {}) as {
      migrate_to_chat_id?: unknown;
    };
    return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : undefined;
  },
};

/** Telegram counts UTF-16 units, of which an emoji of several parts has many. */
function cutUnits(text: string, most: number): string {
  const cut = cutText(text, most);
  return cut.length <= most ? cut : `${cut.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
