import { expect, test } from 'vitest';
import { readToast } from '#tests/desktop/double/toast.ts';
import { type Toast, isBlocked, readActivation, toastXml } from './toast.ts';

const server = { kind: 'team-server' as const, url: 'https://alerts.example.com' };

const HERE = { kind: 'this-computer' as const };
const THERE = encodeURIComponent(server.url);

const toast = (change: Partial<Toast> = {}): Toast => ({
  tag: '0189a00000007000800000000000abcd',
  title: 'New alert received: disk',
  body: 'Alert from Acme',
  silent: false,
  path: '/alert/01890000-0000-7000-8000-00000000abcd',
  buttons: ['accept', 'mute-customer'],
  server,
  isUrgent: false,
  ...change,
});

test('a toast hands back all that there is to do, also when nobody remembers it', () => {
  const shown = readToast(toastXml(toast()));
  expect(shown.launch).toBe(
    'type=action&tag=0189a00000007000800000000000abcd&path=%2Falert%2F01890000-0000-7000-8000-00000000abcd&server=https%3A%2F%2Falerts.example.com',
  );
  expect(shown.buttons.map(({ arguments: handedBack }) => handedBack)).toEqual([
    'type=action&action=0&tag=0189a00000007000800000000000abcd&button=accept&server=https%3A%2F%2Falerts.example.com',
    'type=action&action=1&tag=0189a00000007000800000000000abcd&button=mute-customer&server=https%3A%2F%2Falerts.example.com',
  ]);
  expect(shown.sender).toBe('alerts.example.com');
});

test('what the app says of itself names no server, and only brings the window up', () => {
  const shown = readToast(toastXml(toast({ tag: 'app', path: null, buttons: [], server: null })));
  expect(shown.sender).toBe('');
  expect(readActivation({ arguments: shown.launch }, [HERE, server])).toEqual({ use: { path: null }, from: null });
});

test('one without buttons and sound says so', () => {
  const xml = toastXml(toast({ buttons: [], silent: true }));
  expect(readToast(xml)).toMatchObject({ buttons: [], isSilent: true });
  expect(xml).not.toContain('<actions>');
});

test('only an urgent toast breaks through when the user does not want to be disturbed', () => {
  expect(readToast(toastXml(toast())).scenario).toBeUndefined();
  expect(readToast(toastXml(toast({ isUrgent: true }))).scenario).toBe('urgent');
});

test.each([
  ['markup', '<b>"Fire" & \'smoke\'</b>'],
  ['an entity', '&lt;&#0;&amp;'],
  [
    'the end of the text and a button of its own',
    '</text></binding></visual><actions><action content="Pay"/></actions>',
  ],
  ['a CDATA section', ']]><![CDATA[x'],
  ['right-to-left text', 'שלום \u202eevil'],
  ['an emoji', '🔥 fire'],
])('%s is shown as it stands', (_, text) => {
  const shown = readToast(toastXml(toast({ title: text, body: text })));
  expect(shown).toMatchObject({ title: text, body: text });
  expect(shown.buttons.map(({ content }) => content)).toEqual(['Accept', 'Mute customer']);
});

test.each([
  ['a NUL', 'a\u0000b'],
  ['an escape', 'a\u001bb'],
  ['half a surrogate pair', 'a\ud83db'],
  ['a noncharacter', 'a\uffffb'],
])('%s, which XML cannot say, becomes a replacement character', (_, text) => {
  expect(readToast(toastXml(toast({ title: text })))).toMatchObject({ title: 'a\ufffdb' });
});

test('a toast of the longest texts stays below 5 KB, where Windows refuses it', () => {
  for (const character of ['"', '漢', '🔥']) {
    const xml = toastXml(
      toast({
        title: character.repeat(500),
        body: character.repeat(2000),
        path: `/${character.repeat(499)}`,
        server: { kind: 'team-server', url: `https://${'a.'.repeat(126)}b:65535` },
      }),
    );
    expect(Buffer.byteLength(xml)).toBeLessThan(5 * 1024);
    expect(readToast(xml).body).toBe(`${character.repeat(299)}…`);
  }
});

test('a text is cut between characters, also those of several code points', () => {
  const family = '👨‍👩‍👧';
  const [title, body] = [`${'x'.repeat(117)}${family}xx`, `${family.repeat(59)}${'x'.repeat(3)}🇩🇪xx`];
  const shown = readToast(toastXml(toast({ title, body })));
  expect(shown).toMatchObject({ title: `${'x'.repeat(117)}…`, body: `${family.repeat(59)}xxx…` });
  const marked = `a${'\u0301'.repeat(1000)}`;
  expect(readToast(toastXml(toast({ title: marked }))).title).toBe(`${marked.slice(0, 119)}…`);
});

/** As Electron hands on what Windows hands back (`HandleToastActivation` in shell/browser/notifications/win). */
test.each([
  ['its body', 'type=action&tag=abc&path=%2Falert%2Fx', { use: { path: '/alert/x' }, from: null }],
  [
    'its body, of a server',
    'type=action&tag=abc&path=%2Falert%2Fx&server=here',
    { use: { path: '/alert/x' }, from: HERE },
  ],
  [
    'its first button',
    `type=action&action=0&tag=abc&button=accept&server=${THERE}`,
    { use: { button: 'accept', tag: 'abc' }, from: server },
  ],
  [
    'its second button',
    'type=action&action=1&tag=abc&button=mute-customer',
    { use: { button: 'mute-customer', tag: 'abc' }, from: null },
  ],
  [
    'a button that there is not',
    `type=action&action=7&tag=abc&button=pay&server=${THERE}`,
    { use: { path: '/' }, from: server },
  ],
  [
    'a server that was never used',
    'type=action&action=0&tag=abc&button=accept&server=https%3A%2F%2Fevil.example',
    { use: { path: '/' }, from: null },
  ],
  ['a server that is none', 'type=action&tag=abc&path=%2Falert%2Fx&server=x%00', { use: { path: '/' }, from: null }],
  ['a path that is none', 'type=action&tag=abc&path=https%3A%2F%2Fevil.example', { use: { path: '/' }, from: null }],
  ['one of an older version', 'type=click&tag=abc', { use: { path: '/' }, from: null }],
  ['the body of one without a launch attribute', '', { use: { path: '/' }, from: null }],
])('%s', (_, raw, expected) => expect(readActivation({ arguments: raw }, [HERE, server])).toEqual(expected));

/** `FailureResultToString` in shell/browser/notifications/win/windows_toast_notification.cc. */
test.each([
  ['Notification failed - Settings prevent the notification from being delivered. (HRESULT: -2143420143)', true],
  [
    'Notification failed - Application capabilities prevent the notification from being delivered. (HRESULT: -2143420142)',
    true,
  ],
  ['Notification failed - The size of the notification content is too large. (HRESULT: -2143420139)', false],
  ['XML: Invalid XML', false],
])('%s: blocked %s', (error, blocked) => expect(isBlocked(error)).toBe(blocked));
