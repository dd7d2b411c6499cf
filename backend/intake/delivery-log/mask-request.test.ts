import { expect, test } from 'vitest';
import { maskHeaders, maskPath, maskReadHeaders, maskSegments, maskTarget } from './mask-request.ts';
import { maskMembers } from '#backend/intake/reading/mask-members.ts';
import { findableSecrets, mask, maskIn } from '#backend/intake/reading/mask-secret.ts';

const FORM = 'application/x-www-form-urlencoded';
const KEY = 'ad_C2FVsBQIhrscChlQIMVb5sSYspob7oDx5EMx5EMx5EM';

test('a secret keeps its last four characters, and nothing where it is short', () => {
  expect(mask(KEY)).toBe('ad_••••••••x5EM');
  expect(mask('adt_abcdefgh9TqA')).toBe('adt_••••••••9TqA');
  expect(mask('short')).toBe('••••••••');
  expect(mask('')).toBe('••••••••');
});

test('no header keeps a secret', () => {
  const basic = `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`;
  const raw = ['Host', 'a.example', 'authorization', `Bearer  ${KEY}`, 'Authorization', basic, 'X-API-Key', KEY];
  const masked = maskHeaders([...raw, 'Cookie', 'sid=abcdefghijklmnop', 'X-Copy', `key=${KEY};`], [KEY]);
  expect(masked).toEqual([
    ['Host', 'a.example'],
    ['authorization', 'Bearer ad_••••••••x5EM'],
    ['Authorization', 'Basic ad_••••••••x5EM'],
    ['X-API-Key', 'ad_••••••••x5EM'],
    ['Cookie', '••••••••mnop'],
    ['X-Copy', 'key=ad_••••••••x5EM;'],
  ]);
  expect(JSON.stringify(masked)).not.toContain(KEY);
});

test('an address keeps neither its token nor secrets of its query', () => {
  expect(maskPath(`/in/${KEY}?a=1`)).toBe('/in/ad_••••••••x5EM?a=1');
  expect(maskPath(`/webhook?a=1&token=${KEY}&b=2`)).toBe('/webhook?a=1&token=ad_••••••••x5EM&b=2');
  expect(maskPath('/webhook?Api-Key=1234')).toBe('/webhook?Api-Key=••••••••');
});

test.each([
  [`/api/in/${KEY}`, '/api/in/ad_••••••••x5EM'],
  [`/${KEY}/`, '/ad_••••••••x5EM/'],
  [`/x/in%2F${KEY}`, '/x/••••••••x5EM'],
  [`/in;${KEY}/%ff`, '/••••••••x5EM/%ff'],
  [
    '/api/alerts/0193a6c0-5d6e-7abc-8def-0123456789ab/accept',
    '/api/alerts/0193a6c0-5d6e-7abc-8def-0123456789ab/accept',
  ],
  ['/api/auth/default-credentials', '/api/auth/default-credentials'],
  ['/service-worker.js', '/service-worker.js'],
])('a wrong address keeps no token: %s', (path, masked) => expect(maskSegments(path)).toBe(masked));

test('a secret in a body is masked wherever it stands', () => {
  expect(maskIn(`{"routing_key":"${KEY}","copy":"${KEY}"}`, [KEY])).toBe(
    '{"routing_key":"ad_••••••••x5EM","copy":"ad_••••••••x5EM"}',
  );
});

const escaped = [...KEY].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');

test.each([
  ['JSON escapes', `{"a":"${escaped}"}`],
  ['escapes in capitals', `{"a":"${KEY.replace('_', String.raw`\u005F`)}"}`],
  [
    'JSON within JSON',
    JSON.stringify({ a: JSON.stringify({ b: KEY.replace('_', '@') }) }).replace('@', String.raw`\\u005f`),
  ],
  ['an address', `/x?a=${KEY.replaceAll(/[a-z_]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`],
  ['JSON with escapes in a form', `payload=${encodeURIComponent(`{"a":"${escaped}"}`)}`],
])('a secret that is spelt by %s is masked', (_how, text) => {
  const masked = maskIn(text, [KEY]);
  expect(masked).toContain('ad_••••••••x5EM');
  expect(decodeURIComponent(masked)).not.toMatch(/u00|C2FV/);
});

test('what is no credential of a sender is not looked for', () => {
  expect(findableSecrets(['short', '123456789012', '1e23456789012', '","title":"Disk', 'hunter2-hunter2'])).toEqual([
    'hunter2-hunter2',
  ]);
});

test('a text of backslashes or percent signs takes no longer than another', () => {
  const before = process.cpuUsage();
  for (const part of ['\\', '%25', '\\u00', 'ad_C2FVs%']) maskIn(part.repeat(200_000) + 'u0061', [KEY]);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});

