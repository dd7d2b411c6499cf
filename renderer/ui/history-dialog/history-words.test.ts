import { expect, it } from 'vitest';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import { actionWords, changeOf } from './history-words.ts';

const entry = (more: Partial<HistoryEntry>): HistoryEntry => ({
  id: 'h',
  action: 'received',
  userDisplayName: 'Maya Lindqvist',
  createdAt: '2026-11-21T09:42:00.000Z',
  ...more,
});

it('makes words of actions', () => {
  expect(actionWords('status_change')).toBe('Status Change');
  expect(actionWords('unaccepted')).toBe('Unaccepted');
});

it('tells what changed', () => {
  expect(changeOf(entry({ action: 'status_change', previousStatus: 'accepted', newStatus: 'in-progress' }))).toEqual({
    from: 'Accepted',
    to: 'In Progress',
  });
  expect(changeOf(entry({ action: 'move_folder', newFolderName: 'Urgent' }))).toEqual({ from: 'None', to: 'Urgent' });
  expect(changeOf(entry({ action: 'accepted' }))).toBeUndefined();
});
