import { describe, expect, it } from 'vitest';
import {
  type AlertChange,
  type AlertStanding,
  UNACCEPT,
  WAKE,
  acceptChange,
  assignChange,
  moveChange,
  snoozeChange,
  statusChange,
  undoSteps,
} from './changes.ts';

const ME = { id: 'me', displayName: 'Mara' };
const BEN = { id: 'ben', displayName: 'Ben' };
const LATER = '2999-01-01T00:00:00.000Z';

/** The requests of the steps, with the alerts that each is about. */
const stepsOf = (change: AlertChange, before: readonly AlertStanding[]) =>
  undoSteps(change, before, ME).map(({ change: { request }, ids }) => [request, ids]);

describe('undoSteps', () => {
  const before: AlertStanding[] = [
    { id: 'a', status: 'accepted', ownerId: 'me' },
    { id: 'b', status: 'completed', ownerId: 'me', folderId: 'f' },
  ];
  const pending: AlertStanding = { id: 'c', status: 'pending' };

  it('makes of each alert what it was', () => {
    expect(stepsOf(UNACCEPT, before)).toEqual([
      [{ action: 'accept' }, ['a', 'b']],
      [{ action: 'status', status: 'completed' }, ['b']],
      [{ action: 'move', folderId: 'f' }, ['b']],
    ]);
    expect(stepsOf(moveChange({ id: 'g', name: 'G' }, ME), [...before, pending])).toEqual([
      [{ action: 'unaccept', ifOwner: 'me' }, ['c']],
      [{ action: 'move', folderId: null }, ['a']],
      [{ action: 'move', folderId: 'f' }, ['b']],
    ]);
    expect(stepsOf(statusChange('in-progress'), before)).toEqual([
      [{ action: 'status', status: 'accepted' }, ['a']],
      [{ action: 'status', status: 'completed', restoresCompletion: true }, ['b']],
    ]);
  });

  it('returns to the inbox what was accepted and completed in one step', () => {
    expect(stepsOf(acceptChange(ME, 'completed'), [pending])).toEqual([[{ action: 'unaccept', ifOwner: 'me' }, ['c']]]);
  });

  it('gives each alert back to whom it was, and files again only what is mine', () => {
    const cleos: AlertStanding = { id: 'd', status: 'accepted', ownerId: 'cleo', folderId: 'h' };
    expect(stepsOf(assignChange(BEN), [...before, cleos, pending])).toEqual([
      [{ action: 'unaccept', ifOwner: 'ben' }, ['c']],
      [{ action: 'assign', userId: 'me', ifOwner: 'ben' }, ['a', 'b']],
      [{ action: 'assign', userId: 'cleo', ifOwner: 'ben' }, ['d']],
      [{ action: 'move', folderId: 'f' }, ['b']],
    ]);
  });

  it("gives a colleague's alert that was returned back to the colleague", () => {
    expect(stepsOf(UNACCEPT, [{ id: 'd', status: 'in-progress', ownerId: 'cleo', folderId: 'h' }])).toEqual([
      [{ action: 'assign', userId: 'cleo', ifOwner: 'none' }, ['d']],
      [{ action: 'status', status: 'in-progress' }, ['d']],
    ]);
  });

  it('snoozes again what was snoozed, unless its time is over, and wakes what was awake', () => {
    const asleep: AlertStanding = { ...pending, snoozedUntil: LATER };
    const over: AlertStanding = { ...pending, id: 'e', snoozedUntil: '2001-01-01T00:00:00.000Z' };
    expect(stepsOf(acceptChange(ME), [asleep, over])).toEqual([
      [{ action: 'unaccept', ifOwner: 'me' }, ['c', 'e']],
      [{ action: 'snooze', until: LATER }, ['c']],
    ]);
    expect(stepsOf(WAKE, [asleep])).toEqual([[{ action: 'snooze', until: LATER }, ['c']]]);
    expect(stepsOf(snoozeChange({ until: 'next-firing' }), [pending])).toEqual([[{ action: 'wake' }, ['c']]]);
  });
});

it('says to whom alerts were given', () => {
  expect(assignChange(BEN)).toMatchObject({ title: 'Alert assigned', done: 'assigned to Ben' });
});
