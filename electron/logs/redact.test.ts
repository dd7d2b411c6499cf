import { describe, expect, test } from 'vitest';
import { redactText, redactValue } from './redact.ts';

const CANARY = 'cAnArY-7f3b9d2e4a6c8';

describe('a text', () => {
  test.each([
    `the key ad_${CANARY} was refused`,
    `{"apiKey":"${CANARY}"}`,
    `{"plainKey":"ad_${CANARY}","name":"Grafana"}`,
    `X-Webhook-Auth: ${CANARY}`,
    `Authorization: Bearer ${CANARY}`,
    `authorization=Basic ${CANARY}`,
    `{"headers":{"authorization":"Bearer ${CANARY}","accept":"*/*"}}`,
    `'authorization': 'Bearer ${CANARY} and more'`,
    `Cookie: theme=dark; sid=${CANARY}; sidebar_state=open`,
    `set-cookie: __Host-sid=${CANARY}; Path=/; HttpOnly`,
    `sid=${CANARY}`,
    `csrf-token=${CANARY}`,
    `X-CSRF-Token: ${CANARY}`,
    `  Password: ${CANARY}`,
    `ADMIN_PASSWORD=${CANARY}`,
    `{"newPassword":"with \\" quote ${CANARY}"}`,
    `SESSION_SECRET=${CANARY}`,
    `VAPID_PRIVATE_KEY=${CANARY}`,
    `vapidPrivateKey: '${CANARY}'`,
    `METRICS_TOKEN=${CANARY}`,
    `GET https://example.org/callback?state=1&access_token=${CANARY}&x=2`,
    `https://example.org/file?token=${CANARY}`,
    `https://example.org/file?sig=${CANARY}#top`,
    `mysql://alertdesk:${CANARY}@db.example.org:3306/alertdesk`,
    `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----`,
    `{"keys":{"p256dh":"${CANARY}","auth":"${CANARY}"}}`,
    `hash $2b$12$${CANARY.replaceAll('-', '')}abcdefghijklmnopqrst`,
  ])('holds no secret any more: %s', (text) => {
    const redacted = redactText(text);
    expect(redacted).not.toContain(CANARY);
    expect(redacted).not.toContain(CANARY.replaceAll('-', ''));
    expect(redacted).toContain('[redacted]');
  });

  test.each([
    'listening at http://127.0.0.1:4400',
    'GET /api/alerts/inbox?limit=50&customer=Harbor 200 in 3 ms',
    'Invalid email or password',
    '{"level":30,"msg":"author: Ada, sidebar=open, ad_hoc"}',
    'the update 1.0.4 is available',
  ])('without a secret stays as it is: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('keeps what stands beside a secret', () => {
    expect(redactText('POST /x?token=abcdef&limit=5 by 10.0.0.1')).toBe('POST /x?token=[redacted]&limit=5 by 10.0.0.1');
    expect(redactText('{"password":"abc","email":"ada@example.org"}')).toBe(
      '{"password":[redacted],"email":"ada@example.org"}',
    );
  });
});

describe('a value', () => {
  test('loses secrets by name and by shape, however deep', () => {
    const value = {
      url: new URL(`https://ada:${CANARY}@example.org/?token=${CANARY}`),
      headers: { Cookie: CANARY, 'set-cookie': [CANARY], accept: 'text/html' },
      list: [{ password: CANARY }, `Bearer ${CANARY}`],
      error: Object.assign(new Error(`refused ad_${CANARY}`), { code: 'E_NO', config: { password: CANARY } }),
      token: null,
      count: 3,
    };
    const redacted = redactValue(value);
    expect(JSON.stringify(redacted)).not.toContain(CANARY);
    expect(redacted).toMatchObject({
      headers: { Cookie: '[redacted]', accept: 'text/html' },
      error: { type: 'Error', message: 'refused ad_[redacted]', code: 'E_NO' },
      token: null,
      count: 3,
    });
  });

  test('that holds itself ends', () => {
    const value: Record<string, unknown> = { name: 'ring' };
    value['self'] = value;
    expect(JSON.stringify(redactValue(value))).toContain('[deeper]');
  });

  test('of any kind can be written as JSON', () => {
    expect(JSON.stringify(redactValue([1n, () => 1, Symbol('x'), undefined, new Date(0)]))).toContain('1');
  });
});
