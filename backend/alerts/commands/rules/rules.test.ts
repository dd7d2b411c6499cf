import { describe, expect, test } from 'vitest';
import { NO_PROBLEM } from '#backend/alerts/alert/alert.ts';
import { UNTIL_NEXT_FIRING } from '#backend/alerts/alert/stored-status.ts';
import { decide } from '#backend/alerts/commands/apply-command.ts';
import type { Command, DecidedAlert, Decision } from '#backend/alerts/commands/command.ts';
import type { Role } from '#backend/contract/session.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';

const memberOf = (id: string, role: Role = 'user'): Actor => ({ id, role, displayName: `Member ${id}` }) as Actor;
const ANNA = memberOf('anna');
const BEN = memberOf('ben');
const ADMIN = memberOf('admin', 'admin');

const PENDING: DecidedAlert = {
  ...NO_PROBLEM,
  id: 'alert',
  status: 'pending',
  ownerId: null,
  folderId: null,
  customer: null,
  alertType: null,
};
const OF_ANNA: DecidedAlert = { ...PENDING, status: 'accepted', ownerId: 'anna' };
const GIVEN: DecidedAlert = { ...OF_ANNA, assignedById: 'ben' };
const DONE: DecidedAlert = { ...OF_ANNA, status: 'completed' };
/** Its sender resolved it before anyone accepted it. */
const UNTAKEN: DecidedAlert = { ...PENDING, status: 'completed', state: 'resolved' };
const FIRING: DecidedAlert = { ...PENDING, dedupKey: 'disk', state: 'firing' };

const decided = (decision: Decision): string =>
  typeof decision === 'string' ? decision : decision.set === 'remove' ? 'removed' : decision.event.change;

const FOLDER = { id: 'folder', name: 'Disks' };
const to = (id: string, ifOwner?: string): Command => ({
  action: 'assign',
  assignee: { id, displayName: id },
  note: null,
  ifOwner,
});

