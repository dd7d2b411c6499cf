import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SnsParts } from '#backend/intake/sources/sns-client.ts';
import { makeCertificate } from '#tests/support/make-certificate.ts';
import { SNS_CERTIFICATE, signSnsMessage } from '#tests/support/sns-messages.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const HOST = 'sns.eu-west-1.amazonaws.com';
const CERTIFICATE_PATH = '/SimpleNotificationService-0123456789abcdef.pem';
const CONFIRMATION = {
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:desk',
  Message: 'You have chosen to subscribe to the topic.',
  SubscribeURL: `https://${HOST}/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:123456789012:desk&Token=2336412f37`,
  Timestamp: '2026-03-04T10:00:01.000Z',
  SigningCertURL: `https://${HOST}${CERTIFICATE_PATH}`,
};
const SUBSCRIBED = CONFIRMATION.SubscribeURL.slice(`https://${HOST}`.length);

/** SNS on this machine: its certificate, and how it answers a confirmation. */
let confirmAnswer: [status: number, headers?: Record<string, string>] = [200];
let asked: string[] = [];
const tls = makeCertificate(HOST);
const sns = createServer(tls, ({ url = '' }, response) => {
  asked.push(url);
  if (url === CERTIFICATE_PATH) response.end(SNS_CERTIFICATE);
  else response.writeHead(...confirmAnswer).end('<ConfirmSubscriptionResponse/>');
});

let here: SnsParts;
let server: TestServer;
let world: SourceWorld;
beforeAll(async () => {
  await new Promise<void>((resolve) => sns.listen(0, '127.0.0.1', resolve));
  const { port } = sns.address() as AddressInfo;
  here = { resolve: async (host) => (host === HOST ? ['127.0.0.1'] : []), ca: tls.cert, port };
  server = await startTestServer({}, { sns: { ...here, isAllowedAddress: (address) => address === '127.0.0.1' } });
  world = createSourceWorld(server, await server.signedIn({ role: 'admin' }));
});
beforeEach(() => {
  asked = [];
  confirmAnswer = [200];
});
afterAll(async () => {
  await server.destroy();
  sns.closeAllConnections();
  await new Promise((resolve) => sns.close(resolve));
});

const subscribe = (of: SourceWorld, token: string, message: object) =>
  of.send(`/in/${token}`, {
    headers: { 'x-amz-sns-message-type': 'SubscriptionConfirmation', 'Content-Type': 'text/plain' },
    body: JSON.stringify(message),
  });

test('a subscription whose signature is right is confirmed once, and makes no alert', async () => {
  const { source, token } = await world.newSource();
  expect((await subscribe(world, token, signSnsMessage(CONFIRMATION, '2'))).status).toBe(200);
  // The server keeps the certificate once it has it.
  expect(asked.filter((url) => url !== CERTIFICATE_PATH)).toEqual([SUBSCRIBED]);
  await world.expectNewest(source.id, { outcome: 'handshake', sender: 'sns', newAlerts: 0 });
  expect(await world.countAlerts()).toBe(0);
});

test('one whose address was changed after it was signed is refused, and nothing is asked for it', async () => {
  const { source, token } = await world.newSource();
  const changed = { ...signSnsMessage(CONFIRMATION), SubscribeURL: `https://${HOST}/?Action=DeleteTopic` };
  expect((await subscribe(world, token, changed)).status).toBe(401);
  expect(asked.filter((url) => url !== CERTIFICATE_PATH)).toEqual([]);
  await world.expectNewest(source.id, { outcome: 'refused' });
});

test.each<[string, typeof confirmAnswer]>([
  ['fails', [500]],
  ['is a redirect, which is not followed', [302, { location: 'https://127.0.0.1/' }]],
])('a confirmation that %s is to be sent again', async (_, answer) => {
  const { source, token } = await world.newSource();
  confirmAnswer = answer;
  const response = await subscribe(world, token, signSnsMessage(CONFIRMATION));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
  expect(asked.filter((url) => url !== CERTIFICATE_PATH)).toEqual([SUBSCRIBED]);
  await world.expectNewest(source.id, { outcome: 'refused', status: 503 });
});

test('SNS is not asked where its name leads to this machine or its network', async () => {
  const guarded = await startTestServer({}, { sns: here });
  try {
    const own = createSourceWorld(guarded, await guarded.signedIn({ role: 'admin' }));
    const { source, token } = await own.newSource();
    const answer = await subscribe(own, token, signSnsMessage(CONFIRMATION));
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(asked).toEqual([]);
    await own.expectNewest(source.id, { summary: 'The certificate of SNS could not be fetched or read' });
  } finally {
    await guarded.destroy();
  }
});

const GONE = `https://${HOST}/SimpleNotificationService-gone.pem`;

test('a confirmation whose certificate cannot be had is to be sent again', async () => {
  const { source, token } = await world.newSource();
  const answer = await subscribe(world, token, signSnsMessage({ ...CONFIRMATION, SigningCertURL: GONE }));
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
  await world.expectNewest(source.id, { outcome: 'refused', status: 503 });
});

test('a message whose certificate cannot be had is to be sent again', async () => {
  const own = await world.newSource();
  await world.admin.send('POST', `/api/sources/${own.source.id}/signing-secrets`, { secret: CONFIRMATION.TopicArn });
  await world.change(own.source.id, { auth: { key: true, basic: true, token: true, signature: 'sns' } });
  const message = signSnsMessage({
    ...CONFIRMATION,
    Type: 'Notification',
    SigningCertURL: GONE,
  });
  const answer = await world.send(`/in/${own.token}`, {
    headers: { 'x-amz-sns-message-type': 'Notification', 'Content-Type': 'text/plain' },
    body: JSON.stringify(message),
  });
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
});
