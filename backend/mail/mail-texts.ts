import { type AccountLinkKind, accountLinkPath } from '#backend/contract/account-link.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { Mail } from './mail-transport.ts';

/** What the mail with a link is made of. */
interface MailedLink {
  kind: AccountLinkKind;
  displayName: string;
  email: string;
  byName: string | null;
  expiresAt: number;
}

/** Its subject and its text, with the link. */
export function linkMail(publicUrl: URL | undefined, link: MailedLink, token: string): Omit<Mail, 'to'> {
  const address = new URL(accountLinkPath(link.kind, token), publicUrl).href;
  const { subject, paragraphs, action } = WORDS[link.kind](link);
  const until = `The link works once, until ${formatUtc(link.expiresAt)}.`;
  const text = [`Hello ${oneLine(link.displayName)},`, ...paragraphs, `${action}:\n${address}`, until].join('\n\n');
  const html = [
    `<p>Hello ${escapeHtml(oneLine(link.displayName))},</p>`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<p><a href="${escapeHtml(address)}">${action}</a></p>`,
    `<p>${escapeHtml(until)}</p>`,
  ].join('\n');
  return { subject, text: `${text}\n`, html: `<!doctype html>\n<html lang="en"><body>\n${html}\n</body></html>\n` };
}

type Words = (link: MailedLink) => { subject: string; paragraphs: string[]; action: string };

const WORDS: Record<AccountLinkKind, Words> = {
  invitation: ({ email, byName }) => ({
    subject: `You are invited to ${PRODUCT_NAME}`,
    paragraphs: [
      `${byName === null ? 'An administrator' : oneLine(byName)} invites you to ${PRODUCT_NAME}, where your team works on alerts.`,
      `Choose a password, and sign in with it and with ${email} from then on.`,
    ],
    action: 'Accept the invitation',
  }),
  reset: ({ email, byName }) => ({
    subject: `Choose a new password for ${PRODUCT_NAME}`,
    paragraphs: [
      byName === null
        ? `Somebody asked to reset the password of ${email}. If that was not you, ignore this mail: your password stays as it is.`
        : `${oneLine(byName)} sends you a link to choose a new password for ${email}. Until you do, your password stays as it is.`,
      'A new password signs you out everywhere.',
    ],
    action: 'Choose a new password',
  }),
};

/** Names are other people's text: nothing in them begins a line of its own. */
const oneLine = (name: string): string => name.replaceAll(/\s+/g, ' ').trim();

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** Nobody knows where a mail is read. */
const formatUtc = (time: number): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time).replaceAll('\u202F', ' ')} UTC`;
