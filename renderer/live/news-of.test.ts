import { expect, it } from 'vitest';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { newsOf } from './news-of.ts';

const arrived = (customer: string | null): LiveEvent => ({
  type: 'new_alert',
  alert: {
    id: 'a',
    payload: {},
    extraData: {},
    customer,
    alertType: null,
    timestamp: '2026-11-21T09:42:00.000Z',
    status: 'pending',
    url: '/webhook',
  },
});

it('makes one toast of all arrivals, and none where nothing arrived', () => {
  expect(newsOf([arrived('Nordwind'), { type: 'alert_deleted', alertId: 'b' }, arrived(null)])).toEqual({
    intent: 'news',
    title: 'New alert received',
    description: 'Alert from Nordwind',
    customers: ['Nordwind', null],
  });
  expect(newsOf([arrived(null)])?.description).toBe('A new webhook alert has arrived');
  expect(newsOf([{ type: 'alert_deleted', alertId: 'b' }])).toBeUndefined();
});
