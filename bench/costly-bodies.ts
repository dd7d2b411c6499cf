/** Size of every body, in bytes: the largest that the webhook takes. */
const BYTES = 1024 * 1024;

/** `opening`, then as many parts as there is space for, separated by commas, then `closing` and spaces. */
function fill(opening: string, partOf: (index: number) => string, closing: string): string {
  const parts: string[] = [];
  let length = opening.length + closing.length;
  for (let index = 0; ; index += 1) {
    const part = partOf(index);
    length += part.length + 1;
    if (length > BYTES) break;
    parts.push(part);
  }
  return `${opening}${parts.join(',')}${closing}`.padEnd(BYTES);
}

/** `opening`, then `text` again and again, then `closing`. */
function repeat(opening: string, text: string, closing: string): string {
  const space = BYTES - opening.length - closing.length;
  return `${opening}${text.repeat(space / text.length)}${closing}`.padEnd(BYTES);
}

/** An index as text of few characters, different for every index. */
const short = (index: number): string => index.toString(36);

/** The index's number in binary, as the case of a word's letters. */
const inCase = (word: string, index: number): string =>
  [...word].map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter)).join('');

/** What the others are compared with: one long text. */
export const PLAIN_BODY = repeat('{"customer":"Nordwind","type":"disk","message":"', 'the disk fills up ', '"}');

/**
 * Bodies that an attacker, or a careless sender, may post in the place of {@link PLAIN_BODY}: all of its size, each
 * made to be expensive in its own way.
 */
export const COSTLY_BODIES: Readonly<Record<string, string>> = {
  'small objects': fill('{"items":[', (index) => `{"${short(index)}":0}`, ']}'),
  records: fill('{"items":[', (index) => `{"host":"host-${index}","value":${index}}`, ']}'),
  'exact numbers and extra data': fill(
    '{"customer":1e400,"type":1e400,"extraData":{"list":[',
    (index) => `${index}.10`,
    ']}}',
  ),
  'many keys': fill('{', (index) => `"k${short(index)}":0`, '}'),
  'keys like fields': fill('{', (index) => `"t${short(index).padStart(3, '_')}":0`, '}'),
  'escaped keys': fill('{', (index) => String.raw`"\u0074${short(index)}":0`, '}'),
  'cases of type': fill('{', (index) => `"${inCase('alerttype', index)}":""`, '}'),
  'the customer again and again': fill('{', (index) => `"customer":${index}`, '}'),
  'many names of customers': fill('{"customer":{', (index) => `"name":"${short(index)}"`, '}}'),
  'keys in extra data': fill('{"extraData":{', (index) => `"${short(index)}":0`, '}}'),
  'extra data again and again': fill('{', (index) => `"extraData":{"a":${index}}`, '}'),
  'deep arrays': fill('[', () => '['.repeat(63) + ']'.repeat(63), ']'),
  'deep objects': fill('[', () => '{"a":'.repeat(63) + '0' + '}'.repeat(63), ']'),
  numbers: fill('[', () => '1e1', ']'),
  'one number': `${'1'.repeat(BYTES)}`,
  'a customer that is one number': repeat('{"customer":', '1', '}'),
  'a long customer': repeat('{"customer":"', 'x', '"}'),
  'a customer of escapes': repeat('{"customer":"', String.raw`\u0041`, '"}'),
  'lone surrogates': repeat('{"type":"', String.raw`\ud800`, '"}'),
  'a type of spaces': repeat('{"type":"', ' ', 'x"}'),
  'a long link': repeat('{"url":"https://example.org/', '%20', '"}'),
  'beyond ASCII': beyondAscii(),
  'short strings': fill('[', () => '""', ']'),
  'white space': repeat('{"customer":"A"', '\n', '}'),
};

/** Three bytes a character. */
function beyondAscii(): string {
  return `{"customer":"${'€'.repeat(Math.floor((BYTES - 15) / 3))}"}`;
}

/** As many parameters as a request's head has space for. */
export const COSTLY_QUERY = `?${Array.from({ length: 3_000 }, (_, index) => short(index)).join('&')}`;
