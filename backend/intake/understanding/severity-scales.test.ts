import { describe, expect, test } from 'vitest';
import type { SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { readAny } from '#backend/intake/adapters/generic.ts';
import { type JsonValue, readJson } from '#backend/intake/json/json-value.ts';

const severityOf = (body: unknown): SenderEvent['severity'] =>
  readAny(readJson(JSON.stringify(body), 20) as JsonValue).severity?.value ?? 'none';

describe('how bad it is', () => {
  test.each<[string, unknown, SenderEvent['severity']]>([
    ['a word', { severity: 'Severe', title: 'a' }, 'critical'],
    ['syslog', { level: 'emerg', message: 'a b c' }, 'critical'],
    ['a word with its number', { priority: 'P2 - High', title: 'a' }, 'high'],
    ['a priority by number: 1 is the highest', { ticket: { priority: 1, subject: 'a' } }, 'critical'],
    ['a level of Python', { level: 40, title: 'a' }, 'high'],
    ['what is inside', { data: { item: { title: 'a', last_occurrence: { level: 'error' } } } }, 'high'],
    ['pairs in a list', { title: 'a', fields: [{ key: 'severity', value: 'ERROR' }] }, 'high'],
    ['what is down', { name: 'Webshop', status: 'down' }, 'high'],
    ['what failed', { job: 'export', result: 'FAILURE' }, 'high'],
    ['a color', { attachments: [{ color: 'danger', text: 'The queue grows' }] }, 'high'],
    ['a color by number', { embeds: [{ color: 16_711_680, title: 'The queue grows' }] }, 'high'],
    ['a shade of orange', { color: '#ff9f00', text: 'The queue grows' }, 'warning'],
    ['no green', { color: '#36a64f', text: 'The queue grows' }, 'none'],
    ['the state against a number', { sensor: 'Ping', status: 'Down', priority: 5 }, 'high'],
    ['a later part of a card', { body: [{ text: 'Fan 2' }, { facts: [{ title: 'Severity', value: 'low' }] }] }, 'low'],
    ['nothing', { title: 'a', status: 'open' }, 'none'],
    ['a number of unknown direction', { severity: 3, title: 'a' }, 'none'],
  ])('by %s', (_, body, severity) => {
    expect(severityOf(body)).toBe(severity);
  });
});
