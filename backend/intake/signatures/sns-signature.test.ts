import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCertificateStore } from './sns-certificates.ts';
import { verifySignature } from './verify-signature.ts';
import { createSnsClient } from '#backend/intake/sources/sns-client.ts';
import { SNS_CERTIFICATE, signSnsMessage } from '#tests/support/sns-messages.ts';

const NOW = Date.UTC(2026, 2, 4, 10, 0, 0);
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:desk';
const ADDRESS = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem';

const MESSAGE: Record<string, string> = {
  Type: 'Notification',
  MessageId: 'm-1',
  TopicArn: TOPIC,
  Subject: 'Backup',
  Message: ' The backup\ntook 3 h ',
  Timestamp: '2026-03-04T10:00:01.000Z',
  SigningCertURL: ADDRESS,
  UnsubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe',
};

function check(
  message: unknown,
  {
    headers = {},
    topics = [TOPIC],
    fetchText = async () => SNS_CERTIFICATE,
  }: {
    headers?: Record<string, string>;
    topics?: string[];
    fetchText?: (address: string) => Promise<string>;
  } = {},
) {
  const certificates = createCertificateStore(fetchText);
  const body = Buffer.from(JSON.stringify(message));
  return verifySignature('sns', { headers, body }, topics, { now: () => NOW, certificates });
}

describe('a message of SNS', () => {
  test.each(['1', '2'] as const)('is believed with signature version %s', async (version) => {
    expect(await check(signSnsMessage(MESSAGE, version))).toMatchObject({ ok: true, scheme: 'sns', secretIndex: 0 });
    const { Subject: _subject, ...plain } = MESSAGE;
    expect(await check(signSnsMessage(plain, version))).toMatchObject({ ok: true });
  });

  test('that asks for a confirmation is believed, too', async () => {
    const confirmation = {
      Type: 'SubscriptionConfirmation',
      MessageId: 'm-2',
      Token: 'token',
      TopicArn: TOPIC,
      Message: 'You have chosen to subscribe',
      SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription',
      Timestamp: '2026-03-04T10:00:01.000Z',
      SigningCertURL: ADDRESS,
    };
    expect(await check(signSnsMessage(confirmation))).toMatchObject({ ok: true });
    const elsewhere = {
      ...signSnsMessage(confirmation),
      SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Action=Other',
    };
    expect(await check(elsewhere)).toMatchObject({ ok: false });
  });

  test.each(['Message', 'MessageId', 'Subject', 'Timestamp', 'Type', 'Signature'])(
    'is not believed when its %s was changed',
    async (name) => {
      const message = signSnsMessage(MESSAGE);
      expect(await check({ ...message, [name]: `A${message[name]}` })).toMatchObject({ ok: false });
    },
  );

  test('is not believed of another topic, nor raw, nor when it is something else', async () => {
    const other = signSnsMessage({ ...MESSAGE, TopicArn: 'arn:aws:sns:eu-west-1:999999999999:desk' });
    expect(await check(other)).toEqual({
      ok: false,
      reason: 'Another topic than the source’s: compare the topic’s ARN',
    });
    expect(await check(MESSAGE)).toEqual({ ok: false, reason: 'The message has no SignatureVersion 1 or 2' });
    expect(await check([])).toEqual({ ok: false, reason: 'The body is no message of SNS' });
    const raw = await check({ a: 1 }, { headers: { 'x-amz-sns-rawdelivery': 'true' } });
    expect(raw).toMatchObject({ reason: expect.stringMatching(/^Raw message delivery is on/) });
  });

  test.each([
    'http://sns.eu-west-1.amazonaws.com/a.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
    'https://evil.example/a.pem',
    'https://sns.eu-west-1.amazonaws.com/a.pem?x=1',
    'https://sns.eu-west-1.amazonaws.com/bucket/a.pem',
    'https://sns.eu-west-1.amazonaws.com:444/a.pem',
    'https://a@sns.eu-west-1.amazonaws.com/a.pem',
    'not an address',
  ])('makes nobody fetch %s', async (address) => {
    const message = signSnsMessage({ ...MESSAGE, SigningCertURL: address });
    const fetched: string[] = [];
    const fetchText = async (one: string) => {
      fetched.push(one);
      return SNS_CERTIFICATE;
    };
    expect(await check(message, { fetchText })).toMatchObject({ ok: false });
    expect(fetched).toEqual([]);
  });

  test('of the Chinese partition has its own address', async () => {
    const address = 'https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-1.pem';
    expect(await check(signSnsMessage({ ...MESSAGE, SigningCertURL: address }))).toMatchObject({ ok: true });
  });
});

