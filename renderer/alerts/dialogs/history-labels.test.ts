import { expect, it } from 'vitest';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import { actionLabel, authorOf, changeOf, detailOf } from './history-labels.ts';

const entry = (more: Partial<HistoryEntry>): HistoryEntry => ({
  id: 'h',
  action: 'received',
  userDisplayName: 'Maya Lindqvist',
  createdAt: '2026-11-21T09:42:00.000Z',
  ...more,
});

it('makes labels of actions', () => {
  expect(actionLabel({ action: 'status_change' })).toBe('Status Change');
  expect(actionLabel({ action: 'unaccepted' })).toBe('Unaccepted');
  expect(actionLabel({ action: 'repeated', occurrences: 1 })).toBe('Repeated');
  expect(actionLabel({ action: 'repeated', occurrences: 1_200 })).toBe('Repeated ×1,200');
});

it('names what changed', () => {
  expect(changeOf(entry({ action: 'status_change', previousStatus: 'accepted', newStatus: 'in-progress' }))).toEqual({
    from: 'Accepted',
    to: 'In Progress',
  });
  expect(changeOf(entry({ action: 'move_folder', newFolderName: 'Urgent' }))).toEqual({ from: 'None', to: 'Urgent' });
  expect(changeOf(entry({ action: 'accepted' }))).toBeUndefined();
  // A move between folders of somebody else, whose names the reader does not get.
  expect(changeOf(entry({ action: 'move_folder' }))).toBeUndefined();
});

it('says to whom an alert was given, and why the server returned or ended it', () => {
  expect(detailOf(entry({ action: 'handed_over', assigneeName: 'Ben' }))).toBe('To Ben');
  const returned = entry({ action: 'returned', userDisplayName: 'Ann Ashby', untouchedHours: 72 });
  expect([actionLabel(returned), detailOf(returned), authorOf(returned)]).toEqual([
    'Returned to the inbox',
    'Ann Ashby had not touched it for 3 days',
    'Alertdesk',
  ]);
  expect(detailOf(entry({ action: 'returned' }))).toBe('The account of Maya Lindqvist is disabled');
  expect(detailOf(entry({ action: 'accepted' }))).toBeUndefined();
  const ended = entry({ action: 'resolved', userDisplayName: 'Alertdesk', unreportedMinutes: 241 });
  expect(detailOf(ended)).toBe('No longer reported by its sender for 4 h');
  expect(detailOf(entry({ action: 'resolved' }))).toBeUndefined();
});
