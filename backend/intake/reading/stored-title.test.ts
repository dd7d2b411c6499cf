import { expect, test } from 'vitest';
import { titleOfPayload } from './stored-title.ts';

test.each([
  ['a field that is a title', { title: 'Disk full' }, 'Disk full'],
  ['a name and a state', { check: { name: 'Webshop' }, state: 'down' }, 'Webshop is down'],
  [
    'the adapter of a whole request',
    {
      alerts: [{ status: 'firing', labels: { alertname: 'DiskFull' }, annotations: { summary: 'Disk full on db-7' } }],
      groupLabels: {},
      receiver: 'desk',
    },
    'Disk full on db-7',
  ],
  ['a text', 'Backup failed', 'Backup failed'],
])('a stored alert is named by %s', (_, payload, title) => {
  expect(titleOfPayload(JSON.stringify(payload))).toBe(title);
});

test('what says nothing has no title, and neither has what is no JSON', () => {
  expect(titleOfPayload('{"amount":17}')).toBeNull();
  expect(titleOfPayload('{}')).toBeNull();
  expect(titleOfPayload('not JSON')).toBeNull();
  expect(titleOfPayload('['.repeat(200) + ']'.repeat(200))).toBeNull();
});

test('a title is one line of at most 300 characters', () => {
  expect(titleOfPayload(JSON.stringify({ title: `a\nb${'x'.repeat(500)}` }))).toMatch(/^a b.{297}$/);
});
