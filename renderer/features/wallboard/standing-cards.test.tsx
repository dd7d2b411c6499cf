import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Wallboard } from '#backend/contract/wallboard.ts';
import { StandingCards } from './standing-cards.tsx';

const NOW = Date.parse('2026-11-27T21:20:00.000Z');

const BOARD: Wallboard = {
  at: new Date(NOW).toISOString(),
  name: 'Operations',
  customers: { names: [], more: 0 },
  waiting: [],
  inProgress: { alerts: 0, people: 0 },
  rows: [],
  arrivals: null,
  onNow: null,
  windows: [],
  heartbeats: { down: 0, all: 0, name: null, since: null },
  sources: { refusing: 0, silent: 0, names: [] },
};

test('a heartbeat that was called and failed is not said to be missing', () => {
  const since = new Date(NOW - 5 * 60_000).toISOString();
  const heartbeats = { down: 1, all: 12, name: 'Backup', since };
  const html = renderToStaticMarkup(<StandingCards board={{ ...BOARD, heartbeats }} now={NOW} />);
  const texts = html.split(/<[^>]*>/).filter((text) => text !== '');
  const at = texts.indexOf('Heartbeats');
  expect(texts.slice(at, at + 3)).toEqual(['Heartbeats', '1 missing or failed', 'Backup, 5 min']);
});
