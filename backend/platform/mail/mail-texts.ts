import { type AccountLinkKind, accountLinkPath } from '#backend/contract/account-link.ts';
import { cutText } from '#backend/contract/cut-text.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { Mail } from './mail-transport.ts';

/** What the mail with a link is made of. */
interface MailedLink {
  kind: AccountLinkKind;
  displayName: string;
  email: string;
  byName: string | null;
  expiresAt: number;
  /** False where people sign in with a provider alone. */
  hasPasswords: boolean;
}

/** A part of a mail: a paragraph, a link with what it does, what somebody else wrote, or a list of links. */
export type MailPart =
  | string
  | { action: string; address: string }
  | { quote: string }
  | { items: { text: string; address: string }[] };

/** A mail of these parts, as text and as HTML. Nothing in a part is taken for markup, or begins another header. */
export function composeMail(subject: string, parts: readonly MailPart[]): Omit<Mail, 'to'> {
  const html = parts.map(htmlOf).join('\n');
  return {
    subject: cutText(oneLine(subject), MAX_SUBJECT),
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${html}\n</body></html>\n`,
  };
}

/** Longest subject, in characters. */
const MAX_SUBJECT = 200;

function textOf(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('action' in part) return `${part.action}:\n${part.address}`;
  if ('quote' in part) return clean(part.quote).replaceAll(/^/gm, '> ');
  return part.items.map(({ text, address }) => `- ${oneLine(text)}\n  ${address}`).join('\n');
}

function htmlOf(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('action' in part) return `<p>${anchor(part.address, part.action)}</p>`;
  if ('quote' in part) return `<blockquote>${escapeHtml(clean(part.quote)).replaceAll('\n', '<br>')}</blockquote>`;
  return `<ul>${part.items.map(({ text, address }) => `<li>${anchor(address, oneLine(text))}</li>`).join('')}</ul>`;
}

const anchor = (address: string, text: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;

/** Its subject and its text, with the link. */
export function linkMail(publicUrl: URL | undefined, link: MailedLink, token: string): Omit<Mail, 'to'> {
  const address = new URL(accountLinkPath(link.kind, token), publicUrl).href;
  const { subject, paragraphs, action } = WORDS[link.kind](link);
  const until = `The link works once, until ${formatUtc(link.expiresAt)}.`;
  return composeMail(subject, [`Hello ${oneLine(link.displayName)},`, ...paragraphs, { action, address }, until]);
}

type Words = (link: MailedLink) => { subject: string; paragraphs: string[]; action: string };

const WORDS: Record<AccountLinkKind, Words> = {
  invitation: ({ email, byName, hasPasswords }) => ({
    subject: `You are invited to ${PRODUCT_NAME}`,
    paragraphs: [
      `${byName === null ? 'An administrator' : oneLine(byName)} invites you to ${PRODUCT_NAME}, where your team works on alerts.`,
      hasPasswords
        ? `Choose a password, and sign in with it and with ${email} from then on.`
        : 'Sign in with the account of your organization. No other password is needed.',
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

/** Control characters, and those that turn the direction of what follows. */
const UNSEEN = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Other people's text without what nobody sees. */
const clean = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(UNSEEN, ' ').toWellFormed();

/** Names are other people's text: nothing in them begins a line of its own. */
export const oneLine = (name: string): string => clean(name).replaceAll(/\s+/g, ' ').trim();

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** A moment as mails have it: nobody knows where one is read. */
export const formatUtc = (time: number): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time).replaceAll('\u202F', ' ')} UTC`;
