import { expect, it } from 'vitest';
import { PAUSES, isKeptBack } from './pause.ts';

const at = (day: number, hours: number, minutes = 0): Date => new Date(2025, 10, day, hours, minutes);

it('pauses until the next morning, which after midnight is today', () => {
  const pause = PAUSES.find(({ label }) => label === 'Until tomorrow morning');
  const until = (now: Date): string | undefined => pause?.until(now);
  expect(until(at(21, 14, 15))).toBe(at(22, 8).toISOString());
  expect(until(at(21, 4))).toBe(at(22, 8).toISOString());
  expect(until(at(22, 1))).toBe(at(22, 8).toISOString());
  expect(until(at(22, 3, 59))).toBe(at(22, 8).toISOString());
});

it('keeps back what comes during a pause, but not what answers a button', () => {
  const [now, later] = [at(21, 14), at(21, 15).toISOString()];
  for (const until of [later, 'forever']) {
    expect(isKeptBack({}, until, now)).toBe(true);
    expect(isKeptBack({ isAnswer: true }, until, now)).toBe(false);
  }
  expect(isKeptBack({}, null, now)).toBe(false);
  expect(isKeptBack({}, at(21, 13).toISOString(), now)).toBe(false);
});