describe('what a command does, by who gives it', () => {
  test.each<[string, Command, DecidedAlert, [anna: string, ben: string, admin: string]]>([
    ['accept in the inbox', { action: 'accept' }, PENDING, ['accepted', 'accepted', 'accepted']],
    ['accept what Anna has', { action: 'accept' }, OF_ANNA, ['unchanged', 'taken', 'taken']],
    ['accept and complete', { action: 'accept', status: 'completed' }, PENDING, ['accepted', 'accepted', 'accepted']],
    ['the same of what Anna has', { action: 'accept', status: 'completed' }, OF_ANNA, ['updated', 'taken', 'taken']],
    ['the same again', { action: 'accept', status: 'completed' }, DONE, ['unchanged', 'taken', 'taken']],
    ['accept what completed itself', { action: 'accept' }, UNTAKEN, ['completed', 'completed', 'completed']],
    ['give what completed itself', to('ben'), UNTAKEN, ['completed', 'completed', 'assigned']],
    ['snooze what completed itself', { action: 'snooze', end: 5 }, UNTAKEN, ['completed', 'completed', 'completed']],
    ['delete what completed itself', { action: 'delete' }, UNTAKEN, ['completed', 'completed', 'removed']],
    ['return what is in the inbox', { action: 'unaccept' }, PENDING, ['unchanged', 'unchanged', 'unchanged']],
    ['return what Anna has', { action: 'unaccept' }, OF_ANNA, ['unaccepted', 'taken', 'unaccepted']],
    [
      'return what was Ben’s and is Anna’s',
      { action: 'unaccept', ifOwner: 'ben' },
      OF_ANNA,
      ['taken', 'taken', 'taken'],
    ],
    ['take back what Ben gave her', { action: 'unaccept' }, GIVEN, ['unaccepted', 'unaccepted', 'unaccepted']],
    ['complete in the inbox', { action: 'status', status: 'completed' }, PENDING, ['returned', 'returned', 'returned']],
    ['complete what Anna has', { action: 'status', status: 'completed' }, OF_ANNA, ['updated', 'taken', 'not_allowed']],
    ['complete again', { action: 'status', status: 'completed' }, DONE, ['unchanged', 'taken', 'not_allowed']],
    ['complete from elsewhere what Anna has', { action: 'complete' }, OF_ANNA, ['updated', 'updated', 'updated']],
    ['complete from elsewhere in the inbox', { action: 'complete' }, PENDING, ['updated', 'updated', 'updated']],
    ['complete from elsewhere again', { action: 'complete' }, DONE, ['unchanged', 'unchanged', 'unchanged']],
    [
      'file in the inbox',
      { action: 'move', folder: FOLDER, isForPending: false },
      PENDING,
      ['returned', 'returned', 'returned'],
    ],
    [
      'accept and file',
      { action: 'move', folder: FOLDER, isForPending: true },
      PENDING,
      ['accepted', 'accepted', 'accepted'],
    ],
    [
      'unfile in the inbox',
      { action: 'move', folder: null, isForPending: true },
      PENDING,
      ['returned', 'returned', 'returned'],
    ],
    [
      'file what Anna has',
      { action: 'move', folder: FOLDER, isForPending: true },
      OF_ANNA,
      ['updated', 'taken', 'taken'],
    ],
    [
      'unfile what lies nowhere',
      { action: 'move', folder: null, isForPending: true },
      OF_ANNA,
      ['unchanged', 'taken', 'taken'],
    ],
    ['snooze in the inbox', { action: 'snooze', end: 5 }, PENDING, ['snoozed', 'snoozed', 'snoozed']],
    ['snooze what Anna has', { action: 'snooze', end: 5 }, OF_ANNA, ['snoozed', 'taken', 'taken']],
    ['snooze what is completed', { action: 'snooze', end: 5 }, DONE, ['completed', 'taken', 'taken']],
    [
      'snooze again',
      { action: 'snooze', end: 5 },
      { ...PENDING, snoozedUntil: 5 },
      ['unchanged', 'unchanged', 'unchanged'],
    ],
    [
      'until it fires, which it does once',
      { action: 'snooze', end: UNTIL_NEXT_FIRING },
      PENDING,
      ['fires_once', 'fires_once', 'fires_once'],
    ],
    ['until it fires', { action: 'snooze', end: UNTIL_NEXT_FIRING }, FIRING, ['snoozed', 'snoozed', 'snoozed']],
    ['wake what is awake', { action: 'wake' }, OF_ANNA, ['unchanged', 'taken', 'taken']],
    ['wake what Anna has', { action: 'wake' }, { ...OF_ANNA, snoozedUntil: 5 }, ['woken', 'taken', 'taken']],
    ['give from the inbox', to('ben'), PENDING, ['accepted', 'accepted', 'accepted']],
    ['give what Anna has to Ben', to('ben'), OF_ANNA, ['assigned', 'taken', 'assigned']],
    ['give what Ben gave her to somebody', to('cleo'), GIVEN, ['assigned', 'assigned', 'assigned']],
    ['give what is theirs', to('anna'), OF_ANNA, ['unchanged', 'unchanged', 'unchanged']],
    ['give what was Anna’s and is returned', to('ben', 'anna'), PENDING, ['returned', 'returned', 'returned']],
    ['give what was free and is Anna’s', to('ben', 'none'), OF_ANNA, ['taken', 'taken', 'taken']],
    ['delete in the inbox', { action: 'delete' }, PENDING, ['removed', 'removed', 'removed']],
    ['delete what Anna has', { action: 'delete' }, OF_ANNA, ['not_allowed', 'taken', 'removed']],
    ['delete what was free', { action: 'delete', ifOwner: 'none' }, OF_ANNA, ['not_allowed', 'taken', 'taken']],
    ['delete what was Anna’s', { action: 'delete', ifOwner: 'anna' }, PENDING, ['returned', 'returned', 'returned']],
  ])('%s', (_name, command, alert, expected) => {
    const by = [ANNA, BEN, ADMIN].map((actor) => decided(decide(alert, command, { actor, folderName: null })));
    expect(by).toEqual(expected);
  });
});

const changes = (command: Command, alert: DecidedAlert, actor = ANNA) =>
  decide(alert, command, { actor, folderName: 'Before' });

