import { describe, expect, test } from 'vitest';
import { readMailSubject } from './mail-subject.ts';

describe('the headline', () => {
  test.each([
    ['Re: Fwd: AW[2]: Disk full on web-1', undefined, 'Disk full on web-1'],
    ['[EXTERNAL] Re: [ops-alerts] Disk full on web-1', 'ops-alerts', 'Disk full on web-1'],
    ['[web-1] Disk full', 'ops-alerts', '[web-1] Disk full'],
    ['[FIRING:2] HighLoad (eu-1)', undefined, 'HighLoad (eu-1)'],
    ['[P1] Disk full', undefined, 'Disk full'],
    ['** PROBLEM Service Alert: web-1/HTTP is CRITICAL **', undefined, 'PROBLEM Service Alert: web-1/HTTP is CRITICAL'],
    ['Re:', undefined, 'Re:'],
    ['[Online Shop] Checkout is failing', undefined, '[Online Shop] Checkout is failing'],
    ['[Alert resolved] Disk full', undefined, 'Disk full'],
    ['[web-1 OK] Disk full', undefined, '[web-1] Disk full'],
    ['Disk\r\n full\u202e on\u0000 web-1', undefined, 'Disk full on web-1'],
  ])('of %j (list %s) is %j', (subject, list, headline) => {
    expect(readMailSubject(subject, list).headline).toBe(headline);
  });
});

describe('the state', () => {
  test.each([
    ['RESOLVED: Disk full on web-1', 'resolved'],
    ['[RESOLVED] Disk full on web-1', 'resolved'],
    ['OK - Disk full on web-1', 'resolved'],
    ['Disk full on web-1 recovered', 'resolved'],
    ['Disk on web-1 is OK', 'resolved'],
    ['Disk on web-1 is back to normal', 'resolved'],
    ['** RECOVERY Service Alert: web-1/HTTP is OK **', 'resolved'],
    ['Resolved in 5m 3s: Disk space low on web-1', 'resolved'],
    ['Monitor is UP: example.com', 'resolved'],
    ['Backup of db-1 succeeded', 'resolved'],
    ['** ACKNOWLEDGEMENT Service Alert: web-1/HTTP is CRITICAL **', 'acknowledged'],
    ['Problem: Disk space low on web-1', 'firing'],
    ['Monitor is DOWN: example.com', 'firing'],
    ['[Alert resolved] Disk full on web-1', 'resolved'],
    ['[P1 RESOLVED x2] Disk full on web-1', 'resolved'],
    ['[web-1 has recovered] Disk full', 'resolved'],
    ['[web-1 OK] Disk full', 'resolved'],
    ['[CPU OK] Load of web-1', 'resolved'],
    ['[Database recovered] Connections refused', 'resolved'],
    ['[web-1 UP] Ping', 'resolved'],
    ['[web-1 CRITICAL] Disk full', 'firing'],
    ['[web-1 not OK] Disk full', 'firing'],
    ['[Back Up] Job failed on db-1', 'firing'],
    ['[SIGN UP] Errors are rising', 'firing'],
    ['[Not fully recovered] Database', 'firing'],
    ['[Database partially recovered] Connections refused', 'firing'],
    ['Deployment failed (tests OK)', 'firing'],
    ['Disk full on web-1 (back to normal)', 'resolved'],
    ['[Online Shop] Checkout is failing', 'firing'],
    ['[ONLINE SHOP] Checkout is failing', 'firing'],
    ['[Fixed Income] Pricing feed down', 'firing'],
    ['[Good Corp] Disk full on web-1', 'firing'],
    ['Legacy host (End of Life) is unreachable', 'firing'],
    ['Recovery plan was changed by Ann', 'firing'],
    ['Closed beta begins: the server is slow', 'firing'],
    ['Cleared items are missing in the report', 'firing'],
    ['The pump does not start', 'firing'],
    ['The web server is not OK', 'firing'],
  ])('of %j is %s', (subject, state) => {
    expect(readMailSubject(subject).state).toBe(state);
  });
});

describe('mails of one problem have one key', () => {
  test.each([
    ['Disk full on web-1', 'Re: Disk full on web-1', 'RESOLVED: Disk full on web-1', '[FIRING:3] Disk full on web-1'],
    ['** PROBLEM Service Alert: web-1/HTTP is CRITICAL **', '** RECOVERY Service Alert: web-1/HTTP is OK **'],
    ['Problem: Disk space low on web-1', 'Resolved in 5m 3s: Disk space low on web-1'],
    ['Monitor is DOWN: example.com', 'Monitor is UP: example.com'],
    ['HIGH: Disk full on web-1', '[P2] Disk full on web-1', 'RESOLVED: Disk full on web-1'],
    ['P1: Disk full on web-1', 'RESOLVED: P1: Disk full on web-1', '[RESOLVED] [P1] Disk full on web-1'],
    ['LOW DISK SPACE on web-1', 'RESOLVED: LOW DISK SPACE on web-1'],
    ['Disk at 92% on web-1', 'Disk at 95.5 % on web-1 (x3)'],
    ['Backup of db-1 failed', 'Backup of db-1 succeeded'],
    [
      '[web-1 CRITICAL] Disk full',
      '[web-1 WARNING] Disk full',
      '[web-1 OK] Disk full',
      '[web-1 has recovered] Disk full',
    ],
    ['[Database down] Connections refused', '[Database recovered] Connections refused'],
    ['Load high since 2026-11-04 10:22', 'Load high since 2026-11-04 11:07'],
  ])('%j', (...subjects) => {
    expect(new Set(subjects.map((subject) => readMailSubject(subject).key)).size).toBe(1);
  });

  test('and mails of others have another', () => {
    const subjects = [
      'Disk full on web-1',
      'Disk full on web-2',
      '[web-3] Disk full',
      '[web-4 OK] Disk full',
      '[web-5 has recovered] Disk full',
      '[Online Shop] Disk full',
      '[Online Bank] Disk full',
      'Pump (P2) offline',
      'Pump (P3) offline',
      'Ticket #12: Disk full',
      'Ticket #13: Disk full',
    ];
    expect(new Set(subjects.map((subject) => readMailSubject(subject).key)).size).toBe(subjects.length);
  });

  test('a subject that is nothing but a state keeps it', () => {
    expect(readMailSubject('ALERT').key).toBe('alert');
  });
});

test.each([
  ['CRITICAL: Disk full', 'critical'],
  ['WARNING - Disk nearly full', 'warning'],
  ['Monitor is DOWN: example.com', 'high'],
  ['** PROBLEM Service Alert: web-1/HTTP is CRITICAL **', 'critical'],
  ['Backup of db-1 failed', 'high'],
  ['Disk full', undefined],
  ['RESOLVED: Disk is CRITICAL', undefined],
  ['HIGH: Disk full', 'high'],
  ['[P1] Disk full', 'critical'],
  ['[web-1 CRITICAL] Disk full', 'critical'],
  ['[Landing Page] Slow', undefined],
  ['LOW DISK SPACE on web-1', undefined],
  ['Pump (P2) offline', undefined],
  ['High load on web-1', undefined],
  ['RESOLVED: [P1] Disk full', undefined],
])('%j is as bad as %s', (subject, severity) => {
  expect(readMailSubject(subject).severity).toBe(severity);
});
