import { expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { newsOf } from './news-of.ts';

const alertOf = (id: string, customer: string | null): Alert => ({
  id,
  customer,
  payload: {},
  extraData: {},
  alertType: null,
  timestamp: '2026-11-21T09:42:00.000Z',
  status: 'pending',
  url: '/webhook',
});

it('makes one toast of all arrivals, and none where nothing arrived', () => {
  expect(newsOf([alertOf('1', 'Nordwind'), alertOf('2', null)])).toEqual({
    intent: 'news',
    title: 'New alert received',
    description: 'Alert from Nordwind',
    customers: ['Nordwind', null],
    subjects: [
      { text: 'Alert from Nordwind', alertId: '1' },
      { text: 'Alert without a customer', alertId: '2' },
    ],
  });
  expect(newsOf([alertOf('3', null)])?.description).toBe('A new webhook alert has arrived');
  expect(newsOf([])).toBeUndefined();
});