describe('what changes', () => {
  test('accepting and completing leaves two entries, and its event has the status', () => {
    expect(changes({ action: 'accept', status: 'completed' }, PENDING)).toMatchObject({
      set: { status: 'completed', ownerId: 'anna' },
      entries: [
        { action: 'accepted' },
        { action: 'status_change', previousStatus: 'accepted', newStatus: 'completed' },
      ],
      event: { change: 'accepted', ownerId: 'anna', status: 'completed' },
    });
    expect(changes({ action: 'accept', status: 'accepted' }, PENDING)).toEqual(changes({ action: 'accept' }, PENDING));
  });

  test('accepting and filing leaves two entries, of which the second names both folders', () => {
    expect(changes({ action: 'move', folder: FOLDER, isForPending: true }, PENDING)).toMatchObject({
      set: { status: 'accepted', ownerId: 'anna', folderId: 'folder' },
      entries: [
        { action: 'accepted' },
        { action: 'move_folder', previousFolderName: 'Before', newFolderName: 'Disks', folderOwnerId: 'anna' },
      ],
      event: { change: 'accepted', ownerId: 'anna', folderId: 'folder' },
    });
  });

  test('returning takes owner and folder away, and names the folder to whose it was', () => {
    expect(changes({ action: 'unaccept' }, { ...OF_ANNA, folderId: 'folder' }, ADMIN)).toMatchObject({
      set: { status: 'pending', ownerId: null, folderId: null },
      entries: [
        { action: 'unaccepted', previousStatus: 'accepted', previousFolderName: 'Before', folderOwnerId: 'anna' },
      ],
      event: { change: 'unaccepted', ownerId: null },
    });
  });

  test('who takes an alert from the inbox for themselves accepts it; who is given one knows by whom', () => {
    expect(changes(to('anna'), PENDING)).toMatchObject({
      set: { status: 'accepted', ownerId: 'anna', folderId: null },
      entries: [{ action: 'accepted' }],
    });
    expect(changes(to('anna'), PENDING)).not.toHaveProperty('set.assignment');
    expect(changes(to('anna'), PENDING)).not.toHaveProperty('event.assignment');
    expect(changes(to('ben'), PENDING)).toMatchObject({
      set: { status: 'accepted', ownerId: 'ben', assignment: 'assigned', assignedById: 'anna' },
      entries: [{ action: 'assigned', assigneeName: 'ben' }],
      event: { change: 'accepted', assignment: { kind: 'assigned', byName: 'Member anna' } },
    });
    expect(changes(to('ben'), OF_ANNA)).toMatchObject({
      set: { ownerId: 'ben', assignment: 'handed_over' },
      entries: [{ action: 'handed_over', previousStatus: 'accepted' }],
      event: { change: 'assigned' },
    });
  });

  test('a completion is restored while nothing was sent out about the alert since: not where it was reported or given', () => {
    const again: Command = { action: 'status', status: 'completed', restoresCompletion: true };
    const reopened = { ...OF_ANNA, completedAt: 5 };
    expect(changes(again, reopened)).toHaveProperty('set.completedAt', 5);
    expect(changes(again, { ...reopened, lastSeenAt: 5 })).toHaveProperty('set.completedAt', 5);
    expect(changes(again, { ...reopened, lastSeenAt: 6 })).not.toHaveProperty('set.completedAt');
    expect(changes({ action: 'status', status: 'completed' }, reopened)).not.toHaveProperty('set.completedAt');
    expect(changes(to('ben'), reopened)).toHaveProperty('set.completedAt', null);
    expect(changes(to('ben'), { ...DONE, completedAt: 5 }, ADMIN)).not.toHaveProperty('set.completedAt');
  });

  test('a snooze of the inbox concerns everybody, of an owner’s the owner', () => {
    expect(changes({ action: 'snooze', end: 5 }, PENDING)).toMatchObject({ event: { ownerId: null, ownerName: null } });
    expect(changes({ action: 'snooze', end: 5 }, OF_ANNA)).toMatchObject({ event: { ownerId: 'anna' } });
  });
});
