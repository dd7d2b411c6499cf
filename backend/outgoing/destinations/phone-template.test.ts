import { expect, test } from 'vitest';
import { type OutgoingReceiver } from '#tests/support/outgoing-receiver.ts';
import { messageBirdRules, twilioGateway, twilioRules } from '#tests/support/phone-gateways.ts';
import { NO_SETTINGS, type Target } from './destination-entity.ts';
import { KINDS } from './kinds/all-kinds.ts';
import { SAMPLE_ALERT, contentOf } from './message-content.ts';
import { faultOfJson, faultOfTemplate, readHeaders } from './phone-template.ts';

const HOSTILE = { ...SAMPLE_ALERT, title: `"},{"&To=+1\r\nX: {{secret}} ${'ä😀'.repeat(2_000)}` };

type Taken = Omit<OutgoingReceiver['requests'][number], 'status' | 'at'>;

function requestOf(written: Partial<Target> & { token: string }, alert = SAMPLE_ALERT): Taken {
  const { token, ...settings } = written;
  const target: Target = {
    ...NO_SETTINGS,
    id: 'id',
    kind: 'phone',
    name: 'Phones',
    oldSecretUntil: null,
    ...settings,
    secrets: { token },
  };
  const payload = contentOf(alert, { event: 'new', at: 0, by: null }, new URL('https://alerts.example.com'));
  const rendered = KINDS.phone.render(target, { id: 'id', payload, now: 0 });
  if (rendered.via !== 'http') throw new Error('a mail');
  const { method = 'POST', url, headers, body } = rendered;
  return {
    method,
    path: new URL(url).pathname,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body,
  };
}

test('Twilio takes what a template makes, whatever stands in an alert', () => {
  for (const alert of [SAMPLE_ALERT, HOSTILE]) {
    const request = requestOf(twilioGateway('https://api.twilio.com', 'AC1', 'token'), alert);
    expect(twilioRules('AC1', 'token')(request)).toBeUndefined();
    const values = new URLSearchParams(request.body);
    expect([values.getAll('To'), [...values.keys()]]).toEqual([['+4930123456'], ['To', 'From', 'Body']]);
    expect(values.get('Body')).toContain('https://alerts.example.com/');
    expect(values.get('Body')?.length).toBeLessThanOrEqual(459);
  }
});

test('MessageBird takes JSON that a template makes, whatever stands in an alert', () => {
  const gateway = {
    url: 'https://rest.messagebird.com/messages',
    method: 'POST' as const,
    headers: 'Content-Type: application/json; charset=utf-8\nAuthorization: AccessKey {{secret}}',
    template: '{"originator": "Alertdesk", "recipients": ["{{number}}"], "body": "{{text}}"}',
    room: '+4930123456',
    token: 'live_key',
  };
  for (const alert of [SAMPLE_ALERT, HOSTILE]) {
    const request = requestOf(gateway, alert);
    expect(messageBirdRules('live_key')(request)).toBeUndefined();
    // What a sender writes names no value of the template.
    expect(request.body).not.toContain('live_key');
    expect(JSON.parse(request.body)).toMatchObject({ recipients: ['+4930123456'] });
  }
});

test('a value in a header is one line, whatever stands in an alert', () => {
  const gateway = {
    url: 'https://sms.example.com',
    headers: 'X-Title: {{title}}\nX-Text: {{text}}',
    template: '',
    token: 'x',
  };
  const { headers } = requestOf({ ...gateway, room: '+4930123456' }, HOSTILE);
  for (const name of ['x-title', 'x-text']) {
    expect(headers[name]).toContain('"},{"&To=+1 X: {{secret}} ä');
    expect(headers[name]).not.toMatch(/\p{Cc}/u);
  }
});

test('a GET has everything in its address', () => {
  const url = 'https://sms.example.com/send?to={{number}}&text={{title}}&key={{secret}}';
  const rendered = KINDS.phone.render(
    {
      ...NO_SETTINGS,
      id: 'id',
      kind: 'phone',
      name: 'x',
      oldSecretUntil: null,
      url,
      method: 'GET',
      room: '+49301',
      secrets: { token: 'a&b' },
    },
    {
      id: 'id',
      payload: contentOf(
        { ...SAMPLE_ALERT, severity: null, title: 'a b&c' },
        { event: 'new', at: 0, by: null },
        undefined,
      ),
      now: 0,
    },
  );
  expect(rendered).toMatchObject({
    url: 'https://sms.example.com/send?to=%2B49301&text=a%20b%26c&key=a%26b',
    body: '',
  });
});

test.each([
  [
    'To={{numbr}}',
    'Line 1, character 4: there is no {{numbr}}. Use {{number}}, {{text}}, {{title}}, {{link}}, {{secret}}.',
  ],
  ['a\n  {{number', 'Line 2, character 3: {{ is not closed. Add }} behind the name.'],
  ['{{secret | md5}}', 'Line 1, character 1: there is no filter md5. Use | base64.'],
  ['{"a": {"b": "{{ text }}"}}', undefined],
])('a template %s is right, or says where it is wrong', (template, fault) => {
  expect(faultOfTemplate(template)).toBe(fault);
});

test('a template that makes no JSON says where', () => {
  expect(faultOfJson('{"to": "{{number}}",\n "text": "{{text}}" "x"}')).toMatch(
    /^Line 2, character 21: this is not JSON/,
  );
  expect(faultOfJson('{"to": "{{number}}"')).toMatch(/^Line 1, character 20: this is not JSON/);
  expect(faultOfJson('{"to": "{{number}}", "text": "{{text}}"}')).toBeUndefined();
});

test('headers are lines, and none that a request has by itself', () => {
  expect(readHeaders('A: b\n\nX-Key:c ')).toEqual({ A: 'b', 'X-Key': 'c' });
  expect(readHeaders('A: b\nno header')).toEqual({ fault: 'Line 2, character 1: write a header as Name: value.' });
  expect(readHeaders('Host: evil')).toEqual({ fault: 'Line 1, character 1: Host is set by the server.' });
});
