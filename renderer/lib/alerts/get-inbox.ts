import { useInfiniteQuery } from '@tanstack/react-query';
import { alertListQuery } from './alert-list.ts';
import { totalOf } from './alert-pages.ts';

/** `GET /api/alerts/inbox`: the alerts that nobody has accepted yet, newest first. */
export const inboxQuery = alertListQuery({ list: 'inbox' });

/** How many alerts wait in the inbox; undefined until that is known. For badges and the document title (spec.md section 2). */
export function useInboxCount(): number | undefined {
  return useInfiniteQuery({ ...inboxQuery, select: totalOf }).data;
}
