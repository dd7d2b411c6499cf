import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { STORM_INTERVAL_MS, createStormVoice } from './storm-voice.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const alertOf = (customer: string | null): Alert =>
  ({
    id: crypto.randomUUID(),
    customer,
    alertType: null,
    severity: 'none',
    state: 'event',
    title: null,
    payload: {},
  }) as Alert;

function listen() {
  const said: string[] = [];
  return { said, voice: createStormVoice((text) => void said.push(text)) };
}

test('a storm is announced once, then every ten seconds by its number, and ends with its last number', () => {
  const { said, voice } = listen();
  voice.add([alertOf('Atlas Freight')]);
  for (let second = 0; second < 25; second += 1) {
    voice.add([alertOf('Brightwater'), alertOf(null)]);
    vi.advanceTimersByTime(1_000);
  }
  expect(said).toEqual(['New alert received. Alert from Atlas Freight.', '21 new alerts.', '41 new alerts.']);
  vi.advanceTimersByTime(60_000);
  expect(said.slice(3)).toEqual(['51 new alerts.']);
});

test('what came is counted from the first after a pause', () => {
  const { voice } = listen();
  expect(voice.add([alertOf('Atlas Freight'), alertOf('Brightwater')])).toBe(2);
  vi.advanceTimersByTime(STORM_INTERVAL_MS - 1);
  expect(voice.add([alertOf('Cobalt Labs')])).toBe(3);
  expect(voice.add([])).toBe(3);
  vi.advanceTimersByTime(2 * STORM_INTERVAL_MS);
  expect(voice.add([alertOf('Driftwood')])).toBe(1);
});

test('what comes after a quiet time is announced as the first', () => {
  const { said, voice } = listen();
  voice.add([alertOf('Atlas Freight')]);
  vi.advanceTimersByTime(STORM_INTERVAL_MS);
  voice.add([alertOf('Brightwater'), alertOf('Cobalt Labs')]);
  expect(said).toEqual([
    'New alert received. Alert from Atlas Freight.',
    'New alert received. 2 new alerts from 2 customers.',
  ]);
});

test('nothing is said of nothing, and nothing after the end', () => {
  const { said, voice } = listen();
  voice.add([]);
  voice.add([alertOf('Atlas Freight')]);
  voice.add([alertOf('Brightwater')]);
  voice.close();
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual(['New alert received. Alert from Atlas Freight.']);
});
