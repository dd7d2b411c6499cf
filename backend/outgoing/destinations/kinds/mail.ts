import { type MailPart, composeMail } from '#backend/platform/mail/mail-texts.ts';
import { wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import type { KindModule } from './kind.ts';

/**
 * A list of people by mail: one mail to all of them. Where the mail server takes it for some of them only, the receipt says for
 * whom it did not. Its `Message-ID` is the same in every attempt, by which mail programs show it once (RFC 5322, section 3.6.4).
 */
export const mailKind: KindModule = {
  label: 'Mail list',
  isForPeople: true,
  pauseMs: 0,
  render({ recipients }, { id, payload }) {
    const words = wordsOf(payload);
    const { note } = payload.data;
    const parts: MailPart[] = [
      words.title,
      ...words.lines.slice(0, note ? 1 : undefined),
      ...(note ? [`${note.author} wrote:`, { quote: note.text }] : []),
      ...words.fields.map(({ name, value }) => `${name}: ${value}`),
      ...(words.link === null ? [] : [{ action: 'Open in Alertdesk', address: words.link }]),
    ];
    return { via: 'mail', mail: { to: recipients, messageId: id, ...composeMail(words.title, parts) } };
  },
};
