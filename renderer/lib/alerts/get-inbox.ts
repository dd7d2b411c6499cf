import { useInfiniteQuery } from '@tanstack/react-query';
import { alertListQuery } from './alert-list.ts';
import { totalOf } from './alert-pages.ts';

/** `GET /api/alerts/inbox`: the alerts that nobody has accepted yet, newest first. */
export const inboxQuery = alertListQuery({ list: 'inbox' });

/** The number of alerts in the inbox, for badges and the document title; undefined until it is known. */
export function useInboxCount(): number | undefined {
  return useInfiniteQuery({ ...inboxQuery, select: totalOf }).data;
}
