import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '#backend/contract/session.ts';
import { onTheWall, setClock, timeZoneHere } from './clock.ts';
import { formatCardTime, formatExactTime, formatHistoryTime, formatMoment, writeTime } from './times.ts';
import { parse } from '#renderer/alerts/search/search-text.ts';
import { snoozeChoices } from '#renderer/alerts/snooze/snooze-choices.ts';

const anna: Session = { id: '1', email: 'anna@example.org', displayName: 'Anna', role: 'user' };

afterEach(async () => {
  vi.restoreAllMocks();
  await setClock(anna);
});

describe('the clock', () => {
  it('has 12 hours and the device’s time zone for who chose nothing', async () => {
    const time = new Date(2026, 10, 21, 21, 42, 7);
    expect(await setClock(anna)).toBe(anna);
    expect(formatCardTime(time)).toBe('Nov 21, 9:42 PM');
    expect(timeZoneHere()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it('looks its time zone up only where a search names a time', () => {
    const formats = vi.spyOn(Intl, 'DateTimeFormat');
    expect(parse('disk customer:"Harbor Logistics"').texts).toEqual(['disk']);
    expect(formats).not.toHaveBeenCalled();
    expect(parse('from:today').from).toBe(new Date().setHours(0, 0, 0, 0));
    expect(formats).toHaveBeenCalled();
  });

  it('writes 24 hours in every format', async () => {
    await setClock({ ...anna, timeFormat: '24h' });
    const time = new Date(2026, 10, 21, 9, 42, 7);
    expect(formatCardTime(time)).toBe('Nov 21, 09:42');
    expect(formatHistoryTime(time)).toBe('Nov 21, 2026 09:42');
    expect(formatExactTime(time)).toMatch(/^Saturday, Nov 21, 2026 at 09:42:07 \(GMT.*\)$/);
    expect(formatMoment(time, new Date(2026, 10, 20, 12))).toBe('tomorrow 09:42');
    expect(writeTime(time, 'h:mm')).toBe('09:42');
  });

  it.each([
    [true, '9:42 PM'],
    [false, '21:42'],
  ])('is as the device is set: 12 hours %s', async (hour12, text) => {
    const options = { hour12 } as Intl.ResolvedDateTimeFormatOptions;
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
    await setClock({ ...anna, timeFormat: 'system' });
    expect(writeTime(new Date(2026, 10, 21, 21, 42), 'h:mm a')).toBe(text);
  });

  it('writes times in another time zone, also where its clocks change', async () => {
    await setClock({ ...anna, timeZone: 'Europe/Berlin' });
    expect(timeZoneHere()).toBe('Europe/Berlin');
    expect(formatCardTime(new Date('2026-03-29T00:59:00Z'))).toBe('Mar 29, 1:59 AM');
    expect(formatCardTime(new Date('2026-03-29T01:00:00Z'))).toBe('Mar 29, 3:00 AM');
    expect(formatCardTime(new Date('2026-10-25T00:30:00Z'))).toBe('Oct 25, 2:30 AM');
    expect(formatCardTime(new Date('2026-10-25T01:30:00Z'))).toBe('Oct 25, 2:30 AM');
    expect(formatExactTime(new Date('2026-07-01T22:30:00Z'))).toBe('Thursday, Jul 2, 2026 at 12:30:00 AM (GMT+2)');
  });

  it.each(['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'])(
    'agrees with the browser on every hour of a year in %s',
    async (timeZone) => {
      await setClock({ ...anna, timeZone, timeFormat: '24h' });
      const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
      const written = new Intl.DateTimeFormat('sv', { ...parts, timeZone });
      for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2027, 0, 1); time += 60 * 60_000) {
        expect(writeTime(new Date(time), 'yyyy-MM-dd h:mm a')).toBe(written.format(time));
      }
    },
  );

  it('says what tomorrow is, and when its morning begins, where the member is', async () => {
    await setClock({ ...anna, timeZone: 'Asia/Tokyo' });
    // Half past midnight on Saturday there.
    const now = new Date('2026-11-20T15:30:00Z');
    expect(formatMoment(new Date('2026-11-20T16:00:00Z'), now)).toBe('1:00 AM');
    expect(formatMoment(new Date('2026-11-21T15:30:00Z'), now)).toBe('tomorrow 12:30 AM');
    const tomorrow = snoozeChoices(now).find(({ label }) => label === 'Tomorrow');
    expect(tomorrow).toEqual({ label: 'Tomorrow', hint: 'Sun 9:00 AM', snooze: { until: '2026-11-22T00:00:00.000Z' } });
  });

  it('keeps the moment that it is', async () => {
    await setClock({ ...anna, timeZone: 'Asia/Tokyo' });
    const time = new Date('2026-11-20T15:30:00Z');
    expect([onTheWall(time).toISOString(), onTheWall(time).getTime()]).toEqual([time.toISOString(), time.getTime()]);
    expect(onTheWall(time).getHours()).toBe(0);
  });
});
