import { expect, it } from 'vitest';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { newsOf } from './news-of.ts';

const arrived = (customer: string | null): LiveEvent => ({
  type: 'new_alert',
  alert: makeAlert('a', { customer }),
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
