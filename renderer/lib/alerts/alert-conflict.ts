import type { QueryClient } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import { knownAlertLists, readAlertList } from './alert-list.ts';
import { findAlert } from './alert-pages.ts';

/** The alert as some cached list has it: rather as somebody's own than as pending, since that is the later state of it. */
export function findKnownAlert(client: QueryClient, id: string): Alert | undefined {
  const found = knownAlertLists(client).flatMap(({ path }) => {
    const pages = readAlertList(client, path);
    return (pages && findAlert(pages, id)) ?? [];
  });
  return found.find(({ status }) => status !== 'pending') ?? found[0];
}

/** What somebody, or this member elsewhere, has made of an alert since it was as `expected`; undefined for nothing that is known here. */
export function changeElsewhere(client: QueryClient, expected: Alert): string | undefined {
  const now = findKnownAlert(client, expected.id);
  if (!now) return undefined;
  if (now.ownerId !== expected.ownerId) {
    return now.ownerId === undefined
      ? 'It was returned to the inbox.'
      : `${now.ownerName ?? 'Somebody'} accepted it first.`;
  }
  return now.status === expected.status && now.folderId === expected.folderId
    ? undefined
    : 'It has been changed since.';
}
