import { wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { type KindModule, cutBytes, json } from './kind.ts';

/** "The maximum message size, including text and cards, is 32,000 bytes" (https://developers.google.com/workspace/chat/create-messages). */
const MAX_TEXT_BYTES = 30_000;

/**
 * Only angle brackets are commands: `<users/all>` mentions, `<https://…|text>` is a link under other words
 * (https://developers.google.com/workspace/chat/format-messages). There is no way to escape them.
 */
const inert = (text: string): string => text.replaceAll('<', '<\u200B');

/** Marks around a text make it bold; what is in it already stays as it is. */
const bold = (text: string): string => (/[*\n]/.test(text) ? text : `*${text}*`);

/** A space of Google Chat, by an incoming webhook (https://developers.google.com/workspace/chat/quickstart/webhooks). */
export const googleChatKind: KindModule = {
  label: 'Google Chat',
  isForPeople: true,
  // "Per-space quotas: 1 request per second", of all apps and webhooks (https://developers.google.com/workspace/chat/limits).
  pauseMs: 1_000,
  faultOf: (field, value) =>
    field === 'url' && !/\/v1\/spaces\/[^/?]+\/messages\?(?=.*\bkey=.)(?=.*\btoken=.)/.test(value)
      ? 'The address of a webhook contains /v1/spaces/ and ends with its key and token. Copy it in the space, under Apps & integrations, Webhooks.'
      : undefined,
  render({ secrets }, { payload }) {
    const words = wordsOf(payload);
    const url = new URL(secrets.url ?? '');
    // One thread for each problem; a space without threads posts it as it is.
    url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    const text = [
      bold(inert(words.title)),
      ...words.lines.map(inert),
      ...words.fields.map(({ name, value }) => `${inert(name)}: ${inert(value)}`),
    ].join('\n');
    const link = words.link === null ? '' : `\n<${words.link}|Open in Alertdesk>`;
    return json(url.href, {
      text: cutBytes(text, MAX_TEXT_BYTES) + link,
      thread: { threadKey: payload.data.alert.id },
    });
  },
  explain(status, body) {
    if (status === 400 && /API_KEY_INVALID|API key not valid/.test(body))
      return 'The address is not complete. Copy it again in the space, under Apps & integrations, Webhooks.';
    if (status === 401 || status === 403)
      return 'The webhook was removed from the space. Add another one under Apps & integrations, Webhooks, and enter its address.';
    if (status === 404) return 'The space is gone. Add a webhook to another one and enter its address.';
    return undefined;
  },
};