describe('certificates', () => {
  test('are fetched once, and again after a failure', async () => {
    const answers = [Promise.reject(new Error('offline')), Promise.resolve('no certificate')];
    let asked = 0;
    const certificates = createCertificateStore(() => {
      asked += 1;
      return answers.shift() ?? Promise.resolve(SNS_CERTIFICATE);
    });
    const request = { headers: {}, body: Buffer.from(JSON.stringify(signSnsMessage(MESSAGE))) };
    const results = [];
    for (let round = 0; round < 4; round += 1) {
      results.push(await verifySignature('sns', request, [TOPIC], { now: () => NOW, certificates }));
    }
    expect(results.map(({ ok }) => ok)).toEqual([false, false, true, true]);
    expect(asked).toBe(3);
  });
});

describe('SendGrid', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const body = Buffer.from('[{"email":"a@b.example","sg_event_id":"1"}]\r\n');
  const seconds = String(NOW / 1000);
  const headers = {
    'x-twilio-email-event-webhook-timestamp': seconds,
    'x-twilio-email-event-webhook-signature': sign(
      'sha256',
      Buffer.concat([Buffer.from(seconds), body]),
      pair.privateKey,
    ).toString('base64'),
  };
  const certificates = createCertificateStore(() => Promise.reject(new Error('not asked for')));
  const verifySendGrid = (
    secrets: string[],
    changes: { body?: Buffer; headers?: Record<string, string>; now?: number } = {},
  ) =>
    verifySignature('sendgrid', { headers: changes.headers ?? headers, body: changes.body ?? body }, secrets, {
      now: () => changes.now ?? NOW,
      certificates,
    });

  test('is believed with its key, also beside another while keys are rotated', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' });
    expect(await verifySendGrid([publicKey])).toMatchObject({ ok: true, scheme: 'sendgrid', secretIndex: 0 });
    expect(await verifySendGrid([other.toString('base64'), publicKey])).toMatchObject({ ok: true, secretIndex: 1 });
    expect(await verifySendGrid([other.toString('base64')])).toMatchObject({ reason: expect.stringMatching(/match/) });
  });

  test('is not believed when a byte was changed, late, or without a key', async () => {
    for (let position = 0; position < body.length; position += 1) {
      const changed = Buffer.from(body);
      changed[position] = changed[position]! ^ 1;
      expect(await verifySendGrid([publicKey], { body: changed })).toMatchObject({ ok: false });
    }
    expect(await verifySendGrid([publicKey], { now: NOW + 12 * 60_000 })).toEqual({
      ok: false,
      reason: 'Signed 12 min ago: the sender’s clock or an old request',
    });
    expect(await verifySendGrid(['not a key'])).toMatchObject({ reason: expect.stringMatching(/no public key/) });
    expect(await verifySendGrid([publicKey], { headers: {} })).toMatchObject({
      reason: expect.stringMatching(/^There is no x-twilio-email-event-webhook-signature/),
    });
  });
});

test('a subscription is confirmed at an address of SNS alone, whatever was signed', async () => {
  const requested: string[] = [];
  const client = createSnsClient(async (address) => {
    requested.push(address);
    return '';
  });
  await expect(
    client.confirm('https://sns.eu-west-1.amazonaws.com.evil.example/?Action=ConfirmSubscription'),
  ).rejects.toThrow('not one of SNS');
  const own = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription';
  await client.confirm(own);
  expect(requested).toEqual([own]);
});
