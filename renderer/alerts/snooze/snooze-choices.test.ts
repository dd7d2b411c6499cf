import { afterEach, describe, expect, it } from 'vitest';
import type { Session } from '#backend/contract/session.ts';
import { setClock } from '#renderer/lib/clock.ts';
import { snoozeChoices } from './snooze-choices.ts';

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
});