test.each([
  ['{"routing_key":"KEY","n":1.10}', '{"routing_key":"MASKED","n":1.10}'],
  [String.raw`{ "routing\u005fkey" : "KEY" }`, String.raw`{ "routing\u005fkey" : "MASKED" }`],
  ['{"routing_key":"KEY","a":2,"routing_key":"KEY"}', '{"routing_key":"MASKED","a":2,"routing_key":"MASKED"}'],
  ['{"routing_key":{"a":"KEY"}}', '{"routing_key":"••••••••"}'],
  ['{"a":{"routing_key":"of a payload"}}', '{"a":{"routing_key":"of a payload"}}'],
  [
    ' [ {"routing_key":"KEY","n":1.10}, 1, {"a":[{"routing_key":"deeper"}]},{"routing_key":"KEY"} ]',
    ' [ {"routing_key":"MASKED","n":1.10}, 1, {"a":[{"routing_key":"deeper"}]},{"routing_key":"MASKED"} ]',
  ],
  ['[]', '[]'],
  ['{"routing_key":"KEY', '{"routing_key":"MASKED'],
  ['{"a":"{\\"routing_key\\": \\"KEY\\"', '{"a":"{\\"routing_key\\": \\"MASKED\\"'],
])('a member that is named is masked and nothing else: %s', (text, masked) => {
  const expected = masked.replaceAll('MASKED', 'ad_••••••••x5EM');
  expect(maskMembers(text.replaceAll('KEY', KEY), 'application/json', ['routing_key'])).toBe(expected);
  expect(maskMembers(expected, 'application/json', ['routing_key'])).toBe(expected);
});

const part = (of: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${of}"\r\n\r\n${value}\r\n`;

test.each(['payload', 'data', 'json', 'body', 'alert', 'event'])(
  'members of the JSON of a form’s %s are masked',
  (name) => {
    const json = '{"token":"hunter2","title":"a & b"}';
    const masked = maskMembers(new URLSearchParams([[name, json]]).toString(), FORM, ['token']);
    expect(new URLSearchParams(masked).get(name)).toBe('{"token":"••••••••","title":"a & b"}');

    const parts = (secret: string) =>
      `${part(name, `{"token":"${secret}"}`)}${part('token', secret)}${part('title', 'token: none')}${part('empty', '')}--b--\r\n`;
    const type = 'multipart/form-data; boundary=b';
    expect(maskMembers(parts('hunter2'), type, ['token'])).toBe(parts('••••••••'));
    expect(maskMembers(parts('••••••••'), type, ['token'])).toBe(parts('••••••••'));
  },
);

test('members of forms and of lines are masked', () => {
  expect(maskMembers('a=1%20&tok%65n=hunter2&b=%C3%A9', FORM, ['token'])).toBe(
    `a=1%20&tok%65n=${encodeURIComponent('••••••••')}&b=%C3%A9`,
  );
  const payload = maskMembers('payload=%7B%22token%22%3A%22hunter2%22%7D', FORM, ['token']);
  expect(new URLSearchParams(payload).get('payload')).toBe('{"token":"••••••••"}');
  expect(maskMembers(payload, FORM, ['token'])).toBe(payload);
  expect(maskMembers('{"token":"a"}\n{"b":2}', 'application/x-ndjson', ['token'])).toBe(
    '{"token":"••••••••"}\n{"b":2}',
  );
});

test.each([
  'X-Auth-Token',
  'x-client-secret',
  'Set-Cookie',
  'X-Access-Key',
  'api_key',
  'X-Hub-Signature-256',
  'X-Pwd'.slice(2),
])('a header or parameter called %s is a secret', (name) => {
  const value = 'canary-0123456789';
  expect(maskHeaders([name, value], [])).toEqual([[name, '••••••••6789']]);
  expect(maskReadHeaders({ [name]: value }, [])).toEqual({ [name]: '••••••••6789' });
  expect(maskTarget(`/webhook?a=1&${name}=${value}&b=2`)).toBe(`/webhook?a=1&${name}=••••••••6789&b=2`);
});

test.each(['X-GitHub-Event', 'Idempotency-Key', 'webhook-id', 'Content-Type', 'X-Request-Id', 'author', 'design'])(
  'a header or parameter called %s is none',
  (name) => {
    expect(maskReadHeaders({ [name]: 'canary-0123456789' }, [])).toEqual({ [name]: 'canary-0123456789' });
    expect(maskTarget(`/webhook?${name}=canary-0123456789`)).toBe(`/webhook?${name}=canary-0123456789`);
  },
);

test('a parameter "key" is a secret where it is long, a web token whatever it is called', () => {
  expect(maskTarget('/webhook?key=OPS-1234')).toBe('/webhook?key=OPS-1234');
  expect(maskTarget('/webhook?key=0123456789abcdef')).toBe('/webhook?key=••••••••cdef');
  expect(maskTarget('/webhook?pass%77ord=hunter2&a%5Bapi_key%5D=x')).toBe(
    '/webhook?pass%77ord=••••••••&a%5Bapi_key%5D=••••••••',
  );
  expect(maskTarget(`/webhook?x=eyJ${'a'.repeat(50)}`)).toBe('/webhook?x=••••••••aaaa');
});
