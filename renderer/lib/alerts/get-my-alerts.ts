import { useInfiniteQuery } from '@tanstack/react-query';
import { alertListQuery } from './alert-list.ts';
import { totalOf } from './alert-pages.ts';

/** `GET /api/alerts/mine`: the alerts that I own and that are in no folder, newest first. */
export const myAlertsQuery = alertListQuery({ list: 'mine' });

/** How many alerts are in my queue; undefined until that is known. For the sidebar's badge (spec.md section 2). */
export function useMyAlertsCount(): number | undefined {
  return useInfiniteQuery({ ...myAlertsQuery, select: totalOf }).data;
}
