import { expect, test } from 'vitest';
import { violationRoutes, violationsIn } from './violation-reports.ts';

test('of a violation the log has directive, origin and path, and nothing that may be secret', () => {
  const body = {
    documentURL: 'https://alerts.example/join/ad_C2FVsBQIhrscChlQIMVb5sSY?q=secret#secret',
    effectiveDirective: 'script-src-elem',
    blockedURL: 'https://evil.example/x.js?secret',
    sample: 'secret',
  };
  expect(
    violationsIn([
      { type: 'csp-violation', body },
      { type: 'deprecation', body },
    ]),
  ).toEqual([{ directive: 'script-src-elem', blocked: 'https://evil.example', page: '/join/ad_••••••••5sSY' }]);
});

test('the older form of a report is read, and what is no report is not repeated', () => {
  const older = {
    'document-uri': 'https://a.example/',
    'violated-directive': "style-src 'self'",
    'blocked-uri': 'inline',
  };
  expect(violationsIn({ 'csp-report': older })).toEqual([{ directive: 'style-src', blocked: 'inline', page: '/' }]);
  const hostile = { documentURL: 7, effectiveDirective: '\n{"level":60}', blockedURL: 'javascript:alert(1)' };
  expect(violationsIn([{ type: 'csp-violation', body: hostile }])).toEqual([
    { directive: 'other', blocked: 'javascript', page: '' },
  ]);
});

test('a flood of reports is twenty lines a minute, and how many there were', async () => {
  let time = 0;
  const lines: object[] = [];
  const logger = { warn: (fields: object) => void lines.push(fields) };
  const [route] = violationRoutes({ logger } as never, () => time);
  const report = [{ type: 'csp-violation', body: {} }];
  const send = async (times: number) => {
    for (let n = 0; n < times; n += 1) await route?.handle({ body: report, ip: '192.0.2.1' } as never);
  };
  await send(50);
  expect(lines).toHaveLength(20);
  time = 60_000;
  await send(1);
  expect(lines.slice(20)).toEqual([{ leftOut: 30 }, expect.objectContaining({ address: '192.0.2.1' })]);
});
