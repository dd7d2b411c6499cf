import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { STORM_ALERTS, STORM_INTERVAL_MS, createStormVoice } from './storm-voice.ts';

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

test('more than twenty alerts within ten seconds are a storm, however they come', () => {
  const { voice } = listen();
  const customers = Array.from({ length: STORM_ALERTS }, () => alertOf('Atlas Freight'));
  expect(voice.add(customers)).toBe(false);
  vi.advanceTimersByTime(STORM_INTERVAL_MS - 1);
  expect(voice.add([alertOf('Cobalt Labs')])).toBe(true);
  vi.advanceTimersByTime(1);
  expect(voice.add([alertOf('Driftwood')])).toBe(false);
  for (let minute = 0; minute < 60; minute += 1) {
    vi.advanceTimersByTime(1_000);
    expect(voice.add([alertOf('Driftwood')])).toBe(false);
  }
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
