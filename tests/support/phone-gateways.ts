import type { ServiceRules } from './outgoing-receiver.ts';

const E164 = /^\+[1-9]\d{1,14}$/;

const headerOf = (headers: Record<string, string | string[] | undefined>, name: string): string =>
  String(headers[name] ?? '');

/**
 * Twilio's Messages resource: form parameters `To` in E.164, `From` and `Body` of at most 1,600 characters, and HTTP Basic
 * authentication with the account's SID and token (https://www.twilio.com/docs/messaging/api/message-resource, "Create a
 * Message"; errors 21211, 21602, 21603, 21617, 20003).
 */
export const twilioRules =
  (sid: string, token: string): ServiceRules =>
  ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== `/2010-04-01/Accounts/${sid}/Messages.json`) return { status: 404 };
    const expected = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
    if (headerOf(headers, 'authorization') !== expected) return { status: 401, body: '{"code":20003}' };
    if (headerOf(headers, 'content-type') !== 'application/x-www-form-urlencoded') return { status: 400 };
    const values = new URLSearchParams(body);
    if (!E164.test(values.get('To') ?? '')) return { status: 400, body: '{"code":21211}' };
    if (!E164.test(values.get('From') ?? '')) return { status: 400, body: '{"code":21603}' };
    const text = values.get('Body') ?? '';
    if (text === '') return { status: 400, body: '{"code":21602}' };
    return text.length > 1_600 ? { status: 400, body: '{"code":21617}' } : undefined;
  };

/**
 * Bird's (MessageBird's) SMS API: JSON with `originator`, `recipients` and `body`, and an access key
 * (https://developers.messagebird.com/api/sms-messaging/, "Send outbound SMS"; errors 2, 9, 10).
 */
export const messageBirdRules =
  (accessKey: string): ServiceRules =>
  ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== '/messages') return { status: 404 };
    if (headerOf(headers, 'authorization') !== `AccessKey ${accessKey}`)
      return { status: 401, body: '{"errors":[{"code":2}]}' };
    const { originator, recipients, body: text } = JSON.parse(body) as Record<string, unknown>;
    const isRight =
      typeof originator === 'string' &&
      originator.length <= 15 &&
      Array.isArray(recipients) &&
      recipients.every((one) => /^\+?\d{7,15}$/.test(String(one))) &&
      typeof text === 'string' &&
      text !== '';
    return isRight ? undefined : { status: 422, body: '{"errors":[{"code":9}]}' };
  };

/** A gateway for {@link twilioRules}, as an administrator writes it. */
export const twilioGateway = (base: string, sid: string, token: string) => ({
  kind: 'phone' as const,
  url: `${base}/2010-04-01/Accounts/${sid}/Messages.json`,
  method: 'POST' as const,
  headers: 'Content-Type: application/x-www-form-urlencoded\nAuthorization: Basic {{secret | base64}}',
  template: 'To={{number}}&From=%2B15005550006&Body={{text}}',
  token: `${sid}:${token}`,
  room: '+4930123456',
});
