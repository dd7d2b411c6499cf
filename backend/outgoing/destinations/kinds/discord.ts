import { cutText } from '#backend/contract/cut-text.ts';
import { type MessageWords, cardOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { COLORS, type KindModule, json, objectOf, outsideAddresses } from './kind.ts';

/** Limits of an embed (https://docs.discord.com/developers/resources/message, "Embed Limits"). */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4_096;
const MAX_NAME = 256;
const MAX_VALUE = 1_024;

/** How much of an answer is read: a posted message is in it whole, and its id comes after what it shows. */
const ANSWER_BYTES = 64 * 1024;

/** Characters that Markdown would take for marks. Without brackets no parentheses are a link. */
const escape = (text: string): string =>
  outsideAddresses(text, (part) => part.replaceAll(/[\\*_~`|>#[\]<-]/g, String.raw`\$&`));

/** `wait`: the answer is the message, whose id is needed to change it. */
function addressOf(webhook: string | undefined, message: string | null = null): string {
  const url = new URL(webhook ?? '');
  if (message === null) url.searchParams.set('wait', 'true');
  else url.pathname = `${url.pathname.replace(/\/$/, '')}/messages/${message}`;
  return url.href;
}

/**
 * Where the link stands: as the embed's own, or as text below its lines. Of an embed, a link whose host is one word, such as
 * `localhost`, is refused with the whole message.
 */
function linked({ lines, link }: MessageWords): { description: string; url?: string } {
  const text = lines.map(escape).join('\n');
  const isOwn = link !== null && new URL(link).hostname.includes('.');
  const below = link === null || isOwn ? '' : `\n${link}`;
  return {
    description: `${cutText(text, MAX_DESCRIPTION - 1 - below.length)}${below}`,
    ...(isOwn && { url: link }),
  };
}

const bodyOf = (words: MessageWords, payload: OutgoingPayload) => ({
  // Nobody is notified by what a sender writes.
  allowed_mentions: { parse: [] },
  embeds: [
    {
      title: cutText(escape(words.title), MAX_TITLE - 1),
      ...linked(words),
      color: COLORS[payload.data.alert.severity],
      timestamp: payload.timestamp,
      fields: words.fields.map(({ name, value }) => ({
        name: cutText(escape(name), MAX_NAME - 1),
        value: cutText(escape(value), MAX_VALUE - 1),
        inline: true,
      })),
    },
  ],
});

/** A webhook of a Discord channel (https://docs.discord.com/developers/resources/webhook, "Execute Webhook"): each problem is one message. */
export const discordKind: KindModule = {
  label: 'Discord',
  isForPeople: true,
  // Five requests in two seconds for each webhook; a 429 says when to come again.
  pauseMs: 400,
  render: ({ secrets }, { payload }) => json(addressOf(secrets.url), bodyOf(wordsOf(payload), payload)),
  live: {
    updatePace: { everyMs: 400, burst: 5 },
    // "Edit Webhook Message" on the same page.
    card: ({ secrets }, { payload }, remote) => ({
      ...json(addressOf(secrets.url, remote), bodyOf(cardOf(payload), payload)),
      keepBytes: ANSWER_BYTES,
      ...(remote !== null && { method: 'PATCH' }),
    }),
    postedAs(body) {
      const id = objectOf(body)?.['id'];
      return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : undefined;
    },
    // "Unknown Message" (https://docs.discord.com/developers/topics/opcodes-and-status-codes).
    isGone: (status, body) => status === 404 && objectOf(body)?.['code'] === 10_008,
  },
  explain(status) {
    if (status === 404) return 'The webhook was deleted in Discord. Make another one and enter its address.';
    if (status === 401) return 'The address is not complete. Copy it again in Discord.';
    return undefined;
  },
};
