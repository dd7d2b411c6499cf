import { useInfiniteQuery } from '@tanstack/react-query';
import { alertListQuery } from './alert-list.ts';
import { totalOf } from './alert-pages.ts';

/** `GET /api/alerts/mine`: the alerts that I own and that are in no folder, newest first. */
export const myAlertsQuery = alertListQuery({ list: 'mine' });

/** The number of alerts in the member's queue, for the sidebar's badge; undefined until it is known. */
export function useMyAlertsCount(): number | undefined {
  return useInfiniteQuery({ ...myAlertsQuery, select: totalOf }).data;
}
