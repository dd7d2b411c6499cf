import type { Alert } from '#backend/contract/alert.ts';

/** An alert as the server sends it, with nothing in it but what a test is about. */
export const makeAlert = (id: string, more: Partial<Alert> = {}): Alert => ({
  id,
  version: 1,
  payload: {},
  extraData: {},
  customer: null,
  alertType: null,
  timestamp: '2026-11-21T09:42:00.000Z',
  status: 'pending',
  url: '/webhook',
  title: null,
  severity: 'none',
  state: 'event',
  occurrences: 1,
  lastSeenAt: '2026-11-21T09:42:00.000Z',
  ...more,
});
