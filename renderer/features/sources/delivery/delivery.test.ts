import { describe, expect, it } from 'vitest';
import type { Delivery } from '#backend/contract/delivery.ts';
import { readJson } from '#renderer/lib/json-lines.ts';
import { notUsed } from './not-used.ts';
import { refusalChecks } from './refusal-checks.ts';

const AUTH = { key: true, basic: true, token: false, signature: null };

const request = (change: Partial<Parameters<typeof refusalChecks>[0]> = {}) => ({
  method: 'POST',
  path: '/webhook',
  way: 'key' as Delivery['way'],
  summary: 'Used the credential …m4Jd, which expired on Nov 4',
  size: 2253,
  sender: 'alertmanager' as const,
  body: '{}',
  ...change,
});

const wrong = (checks: ReturnType<typeof refusalChecks>) =>
  checks.filter(({ isRight }) => !isRight).map(({ name, text }) => `${name}: ${text}`);

describe('why a request was refused', () => {
  it('is its secret when the way is on', () => {
    const checks = refusalChecks(request(), AUTH);
    expect(wrong(checks)).toEqual(['Credential: Used the credential …m4Jd, which expired on Nov 4']);
    expect(checks.find(({ name }) => name === 'Body')?.text).toBe('2.2 KB of JSON, looks like Alertmanager');
  });

  it('is a way that is off', () => {
    expect(wrong(refusalChecks(request({ path: '/in/••••9TqA', way: 'token' }), AUTH))).toEqual([
      'Method: Token in the address, turned off',
    ]);
  });

  it('is its body', () => {
    const summary = 'Not JSON: text ends at character 812';
    expect(wrong(refusalChecks(request({ summary, body: '{' }), AUTH))).toEqual([`Body: ${summary}`]);
  });

  it('is that it came without a key', () => {
    expect(wrong(refusalChecks(request({ way: 'none' }), AUTH))).toEqual(['Method: No API key and no token']);
  });
});

it('what no field was taken from is named, of the alert’s own element too', () => {
  const root = readJson('{"receiver":"a","alerts":[{"status":"firing","note":"x","labels":{"a":"b"}}]}');
  const origins = [
    { field: 'state', value: 'firing', path: 'alerts[0].status' },
    { field: 'type', value: 'b', path: 'alerts[0].labels.a' },
    { field: 'customer', value: null, path: '' },
  ];
  expect(root && notUsed(root, { origins, element: 'alerts[0]' })).toEqual(['receiver', 'note']);
});
