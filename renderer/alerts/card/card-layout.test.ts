import { expect, it } from 'vitest';
import { cardLayout, estimateCardHeight } from './card-layout.ts';

it('follows the width of the list, and stacks on a small screen', () => {
  expect(cardLayout('inbox', 1136, false)).toEqual({ kind: 'wide', isComfortable: false, valueWidth: 196 });
  expect(cardLayout('inbox', 1040, false).kind).toBe('wide');
  expect(cardLayout('inbox', 1039, false).kind).toBe('narrow');
  expect(cardLayout('inbox', 360, true).kind).toBe('stacked');
  expect(cardLayout('inbox', 0, true).valueWidth).toBe(0);
});

it('stacks where one line would be cramped', () => {
  expect(cardLayout('inbox', 559, false).kind).toBe('stacked');
  expect(cardLayout('queue', 679, false).kind).toBe('stacked');
  expect(cardLayout('queue', 680, false).kind).toBe('narrow');
});

it('gives a value the whole column in comfortable mode', () => {
  expect(cardLayout('inbox', 1136, false, true)).toEqual({ kind: 'wide', isComfortable: true, valueWidth: 271 });
});

it('knows how high a card will be', () => {
  expect(estimateCardHeight(cardLayout('inbox', 1136, false), 4, 'inbox')).toBe(73);
  expect(estimateCardHeight(cardLayout('inbox', 720, false), 1, 'inbox')).toBe(103);
  // The type stands under the customer.
  expect(estimateCardHeight(cardLayout('queue', 720, false), 1, 'queue')).toBe(117);
  expect(estimateCardHeight(cardLayout('inbox', 360, true), 4, 'inbox')).toBe(161);
  expect(estimateCardHeight(cardLayout('inbox', 360, true), 3, 'inbox', true)).toBe(177);
  expect(estimateCardHeight(cardLayout('inbox', 1136, false, true), 4, 'inbox')).toBe(120);
  expect(estimateCardHeight(cardLayout('inbox', 720, false, true), 4, 'inbox')).toBe(156);
  // Three lines under a headline.
  expect(estimateCardHeight(cardLayout('inbox', 1039, false), 4, 'inbox', true)).toBe(93);
  expect(estimateCardHeight(cardLayout('inbox', 1039, false, true), 4, 'inbox', true)).toBe(128);
});
