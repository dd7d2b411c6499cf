import { expect, test } from 'vitest';
import { baseOf, filtersOf, labelsOf, silenceBody } from './alertmanager.ts';

test('a silence matches each label by its very value, and nothing as a pattern', () => {
  const body = silenceBody({
    id: undefined,
    labels: { alertname: 'DiskFull', path: '/var/.*' },
    startsAt: '2026-01-01T10:00:00.000Z',
    endsAt: '2026-01-01T14:00:00.000Z',
    createdBy: 'Mara',
    comment: 'Accepted.',
  });
  expect(body).toEqual({
    matchers: [
      { name: 'alertname', value: 'DiskFull', isRegex: false, isEqual: true },
      { name: 'path', value: '/var/.*', isRegex: false, isEqual: true },
    ],
    startsAt: '2026-01-01T10:00:00.000Z',
    endsAt: '2026-01-01T14:00:00.000Z',
    createdBy: 'Mara',
    comment: 'Accepted.',
  });
});

test('what would end a value of a filter is escaped', () => {
  const [first = ''] = filtersOf({ note: 'a "b" \\ c\nd' }).split('&');
  expect(decodeURIComponent(first)).toBe(String.raw`filter=note="a \"b\" \\ c\nd"`);
});

test.each([
  ['without labels', '{"alertname":"DiskFull"}', undefined],
  ['with a list of labels, as GitHub has', '{"labels":[{"name":"bug"}]}', undefined],
  ['with empty labels alone', '{"labels":{"job":""}}', undefined],
  [
    'with labels',
    '{"labels":{"alertname":"DiskFull","job":""},"fingerprint":"ab12"}',
    { labels: { alertname: 'DiskFull' }, fingerprint: 'ab12' },
  ],
])('a payload %s', (_what, payload, labels) => expect(labelsOf(payload)).toEqual(labels));

test.each(['http://am:9093', 'http://am:9093/', 'http://am:9093/api/v2', 'http://am:9093/api/v2/status'])(
  'the API of %s is found',
  (url) => expect(baseOf(url)).toBe('http://am:9093'),
);
