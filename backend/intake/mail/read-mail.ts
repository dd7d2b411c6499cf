import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type AddressObject, type AttachmentStream, type Headers, MailParser, type MessageText } from 'mailparser';
import { WEBHOOK_MAX_BYTES, WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { httpLink } from '#backend/intake/json/found.ts';
import { scanJson } from '#backend/intake/json/scan-json.ts';

/** Longest text that an alert keeps of an email, in characters. */
export const MAX_TEXT = 64 * 1024;
/** HTML that is longer is not made plain: it would keep the event loop. In characters. */
const MAX_HTML = 256 * 1024;
/** Header lines of one part, in bytes; parts of a message; and attachments that are named. */
const MAX_HEAD = 128 * 1024;
const MAX_PARTS = 200;
const MAX_NAMED = 50;
/** Ids of other emails that are kept: the first of the thread, and the last ones. */
const MAX_REFERENCES = 20;
/** Longest id and other header that is kept, in characters (RFC 5322, section 2.1.1). */
const MAX_HEADER = 998;
/** What is parsed in one turn of the event loop, in bytes. */
const SLICE = 64 * 1024;

/** An attachment: its content is counted and thrown away. */
interface NamedAttachment {
  name: string | null;
  type: string;
  /** Bytes, decoded. */
  size: number;
}

/** What is read of an email, in the form that alerts and the delivery log keep. */
export interface MailContent {
  subject: string | null;
  from: { name: string | null; address: string | null };
  to: string[];
  /** When it was written by its sender's clock, ISO 8601. */
  date: string | null;
  text: string;
  /** Only the beginning of the text is kept, or the text is HTML that is too long to be read. */
  isTextCut: boolean;
  /** The first web address of the text. */
  link: string | null;
  /** Its `Message-ID`; of an email with a date and without an id, the hash of the whole; else null: any may be another. */
  messageId: string | null;
  /** Ids of the emails that it replies to, the first of the thread first. */
  references: string[];
  importance: 'high' | 'normal' | 'low';
  /** What its mailing list puts before subjects, without brackets. */
  listTag: string | null;
  attachments: NamedAttachment[];
  /** Why it makes no alert: an automatic answer, or the report of an email that could not be delivered. */
  ignored: string | null;
}

/** An email, and the JSON that stands in it instead of a text. */
export interface ReadMail {
  content: MailContent;
  /** Read as a webhook's body. */
  json: string | null;
}

/** An email that cannot be read; the message is one sentence for its sender. */
export class UnreadableMail extends Error {}

/**
 * Reads a message (RFC 5322, MIME): its text without HTML, its attachments by their names. It takes several turns of the
 * event loop where the message is large.
 *
 * @param raw the message as received
 * @param envelopeFrom the address of MAIL FROM; empty for reports that nobody is to answer
 * @throws {UnreadableMail} when it has too many parts or too long a header
 */
export async function readMail(raw: Buffer, envelopeFrom: string): Promise<ReadMail> {
  const { headers, text, attachments, json } = await parse(raw);
  const written = text?.text ?? '';
  const plain = written.replaceAll('\0', '').toWellFormed().replaceAll('\r\n', '\n').trim();
  const messageId = idOf(textOf(headers.get('message-id')));
  const [from] = addressesOf(headers.get('from'));
  const content: MailContent = {
    subject: headerOf(headers, 'subject'),
    from: { name: from?.name ?? null, address: from?.address ?? null },
    to: addressesOf(headers.get('to')).flatMap(({ address }) => address ?? []),
    date: dateOf(headers.get('date')),
    text: plain.slice(0, MAX_TEXT).toWellFormed(),
    isTextCut: plain.length > MAX_TEXT || text?.textConversionError !== undefined,
    link: linkIn(plain),
    messageId: messageId ?? (headers.has('date') ? hash('sha256', raw) : null),
    references: referencesOf(headers),
    importance: importanceOf(headers),
    listTag: listTagOf(headers),
    attachments: attachments.slice(0, MAX_NAMED),
    ignored: whyIgnored(headers, envelopeFrom),
  };
  return { content, json: jsonIn(json ?? plain) };
}

interface Parsed {
  headers: Headers;
  text: MessageText | undefined;
  attachments: NamedAttachment[];
  /** The body of a message that is JSON as a whole. */
  json: string | undefined;
}

async function parse(raw: Buffer): Promise<Parsed> {
  const parser = new MailParser({
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    checksumAlgo: false,
    ignoreEmbedded: true,
    keepDeliveryStatus: false,
    maxHtmlLengthToParse: MAX_HTML,
    maxHeadSize: MAX_HEAD,
    maxChildNodes: MAX_PARTS,
  });
  const parsed: Parsed = { headers: new Map(), text: undefined, attachments: [], json: undefined };
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  // It is awaited at the end; until then nobody listens to it.
  ended.catch(() => undefined);
  parser.on('headers', (headers) => (parsed.headers = headers));
  parser.on('data', (part) => {
    if (part.type === 'text') parsed.text = part;
    else count(part, parsed);
  });
  parser.on('end', resolve);
  parser.on('error', (error: Error) => reject(new UnreadableMail(error.message, { cause: error })));
  for (let at = 0; at < raw.length && !parser.destroyed; at += SLICE) {
    const isTaken = parser.write(raw.subarray(at, at + SLICE));
    if (!isTaken) await Promise.race([ended, new Promise((next) => parser.once('drain', () => next(undefined)))]);
    await setImmediate();
  }
  parser.end();
  await ended;
  return parsed;
}

/** Counts an attachment's bytes, and keeps those of a message that is nothing but JSON. */
function count(part: AttachmentStream, parsed: Parsed): void {
  const isJson = part.partId === null && /^application\/(?:[\w.-]+\+)?json$/i.test(part.contentType);
  const chunks: Buffer[] = [];
  let size = 0;
  part.content.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (isJson && size <= WEBHOOK_MAX_BYTES) chunks.push(chunk);
  });
  part.content.on('end', () => {
    if (isJson) parsed.json = Buffer.concat(chunks).toString('utf8').toWellFormed();
    else parsed.attachments.push({ name: bounded(part.filename), type: bounded(part.contentType) ?? '', size });
    part.release?.();
  });
}

