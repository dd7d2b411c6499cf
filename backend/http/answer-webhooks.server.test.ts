import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricValue } from '#tests/support/read-metrics.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Posts a body to a target that goes over the wire as it stands. */
const post = (target: string, headers: Record<string, string>, body: string) =>
  new Promise<Answer>((resolve, reject) => {
    const all = { 'X-Webhook-Auth': key, 'Content-Type': 'application/json', ...headers };
    request(server.url, { method: 'POST', path: target, headers: all }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    })
      .on('error', reject)
      .end(body);
  });

/** The same request in origin form and in absolute form, as proxies are sent it (RFC 9112 section 3.2). */
async function postTwice(headers: Record<string, string>, body: string): Promise<[Answer, Answer]> {
  const target = '/webhook?a=1';
  return [await post(target, headers, body), await post(`${server.url}${target}`, headers, body)];
}

async function answered(status: number): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const labels = `method="POST",route="/webhook",status="${status}"`;
  return metricValue(metrics, `alertdesk_http_request_duration_seconds_count{${labels}}`) ?? 0;
}

describe('a webhook is answered alike in both forms of its target', () => {
  test('when it is taken', async () => {
    const before = await answered(202);
    const [origin, absolute] = await postTwice({ 'X-Request-Id': 'edge-1' }, '{"b":2}');
    expect([origin.status, absolute.status]).toEqual([202, 202]);
    expect({ ...origin.headers, date: '' }).toEqual({ ...absolute.headers, date: '' });
    expect(origin.headers['x-request-id']).toBe('edge-1');
    expect(JSON.parse(origin.text)).toEqual({ id: expect.any(String), receivedAt: expect.any(String) });
    expect(await answered(202)).toBe(before + 2);
  });

  test.each([
    ['a wrong key', { 'X-Webhook-Auth': 'ad_wrong' }, '{}', 401],
    ['a foreign host', { Host: 'evil.example' }, '{}', 421],
    ['another media type', { 'Content-Type': 'text/html' }, '{}', 415],
    ['what is not JSON', {}, '{', 400],
    ['too many levels', {}, '['.repeat(65), 422],
    ['an error as JSON', { Accept: 'application/json' }, '{', 400],
  ] satisfies [string, Record<string, string>, string, number][])(
    'when it is refused: %s',
    async (_, headers, body, status) => {
      const before = await answered(status);
      const [origin, absolute] = await postTwice({ 'X-Request-Id': 'edge-2', ...headers }, body);
      expect([origin.status, absolute.status]).toEqual([status, status]);
      expect(origin.text).toBe(absolute.text);
      expect({ ...origin.headers, date: '' }).toEqual({ ...absolute.headers, date: '' });
      // Whatever is asked under a foreign host name has no route yet.
      expect(await answered(status)).toBe(before + (status === 421 ? 0 : 2));
    },
  );
});
