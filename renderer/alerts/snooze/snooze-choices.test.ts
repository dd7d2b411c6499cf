import { afterEach, describe, expect, it } from 'vitest';
import type { Session } from '#backend/contract/session.ts';
import { setClock } from '#renderer/lib/clock.ts';
import { snoozeChoices, typedMoment } from './snooze-choices.ts';

const at = (text: string): Date => new Date(text);

describe('the ways to snooze', () => {
  it('end by the wall clock of the person', () => {
    const choices = snoozeChoices(at('2026-11-19T13:45:30'));
    expect(choices.map(({ label, hint }) => `${label}: ${hint}`)).toEqual([
      '30 minutes: 2:15 PM',
      '1 hour: 2:45 PM',
      '4 hours: 5:45 PM',
      'Tomorrow: Fri 9:00 AM',
      'Next Monday: Mon 9:00 AM',
    ]);
    expect(choices[0]?.snooze).toEqual({ minutes: 30 });
    expect(choices[3]?.snooze).toEqual({ until: at('2026-11-20T09:00:00').toISOString() });
    expect(choices[4]?.snooze).toEqual({ until: at('2026-11-23T09:00:00').toISOString() });
  });

  it('name no morning twice', () => {
    expect(snoozeChoices(at('2026-11-22T08:00:00')).map(({ label }) => label)).not.toContain('Next Monday');
    expect(snoozeChoices(at('2026-11-23T08:00:00')).at(-1)?.snooze).toEqual({
      until: at('2026-11-30T09:00:00').toISOString(),
    });
  });
});

describe('where clocks are changed', () => {
  const member: Session = { id: '1', email: 'anna@example.org', displayName: 'Anna', role: 'user' };
  afterEach(() => setClock(member));

  it.each([
    // Clocks leave out 02:00 to 03:00: the moment at which they do.
    ['Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T02:30', '2026-03-29T01:00:00Z'],
    ['America/New_York', '2026-03-07T20:00:00Z', '2026-03-08T02:30', '2026-03-08T07:00:00Z'],
    ['America/Santiago', '2026-09-05T20:00:00Z', '2026-09-06T00:30', '2026-09-06T04:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T10:00:00Z', '2026-10-04T02:15', '2026-10-03T15:30:00Z'],
    // They show an hour twice: the first, or the second when the first has passed.
    ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25T00:40:00Z', '2026-10-25T02:30', '2026-10-25T01:30:00Z'],
    ['America/New_York', '2026-10-31T20:00:00Z', '2026-11-01T01:30', '2026-11-01T05:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T10:00:00Z', '2026-04-05T01:45', '2026-04-04T14:45:00Z'],
    // Beside the change.
    ['Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T03:00', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T03:00', '2026-10-25T02:00:00Z'],
  ])('in %s, at %s, the field %s means %s', async (timeZone, now, value, moment) => {
    await setClock({ ...member, timeZone });
    expect(typedMoment(value, at(now))).toEqual(at(moment));
  });

  it.each([
    ['2026-03-28T10:00:00Z', '2026-03-29T07:00:00.000Z', '2026-03-30T07:00:00.000Z'],
    ['2026-10-24T10:00:00Z', '2026-10-25T08:00:00.000Z', '2026-10-26T08:00:00.000Z'],
  ])('mornings are at nine across the change after %s', async (now, tomorrow, monday) => {
    await setClock({ ...member, timeZone: 'Europe/Berlin' });
    expect(
      snoozeChoices(at(now))
        .slice(-2)
        .map(({ snooze }) => snooze),
    ).toEqual([{ until: tomorrow }, { until: monday }]);
  });

  it('an empty field is no moment', () => {
    expect(typedMoment('', at('2026-03-28T20:00:00Z')).getTime()).toBeNaN();
  });
});
