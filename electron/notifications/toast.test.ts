import { expect, test } from 'vitest';
import { readToast } from '#tests/desktop/double/toast.ts';
import { type Toast, readActivation, toastXml } from './toast.ts';

const toast = (change: Partial<Toast> = {}): Toast => ({
  tag: '0189a00000007000800000000000abcd',
  title: 'New alert received: disk',
  body: 'Alert from Acme',
  silent: false,
  buttons: ['accept', 'mute-customer'],
  sender: 'alerts.example.com',
  ...change,
});

test('a toast hands back what was clicked, also when the app is gone', () => {
  expect(toastXml(toast())).toBe(
    '<toast launch="type=click&amp;tag=0189a00000007000800000000000abcd"><visual><binding template="ToastGeneric">' +
      '<text>New alert received: disk</text><text>Alert from Acme</text>' +
      '<text placement="attribution">alerts.example.com</text></binding></visual><actions>' +
      '<action activationType="foreground" content="Accept" arguments="type=action&amp;action=0&amp;tag=0189a00000007000800000000000abcd"/>' +
      '<action activationType="foreground" content="Mute customer" arguments="type=action&amp;action=1&amp;tag=0189a00000007000800000000000abcd"/>' +
      '</actions></toast>',
  );
});

test('one without buttons and sound says so', () => {
  const xml = toastXml(toast({ buttons: [], silent: true }));
  expect(readToast(xml)).toMatchObject({ buttons: [], isSilent: true });
  expect(xml).not.toContain('<actions>');
});

test('no toast breaks through when the user does not want to be disturbed', () => {
  expect(toastXml(toast())).not.toContain('scenario');
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
  const shown = readToast(toastXml(toast({ title: text, body: text, sender: text })));
  expect(shown).toMatchObject({ title: text, body: text, sender: text });
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
      toast({ title: character.repeat(500), body: character.repeat(2000), sender: character.repeat(500) }),
    );
    expect(Buffer.byteLength(xml)).toBeLessThan(5 * 1024);
    expect(readToast(xml).body).toBe(`${character.repeat(299)}…`);
  }
});

const server = { kind: 'team-server' as const, url: 'https://alerts.example.com' };
const shown = [{ tag: 'abc', path: '/?alert=1', buttons: ['accept' as const, 'mute-customer' as const], server }];

/** As Electron hands on what Windows hands back (`HandleToastActivation` in shell/browser/notifications/win). */
test.each([
  [
    'its body',
    { type: 'click', arguments: 'type=click&tag=abc' },
    { tag: 'abc', use: { path: '/?alert=1' }, from: server },
  ],
  [
    'its first button',
    { type: 'action', actionIndex: 0, arguments: 'type=action&action=0&tag=abc' },
    { tag: 'abc', use: { button: 'accept', tag: 'abc' }, from: server },
  ],
  [
    'its second button',
    { type: 'action', actionIndex: 1, arguments: 'type=action&action=1&tag=abc' },
    { tag: 'abc', use: { button: 'mute-customer', tag: 'abc' }, from: server },
  ],
  [
    'a button that it has not',
    { type: 'action', actionIndex: 7, arguments: 'type=action&action=7&tag=abc' },
    { tag: 'abc', use: { path: '/?alert=1' }, from: server },
  ],
  [
    'a button without a number',
    { type: 'action', actionIndex: -1, arguments: 'type=action&tag=abc' },
    { tag: 'abc', use: { path: '/?alert=1' }, from: server },
  ],
  [
    'one that nobody remembers',
    { type: 'action', actionIndex: 0, arguments: 'type=action&action=0&tag=old' },
    { tag: 'old', use: { path: '/' }, from: null },
  ],
  [
    'the body of one without a launch attribute',
    { type: 'click', arguments: '' },
    { tag: null, use: { path: '/' }, from: null },
  ],
])('%s', (_, details, expected) => expect(readActivation(details, shown)).toEqual(expected));
