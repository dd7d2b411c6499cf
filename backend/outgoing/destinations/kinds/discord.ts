import { cutText } from '#backend/contract/cut-text.ts';
import { wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { COLORS, type KindModule, json } from './kind.ts';

/** Limits of an embed (https://docs.discord.com/developers/resources/message, "Embed Limits"). */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4_096;
const MAX_NAME = 256;
const MAX_VALUE = 1_024;

/** Characters that Markdown would take for marks. */
const escape = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<-]/g, String.raw`\$&`);

/** A webhook of a Discord channel (https://docs.discord.com/developers/resources/webhook, "Execute Webhook"). */
export const discordKind: KindModule = {
  label: 'Discord',
  fields: { url: 'required' },
  isAddressSecret: true,
  isSigned: false,
  isForPeople: true,
  // Five requests in two seconds for each webhook; a 429 says when to come again.
  pauseMs: 400,
  render({ secrets }, { payload }) {
    const words = wordsOf(payload);
    return json(secrets.url ?? '', {
      // Nobody is notified by what a sender writes.
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: cutText(escape(words.title), MAX_TITLE - 1),
          description: cutText(words.lines.map(escape).join('\n'), MAX_DESCRIPTION - 1),
          color: COLORS[payload.data.alert.severity],
          timestamp: payload.timestamp,
          fields: words.fields.map(({ name, value }) => ({
            name: cutText(escape(name), MAX_NAME - 1),
            value: cutText(escape(value), MAX_VALUE - 1),
            inline: true,
          })),
          ...(words.link !== null && { url: words.link }),
        },
      ],
    });
  },
  explain(status) {
    if (status === 404) return 'The webhook was deleted in Discord. Make another one and enter its address.';
    if (status === 401) return 'The address is not complete. Copy it again in Discord.';
    return undefined;
  },
};
