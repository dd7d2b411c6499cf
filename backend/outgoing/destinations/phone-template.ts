import { placeOf } from '#backend/intake/reading/mapping-template.ts';

/** What a template of a phone gateway can name. */
export const PHONE_NAMES = ['number', 'text', 'title', 'link', 'secret'] as const;
export type PhoneName = (typeof PHONE_NAMES)[number];

/** How values are written where they stand: in JSON, in an address or form, in a header, which is one line, or as they are. */
export type Encoding = 'json' | 'form' | 'header' | 'plain';

const PLACE = /\{\{\s*(?<name>[^{}|]*?)\s*(?:\|\s*(?<filter>[^{}|]*?)\s*)?\}\}/g;
const FILTER = 'base64';

const ENCODE: Record<Encoding, (value: string) => string> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
  header: (value) => value.replaceAll(/\p{Cc}+/gu, ' '),
  plain: (value) => value,
};

/** By what a body is encoded, as its headers say. */
export function encodingOf(headers: Record<string, string>): Exclude<Encoding, 'header'> {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (/[/+]json\b/i.test(type)) return 'json';
  return /x-www-form-urlencoded/i.test(type) ? 'form' : 'plain';
}

/** A template with its values: `{{number}}`, `{{secret | base64}}`. Nothing else in it has a meaning. */
export const fillTemplate = (
  template: string,
  values: Readonly<Record<PhoneName, string>>,
  encoding: Encoding,
): string =>
  template.replaceAll(PLACE, (written, name: string, filter: string | undefined) => {
    if (!isName(name)) return written;
    const value = values[name];
    return ENCODE[encoding](filter === FILTER ? Buffer.from(value).toString('base64') : value);
  });

const isName = (name: string): name is PhoneName => (PHONE_NAMES as readonly string[]).includes(name);

/** What is wrong with a template, with its line and place; undefined when nothing is. */
export function faultOfTemplate(template: string): string | undefined {
  const known = [...template.matchAll(PLACE)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
  for (const { index, groups } of template.matchAll(PLACE)) {
    const { name = '', filter } = groups ?? {};
    if (!isName(name)) {
      const names = PHONE_NAMES.map((one) => `{{${one}}}`).join(', ');
      return `${placeOf(template, index)}: there is no {{${name}}}. Use ${names}.`;
    }
    if (filter !== undefined && filter !== FILTER)
      return `${placeOf(template, index)}: there is no filter ${filter}. Use | ${FILTER}.`;
  }
  for (const { index, 0: braces } of template.matchAll(/\{\{|\}\}/g)) {
    if (known.some(({ from, to }) => index >= from && index < to)) continue;
    // Objects of JSON may end or begin together.
    if (braces === '}}' || !/^\{\{\s*[a-z]/.test(template.slice(index))) continue;
    return `${placeOf(template, index)}: {{ is not closed. Add }} behind the name.`;
  }
  return undefined;
}

/** What is wrong with a body of JSON, with its line and place in the template; undefined when nothing is. */
export function faultOfJson(template: string): string | undefined {
  // As long as what stands there, so that places are the same.
  const sample = template.replaceAll(PLACE, (written) => '0'.repeat(written.length));
  try {
    JSON.parse(sample);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? sample.length);
    return `${placeOf(template, position)}: this is not JSON. Put texts in quotation marks.`;
  }
}

/** Headers as they are written, one a line: `Authorization: Bearer {{secret}}`. */
export function readHeaders(written: string): Record<string, string> | { fault: string } {
  const headers: Record<string, string> = {};
  for (const [at, line] of written.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*([\x20-\x7e]*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      return { fault: `Line ${at + 1}, character 1: write a header as Name: value.` };
    if (FORBIDDEN.has(name.toLowerCase()))
      return { fault: `Line ${at + 1}, character 1: ${name} is set by the server.` };
    headers[name] = value;
  }
  return headers;
}

/** What a request has by itself. */
const FORBIDDEN = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
]);
