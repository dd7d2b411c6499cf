import { afterEach, expect, test, vi } from 'vitest';
import type { Session } from '#backend/contract/session.ts';
import { setClock } from '#renderer/lib/clock.ts';
import { exportAudit } from './audit.ts';

const MARA: Session = { id: '1', email: 'mara@example.org', displayName: 'Mara', role: 'admin' };

const ENTRY = {
  id: '019a0000-0000-7000-8000-000000000001',
  action: 'signed_in',
  actorId: '1',
  actorName: 'Mara',
  subject: null,
  ip: null,
  createdAt: '2026-11-21T20:02:00.000Z',
  times: 1,
};

afterEach(async () => {
  vi.unstubAllGlobals();
  await setClock(MARA);
});

test('times of a CSV file are those of the time zone that the member chose', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify([ENTRY]))));
  await setClock({ ...MARA, timeZone: 'Asia/Tokyo' });
  const { signal } = new AbortController();
  const file = await exportAudit({ kind: '', q: '', days: '' }, { format: 'csv', signal, onProgress: () => undefined });
  expect(await file.text()).toContain(`${ENTRY.id},2026-11-22T05:02:00+09:00,`);
});