const bounded = (text: string | undefined): string | null => {
  const line = (text ?? '')
    .slice(0, MAX_HEADER)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line;
};

const textOf = (value: unknown): string | undefined => {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : undefined;
};

const headerOf = (headers: Headers, name: string): string | null => bounded(textOf(headers.get(name)));

/** Most people of one header. */
const MAX_ADDRESSES = 50;

function addressesOf(value: unknown): { name: string | null; address: string | null }[] {
  const headers = (Array.isArray(value) ? value : [value]) as (AddressObject | undefined)[];
  return headers
    .flatMap((header) => header?.value ?? [])
    .flatMap(({ group, ...one }) => group ?? [one])
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address }) => ({ name: bounded(name), address: bounded(address) }));
}

const dateOf = (value: unknown): string | null =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;

/** An id without its angle brackets (RFC 5322, section 3.6.4). */
const idOf = (text: string | undefined): string | null => bounded(text?.replaceAll(/[<>\s]/g, ''));

function referencesOf(headers: Headers): string[] {
  const references = [headers.get('references') ?? [], headers.get('in-reply-to') ?? []].flat() as unknown[];
  const ids = references
    .flatMap((text) => (typeof text === 'string' ? text.slice(0, MAX_HEAD).split(/[\s,]+/) : []))
    .flatMap((id) => idOf(id) ?? []);
  const unique = [...new Set(ids)];
  return unique.length <= MAX_REFERENCES ? unique : [...unique.slice(0, 1), ...unique.slice(1 - MAX_REFERENCES)];
}

function importanceOf(headers: Headers): MailContent['importance'] {
  const priority = headers.get('priority');
  return priority === 'high' || priority === 'low' ? priority : 'normal';
}

/** The name of the list, or the first label of its id (RFC 2919): what lists put before subjects. */
function listTagOf(headers: Headers): string | null {
  const list = headers.get('list') as { id?: { name?: string; id?: string } } | undefined;
  return bounded(list?.id?.id?.split('.')[0] ?? list?.id?.name);
}

/** Automatic answers (RFC 3834) and reports of what could not be delivered (RFC 3464): an alert about them would be answered again. */
function whyIgnored(headers: Headers, envelopeFrom: string): string | null {
  const automatic = textOf(headers.get('auto-submitted'))?.split(';', 1)[0]?.trim().toLowerCase() ?? 'no';
  if (automatic !== 'no' && automatic !== 'auto-generated' && automatic !== '') {
    return `An automatic answer (Auto-Submitted: ${automatic.slice(0, 40).toWellFormed()})`;
  }
  const type = headers.get('content-type') as { value?: string; params?: Record<string, string> } | undefined;
  const isReport = type?.value?.toLowerCase() === 'multipart/report';
  const reports = type?.params?.['report-type']?.toLowerCase();
  if (envelopeFrom === '' && isReport) return 'A report of an email that could not be delivered';
  return isReport && reports === 'disposition-notification' ? 'A receipt of an email that was read' : null;
}

/** The first web address, as far as the first characters have one. */
function linkIn(text: string): string | null {
  const found = /https?:\/\/[^\s<>"'\])]{1,2000}/i.exec(text.slice(0, MAX_TEXT))?.[0].replace(/[.,;:!?]+$/, '');
  return (found && httpLink(found)) ?? null;
}

/** A text that is a JSON object or array as a whole. */
function jsonIn(text: string): string | null {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || Buffer.byteLength(trimmed) > WEBHOOK_MAX_BYTES) return null;
  return scanJson(trimmed, WEBHOOK_MAX_DEPTH) === 'valid' ? trimmed : null;
}
