import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseNetworks } from './address-rule.ts';
import { judgeError } from './judge-answer.ts';
import { createPost } from './post.ts';

const post = createPost(parseNetworks('127.0.0.0/8'));
const taken: { title: string; body: string }[] = [];
const receiver = createServer(async (request, response) => {
  if (request.url === '/hangs') return;
  const body = await text(request);
  // Node reads each byte of a header as a character.
  taken.push({ title: Buffer.from(String(request.headers['x-title']), 'latin1').toString(), body });
  response.end();
});
beforeAll(() => new Promise<void>((done) => void receiver.listen(0, '127.0.0.1', done)));
const urlOf = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
afterAll(() => {
  post.close();
  receiver.close();
});

test.each([['POST', 'Wasser über 日本 😀'] as const, ['GET', ''] as const])(
  'headers of a %s are sent in UTF-8, whatever letters they have',
  async (method, body) => {
    const title = 'Wärme: 日本 😀';
    const answer = await post.send(
      { method, url: urlOf('/'), headers: { 'X-Title': title }, body },
      new AbortController().signal,
    );
    expect([answer.status, taken.at(-1)]).toEqual([200, { title, body }]);
  },
);

const judgedIn = (signal: AbortSignal) =>
  post.send({ url: urlOf('/hangs'), headers: {} }, signal).then(() => undefined, judgeError);

test('a request that its time runs out for says so, and one that a stop of this server ends does not', async () => {
  expect(await judgedIn(AbortSignal.timeout(1))).toEqual({ outcome: 'retry', answer: 'no answer within 10 s' });
  expect(await judgedIn(AbortSignal.abort())).toEqual({ outcome: 'retry', answer: 'The operation was aborted' });
});

test('what answers without TLS at an https address is said in words, as is a certificate of an unknown authority', async () => {
  const https = urlOf('/').replace('http:', 'https:');
  const answer = await post
    .send({ url: https, headers: {} }, new AbortController().signal)
    .then(() => undefined, judgeError);
  expect(answer).toEqual({
    outcome: 'retry',
    answer: 'what answers at this address does not use TLS, or no version of it that is accepted',
  });
  const code = 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY';
  expect(judgeError(Object.assign(new Error('unable to get local issuer certificate'), { code }))).toEqual({
    outcome: 'retry',
    answer: 'the certificate is signed by nobody who is trusted',
  });
});
