import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** What unknown fields hold: it may be found nowhere in the database afterwards. */
export const CANARY = 'canary-of-an-unknown-field';

/** Names that mean something to JavaScript, or to a column of ours, but to no schema. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
  'ownerId',
  'owner_id',
  'passwordHash',
  'emailKey',
  'isActive',
  'createdAt',
  'userId',
  '$where',
  'a\u0000b',
];

/** Text that breaks what is careless with text. */
export const wildText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\uD800',
    '\uDFFF\uD800',
    '\uFEFF',
    '\u202Egnp.exe',
    '𝒳👩‍👩‍👧‍👦é',
    'İıſK',
    "' OR '1'='1",
    '\\',
    '%',
    '_%',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '${1}{{1}}',
    '1e999',
    'NaN',
    'x'.repeat(10_000),
    '👍'.repeat(600),
  ),
  fc.string({ unit: 'binary', maxLength: 50 }),
);

const wildNumber: Arbitrary<string> = fc.constantFrom(
  '0',
  '-0',
  '-1',
  '0.1',
  '1e999',
  '-1e999',
  '5e-324',
  '9007199254740993',
  '1'.repeat(400),
  '2147483648',
);

/** A JSON value as text, because not every JSON text can be written by JSON.stringify: numbers beyond all bounds. */
export const wildJson: Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: wildText.map((text) => JSON.stringify(text)) },
  wildNumber,
  fc.constantFrom(
    'null',
    'true',
    'false',
    '[]',
    '{}',
    '[null]',
    '{"id":{}}',
    '[[[[]]]]',
    '{"__proto__":{"role":"admin"}}',
  ),
  fc.integer({ min: 1, max: 5_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
);

/** What is not JSON, or not quite. */
export const wildBody: Arbitrary<Buffer> = fc.oneof(
  wildJson.map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      '',
      ' ',
      '{',
      '}',
      '{"a":}',
      '{"a":1,"a":2}',
      "{'a':1}",
      '\uFEFF{}',
      '{}{}',
      'undefined',
      'a=1&b=2',
      '[',
      '"',
      '{"a":"\u0001"}',
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
);

/** One field that no schema knows, as name and JSON text. */
export const unknownField: Arbitrary<[string, string]> = fc.tuple(
  fc.oneof(
    fc.constantFrom(...NAMES),
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((name) => `x-${name}`),
  ),
  fc.constantFrom(JSON.stringify(CANARY), `{"role":"admin","note":"${CANARY}"}`, `["${CANARY}"]`),
);

/** A piece of an address as it is sent: percent-encoded, rightly or wrongly. */
export const wildSegment: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%00',
    '%ff',
    '%',
    '%zz',
    '%c0%ae',
    '%ed%a0%80',
    '..',
    '.',
    '%2e%2e',
    '%2f',
    '%5c',
    '-1',
    '0',
    'null',
    '*',
    'inbox',
    'bulk',
    'x'.repeat(10_000),
    '%f0%9f%91%8d'.repeat(500),
  ),
  wildText.filter((text) => text !== '').map(percentEncoded),
);

/** As encodeURIComponent, but without failing where there is half a character. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** What HTTP lets a header hold: Latin-1 without control characters. */
const headerCharacter = fc
  .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
  .map((code) => String.fromCharCode(code));

/** Headers that a client may send beside what it must; some twice. */
export const wildHeaders: Arbitrary<[string, string][]> = fc.array(
  fc.tuple(
    fc.constantFrom(
      'Accept',
      'Accept-Encoding',
      'Accept-Language',
      'Content-Encoding',
      'Cookie',
      'Forwarded',
      'If-None-Match',
      'If-Modified-Since',
      'Idempotency-Key',
      'Range',
      'Sec-Fetch-Site',
      'User-Agent',
      'X-CSRF-Token',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-HTTP-Method-Override',
      'X-Request-Id',
      'ce-type',
      '__proto__',
      'constructor',
    ),
    fc.oneof(
      fc.constantFrom(
        '',
        '*',
        '*/*',
        'application/problem+json',
        'application/json;q=0',
        'gzip',
        'identity',
        'sid=',
        'sid=%00; sid=x; csrf-token',
        'same-origin',
        'cross-site',
        '"abc", W/"abc"',
        'bytes=0-',
        '127.0.0.1, ::1, unknown',
        'for="[::1]";host=evil.example',
        'x'.repeat(2_000),
      ),
      fc.string({ unit: headerCharacter, maxLength: 40 }),
    ),
  ),
  { maxLength: 4 },
);
