import { describe, expect, it } from 'vitest';
import { detailsOf, statusText } from './completed-details.ts';

const NOW = new Date(2026, 10, 23, 21, 20);
const at = (day: number): { completedAt: string } => ({ completedAt: new Date(2026, 10, day, 9).toISOString() });

const details = (...alerts: object[]) =>
  detailsOf(alerts, { now: NOW, isWhole: true, total: alerts.length, known: undefined });

describe('what the row of completed alerts says', () => {
  it('counts those of today and names the day of the first', () => {
    expect(details(at(23), at(23), at(9))).toBe('2 today, the oldest from Nov 9');
    expect(details(at(23), at(23))).toBe('all today');
    expect(details(at(23))).toBe('today');
    expect(details(at(22), at(9), {})).toBe('the oldest from Nov 9');
    expect(details(at(9))).toBe('from Nov 9');
    expect(details({}, {})).toBe('');
  });

  it('takes what is not loaded from the server, and says nothing that is not known', () => {
    const rest = { now: NOW, isWhole: false, total: 300 };
    const known = { completedSince: 120, oldestCompletedAt: new Date(2025, 4, 2, 9).toISOString() };
    expect(detailsOf([at(23)], { ...rest, known })).toBe('120 today, the oldest from May 2, 2025');
    expect(detailsOf([at(23)], { ...rest, known: undefined })).toBe('');
    expect(detailsOf([at(23), at(22)], { ...rest, known: undefined })).toBe('1 today');
    expect(detailsOf([at(23)], { ...rest, known: { ...known, completedSince: 300 } })).toBe('all today');
  });
});

it('the head says how many are accepted and in progress, where these make up its number', () => {
  expect(statusText({ accepted: 4, 'in-progress': 3 }, 7)).toBe('4 accepted, 3 in progress');
  expect(statusText({ accepted: 0, 'in-progress': 3 }, 3)).toBe('3 in progress');
  expect(statusText({ accepted: 4, 'in-progress': 3 }, 8)).toBeUndefined();
  expect(statusText({ accepted: 0, 'in-progress': 0 }, 0)).toBeUndefined();
  expect(statusText(undefined, 7)).toBeUndefined();
});
