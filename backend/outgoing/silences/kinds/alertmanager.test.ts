import { expect, onTestFinished, test } from 'vitest';
import { parseNetworks } from '#backend/outgoing/destinations/address-rule.ts';
import { createPost } from '#backend/outgoing/destinations/post.ts';
import { startReceiver } from '#tests/support/outgoing-receiver.ts';
import { alertmanager, filtersOf, labelsOf, silenceBody } from './alertmanager.ts';

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
])('a payload %s', (_what, payload, labels) => expect(labelsOf(JSON.parse(payload))).toEqual(labels));

test.each(['http://am:9093', 'http://am:9093/', 'http://am:9093/api/v2', 'http://am:9093/api/v2/status'])(
  'the API of %s is found',
  (url) => expect(alertmanager.baseOf(url)).toBe('http://am:9093'),
);

test('what a sender repeats of a password is masked, also as it stands in HTTP Basic', async () => {
  const receiver = await startReceiver(({ headers }) => ({ status: 500, body: `sesame ${headers.authorization}` }));
  onTestFinished(() => receiver.stop());
  const target = { url: receiver.url, auth: 'basic', user: 'mara', secret: 'sesame' } as const;
  const api = alertmanager.createApi(createPost(parseNetworks('127.0.0.0/8')), target, new AbortController().signal);
  await expect(api.tryOut()).rejects.toThrow('•••• Basic ••••');
});
