import { expect, it } from 'vitest';
import { cardLayout, estimateCardHeight } from './card-layout.ts';

it('follows the width of the list, and stacks on a small screen', () => {
  expect(cardLayout(1136, false)).toEqual({ kind: 'wide', valueWidth: 196 });
  expect(cardLayout(880, false).kind).toBe('wide');
  expect(cardLayout(879, false).kind).toBe('narrow');
  expect(cardLayout(360, true).kind).toBe('stacked');
  expect(cardLayout(0, true).valueWidth).toBe(0);
});

it('knows how high a card will be', () => {
  expect(estimateCardHeight(cardLayout(1136, false), 4, 'inbox')).toBe(73);
  expect(estimateCardHeight(cardLayout(720, false), 1, 'queue')).toBe(103);
  expect(estimateCardHeight(cardLayout(360, true), 4, 'inbox')).toBe(213);
});
