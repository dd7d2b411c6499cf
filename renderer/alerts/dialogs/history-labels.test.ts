import { expect, it } from 'vitest';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import { actionLabel, changeOf } from './history-labels.ts';

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
});
