import { expect, it } from 'vitest';
import { newsOf } from './news-of.ts';

it('makes one toast of all arrivals, and none where nothing arrived', () => {
  expect(newsOf([{ customer: 'Nordwind' }, { customer: null }])).toEqual({
    intent: 'news',
    title: 'New alert received',
    description: 'Alert from Nordwind',
    customers: ['Nordwind', null],
  });
  expect(newsOf([{ customer: null }])?.description).toBe('A new webhook alert has arrived');
  expect(newsOf([])).toBeUndefined();
});
