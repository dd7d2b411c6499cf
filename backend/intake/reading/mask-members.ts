import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import type { SourceSettings } from '#backend/contract/source.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import { ADAPTERS } from '#backend/intake/adapters/adapter-table.ts';
import type { SenderRequest } from '#backend/intake/adapters/adapter.ts';
import {
  type OnMember,
  readString,
  scanJson,
  scanMembers,
  skipSpace,
  skipValue,
} from '#backend/intake/json/scan-json.ts';
import { DOTS, mask } from './mask-secret.ts';
import { JSON_FIELDS, decodeBody, isFormBody, isLinesBody, isMultipartBody, partsOf } from './decode-body.ts';
import { recognise } from './recognise.ts';

const NO_NAMES: readonly string[] = [];
const ALL_SECRET_NAMES = Object.values(ADAPTERS).flatMap(({ secretNames }) => secretNames ?? NO_NAMES);

/**
 * A body with the values of these members masked, in whatever way it is coded, their names are spelt, and however often
 * they come. Everything else stays as it is, character for character.
 *
 * @param names of members of the outermost object, of the objects of an outermost list, of a form, or of the JSON of its
 * fields
 */
export function maskMembers(text: string, contentType: string, names: readonly string[]): string {
  if (names.length === 0) return text;
  if (isFormBody(text, contentType)) return maskForm(text, names);
  if (isMultipartBody(contentType)) return maskParts(text, contentType, names);
  if (isLinesBody(contentType)) return text.replaceAll(/[^\r\n]+/g, (line) => maskObject(line, names));
  return maskObject(text, names);
}

/** A body that is not read, with the secrets masked that an adapter would name: of whatever is no JSON, those of any. */
export function maskBody(request: SenderRequest, { adapter }: Pick<SourceSettings, 'adapter'>): string {
  const decoded = adapter === 'auto' ? decodeBody(request.body, request.contentType) : undefined;
  const sender =
    decoded === undefined || decoded instanceof ProblemError
      ? adapter
      : recognise({ ...decoded, headers: request.headers }, request.contentType).sender;
  const names = sender === 'auto' ? ALL_SECRET_NAMES : ADAPTERS[sender].secretNames;
  return maskMembers(request.body, request.contentType, names ?? NO_NAMES);
}

function maskObject(text: string, names: readonly string[]): string {
  if (!text.includes('\\u00') && !names.some((name) => text.includes(name))) return text;
  const values: Range[] = [];
  const note: OnMember = (keyStart, keyEnd, start, end) => {
    if (names.includes(readString(text, keyStart, keyEnd))) values.push({ start, end });
  };
  if (scanJson(text, WEBHOOK_MAX_DEPTH, note) !== 'valid') return maskLoosely(text, names);
  for (const start of elementsOf(text)) if (text.charAt(start) === '{') scanMembers(text, start, note);
  return replaced(text, values, (value) =>
    JSON.stringify(value.startsWith('"') ? mask(readString(value, 0, value.length)) : DOTS),
  );
}

/** Where the elements begin of a text that is a list; none for another. */
function* elementsOf(text: string): Generator<number> {
  let at = skipSpace(text, 0);
  if (text.charAt(at) !== '[') return;
  for (;;) {
    at = skipSpace(text, at + 1);
    if (text.charAt(at) === ']') return;
    yield at;
    at = skipSpace(text, skipValue(text, at));
    if (text.charAt(at) === ']') return;
  }
}

interface Range {
  start: number;
  end: number;
}

/** A text with others in the place of some parts of it, which do not overlap and stand in order. */
function replaced(text: string, ranges: readonly Range[], by: (part: string, at: number) => string): string {
  let behind = 0;
  const parts = ranges.map(({ start, end }, at) => {
    const part = text.slice(behind, start) + by(text.slice(start, end), at);
    behind = end;
    return part;
  });
  return parts.join('') + text.slice(behind);
}

/** Fields of `multipart/form-data`. What has no part is no such form, and masked as any text. */
function maskParts(text: string, contentType: string, names: readonly string[]): string {
  const parts = partsOf(text, contentType);
  if (parts.length === 0) return maskObject(text, names);
  return replaced(text, parts, (value, at) => maskField(parts[at]!.name, value, names));
}

/** A form's field: its value if it is named, what is named in its JSON otherwise. */
function maskField(name: string, value: string, names: readonly string[]): string {
  if (names.includes(name)) return mask(value);
  return JSON_FIELDS.includes(name) && /^\s*[{[]/.test(value) ? maskObject(value, names) : value;
}

/** What is no JSON is kept for its operators all the same. */
function maskLoosely(text: string, names: readonly string[]): string {
  const member = new RegExp(
    String.raw`((?:${names.join('|')})\\{0,8}["']?\s{0,9}[:=]\s{0,9}\\{0,8}["']?)([^\s"'\\,}&]+)`,
    'g',
  );
  return text.replaceAll(member, (_, before: string, value: string) => before + mask(value));
}

function maskForm(text: string, names: readonly string[]): string {
  if (!text.includes('%') && !names.some((name) => text.includes(name))) return text;
  const fields = text.split('&').map((field) => {
    const [[name, value] = ['', '']] = new URLSearchParams(field.trim());
    const masked = maskField(name, value, names);
    return masked === value ? field : `${field.slice(0, field.indexOf('=') + 1)}${encodeURIComponent(masked)}`;
  });
  return fields.join('&');
}
