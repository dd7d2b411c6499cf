import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import type { SourceSettings } from '#backend/contract/source.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import { ADAPTERS } from '#backend/intake/adapters/adapter-table.ts';
import type { SenderRequest } from '#backend/intake/adapters/adapter.ts';
import { readString, scanJson } from '#backend/intake/json/scan-json.ts';
import { DOTS, mask } from './mask-secret.ts';
import { decodeBody, isFormBody, isLinesBody } from './decode-body.ts';
import { recognise } from './recognise.ts';

const NO_NAMES: readonly string[] = [];
const ALL_SECRET_NAMES = Object.values(ADAPTERS).flatMap(({ secretNames }) => secretNames ?? NO_NAMES);

/**
 * A body with the values of these members masked, in whatever way it is coded, their names are spelt, and however often
 * they come. Everything else stays as it is, character for character.
 *
 * @param names of members of the outermost object, of a form, or of the JSON of a form's `payload`
 */
export function maskMembers(text: string, contentType: string, names: readonly string[]): string {
  if (names.length === 0) return text;
  if (isFormBody(text, contentType)) return maskForm(text, names);
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
  const values: [start: number, end: number][] = [];
  const verdict = scanJson(text, WEBHOOK_MAX_DEPTH, (keyStart, keyEnd, start, end) => {
    if (names.includes(readString(text, keyStart, keyEnd))) values.push([start, end]);
  });
  if (verdict !== 'valid') return maskLoosely(text, names);
  let masked = text;
  // From the last one on: what stands before a replaced value keeps its position.
  for (const [start, end] of values.toReversed()) {
    const value = text.charAt(start) === '"' ? mask(readString(text, start, end)) : DOTS;
    masked = masked.slice(0, start) + JSON.stringify(value) + masked.slice(end);
  }
  return masked;
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
    const isPayload = name === 'payload' && /^\s*[{[]/.test(value);
    const masked = names.includes(name) ? mask(value) : isPayload ? maskObject(value, names) : value;
    return masked === value ? field : `${field.slice(0, field.indexOf('=') + 1)}${encodeURIComponent(masked)}`;
  });
  return fields.join('&');
}
