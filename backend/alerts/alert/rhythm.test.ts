import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RHYTHM_TURNS } from '#backend/contract/flapping.ts';
import { MAX_FLAPPING_TIMES } from '#backend/contract/flapping-rule.ts';
import {
  type FlappingTerms,
  type Rhythm,
  calmAt,
  flaps,
  isFlapping,
  presentFlapping,
  rhythmOf,
  turn,
} from './rhythm.ts';

const MINUTE_MS = 60_000;
const NOON = Date.UTC(2026, 10, 27, 12);
const minutes = (count: number): number => NOON + count * MINUTE_MS;
const RULE: FlappingTerms = { times: 5, withinMinutes: 30 };

/** Opens and closes a problem at these minutes, beginning with an opening. */
function played(turns: readonly number[], { withinMinutes }: FlappingTerms = RULE): Rhythm {
  const [first = 0, second = 0, ...others] = turns.map(minutes);
  let rhythm = rhythmOf(first, second, withinMinutes);
  for (const at of others) rhythm = turn(rhythm, !rhythm.isOpen, at);
  return rhythm;
}

describe('flaps', () => {
  it('is so from the opening on that is one too many', () => {
    const fifth = played([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(flaps(fifth, RULE, minutes(8))).toBe(false);
    expect(flaps(played([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), RULE, minutes(10))).toBe(true);
  });

  it('counts openings of the time alone', () => {
    const slow = Array.from({ length: 15 }, (_, at) => at * 4);
    expect(flaps(played(slow), RULE, minutes(56))).toBe(false);
  });

  it('is what counting everything that happened gives, whatever the rule, the pauses and a clock that goes back', () => {
    const step = fc.record({
      pause: fc.integer({ min: 0, max: 20 * MINUTE_MS }),
      clock: fc.constantFrom(0, 0, 0, 0, -1, 1),
    });
    const rule = fc.record({
      times: fc.integer({ min: 1, max: MAX_FLAPPING_TIMES }),
      withinMinutes: fc.integer({ min: 1, max: 24 * 60 }),
    });
    fc.assert(
      fc.property(rule, fc.array(step, { minLength: 2, maxLength: 150 }), (terms, steps) => {
        // True time goes on; the server's clock is set by hours now and then. What is before it is set back moves with it.
        let offset = 0;
        let truth = NOON;
        let rhythm = rhythmOf(NOON, NOON, terms.withinMinutes);
        let known = [NOON];
        for (const { pause, clock } of steps) {
          truth += pause;
          offset += clock * 3 * 60 * MINUTE_MS;
          const now = truth + offset;
          const last = rhythm.turns.at(-1) ?? now;
          const isOpen = !rhythm.isOpen;
          rhythm = turn(rhythm, isOpen, now);
          known = known.map((at) => at - Math.max(0, last - now));
          if (isOpen) known.push(now);
          expect(rhythm.turns.length).toBeLessThanOrEqual(MAX_RHYTHM_TURNS);
          expect(rhythm.turns.every((at, index, all) => at <= now && at >= (all[index - 1] ?? 0))).toBe(true);
          if (!isOpen) continue;
          const since = now - terms.withinMinutes * MINUTE_MS;
          expect(flaps(rhythm, terms, now)).toBe(known.filter((at) => at > since).length > terms.times);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('turn', () => {
  it('keeps nothing that is as it was, and nothing older than the rule asks for', () => {
    const rhythm = played([0, 1, 2]);
    expect(turn(rhythm, true, minutes(3))).toBe(rhythm);
    expect(turn(rhythm, false, minutes(31.5)).turns).toEqual([minutes(2), minutes(31.5)]);
  });

  it('moves what was back with a clock that goes back', () => {
    const rhythm = played([60, 61, 62]);
    expect(turn(rhythm, false, minutes(2)).turns).toEqual([minutes(0), minutes(1), minutes(2), minutes(2)]);
  });
});

describe('calmAt', () => {
  it('is when half of the openings are left, so that a problem at the border does not begin again and again', () => {
    // Openings at 0, 2, 4, 6, 8 and 10: two are allowed, so the third of the newest has to grow old.
    expect(calmAt(played([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), RULE)).toBe(minutes(6 + 30));
    expect(calmAt(played([0, 1, 2, 3]), { times: 1, withinMinutes: 30 })).toBe(minutes(2 + 30));
  });

  it('comes whatever happened, and not before half of the rule is met', () => {
    const rule = fc.record({
      times: fc.integer({ min: 1, max: MAX_FLAPPING_TIMES }),
      withinMinutes: fc.integer({ min: 1, max: 24 * 60 }),
    });
    const pauses = fc.array(fc.integer({ min: 0, max: 10 * MINUTE_MS }), { minLength: 2, maxLength: 100 });
    fc.assert(
      fc.property(rule, pauses, (terms, steps) => {
        let now = NOON;
        let rhythm = rhythmOf(NOON, NOON, terms.withinMinutes);
        for (const pause of steps) rhythm = turn(rhythm, !rhythm.isOpen, (now += pause));
        const at = calmAt(rhythm, terms);
        expect(at).toBeLessThanOrEqual(now + terms.withinMinutes * MINUTE_MS);
        expect(flaps(rhythm, { ...terms, times: Math.floor(terms.times / 2) }, Math.max(at, now))).toBe(false);
      }),
    );
  });
});

describe('an alert that flaps', () => {
  const alert = { flappingSince: minutes(10), rhythm: JSON.stringify(played([0, 1, 2])), status: 'pending' } as const;

  it('says since when, and when it opened and closed', () => {
    expect(isFlapping(alert)).toBe(true);
    expect(JSON.parse(presentFlapping(alert) ?? '')).toEqual({
      since: '2026-11-27T12:10:00.000Z',
      withinMinutes: 30,
      isOpen: true,
      turns: ['2026-11-27T12:00:00.000Z', '2026-11-27T12:01:00.000Z', '2026-11-27T12:02:00.000Z'],
    });
  });

  it('does not flap once somebody has completed it', () => {
    const completed = { ...alert, status: 'completed' } as const;
    expect([isFlapping(completed), presentFlapping(completed)]).toEqual([false, null]);
    expect(presentFlapping({ ...alert, flappingSince: null })).toBeNull();
  });
});
