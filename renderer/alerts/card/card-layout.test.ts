import { expect, it } from 'vitest';
import { cardLayout, estimateCardHeight, isOneLine } from './card-layout.ts';

it('follows the width of the list, and stacks on a small screen', () => {
  expect(cardLayout('inbox', 1136, false)).toEqual({ kind: 'wide', isComfortable: false, line: 780, lines: 1 });
  expect(cardLayout('inbox', 1040, false).kind).toBe('wide');
  expect(cardLayout('inbox', 1039, false).kind).toBe('narrow');
  expect(cardLayout('inbox', 360, true).kind).toBe('stacked');
  expect(cardLayout('inbox', 0, true).line).toBe(0);
  expect(cardLayout('inbox', 390, true).lines).toBe(2);
  expect(cardLayout('queue', 390, true).lines).toBe(1);
});

it('stacks where one line would be cramped', () => {
  expect(cardLayout('inbox', 559, false).kind).toBe('stacked');
  expect(cardLayout('queue', 679, false).kind).toBe('stacked');
  expect(cardLayout('queue', 680, false).kind).toBe('narrow');
});

it('leaves the fields to the alert that is open beside the list', () => {
  expect(cardLayout('inbox', 504, false, true, true)).toEqual({
    kind: 'compact',
    isComfortable: false,
    line: 0,
    lines: 1,
  });
  expect(cardLayout('inbox', 720, false, false, true).kind).toBe('narrow');
});

it('gives the fields a line of their own where the list is narrow, and in comfortable mode', () => {
  expect(isOneLine(cardLayout('inbox', 1136, false))).toBe(true);
  expect(isOneLine(cardLayout('inbox', 900, false))).toBe(false);
  expect(isOneLine(cardLayout('inbox', 1136, false, true))).toBe(false);
});

it('knows how high a card is', () => {
  expect(estimateCardHeight(cardLayout('inbox', 1136, false))).toBe(64);
  expect(estimateCardHeight(cardLayout('queue', 720, false))).toBe(88);
  expect(estimateCardHeight(cardLayout('inbox', 360, true))).toBe(111);
  expect(estimateCardHeight(cardLayout('inbox', 1136, false, true))).toBe(120);
});
