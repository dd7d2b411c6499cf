import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import {
  type AlertGroup,
  type AlertGroupDetails,
  MAX_ASKED_GROUPS,
  alertGroupDetailsSchema,
  alertGroupsSchema,
} from '#backend/contract/alert-group.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';

/** The list that groups are asked of. */
export type GroupList = Pick<AlertListView, 'list' | 'folderId' | 'completion'>;

const GROUPS = '/api/alert-groups';

/** Least time between two questions about groups that somebody else's work changed, in milliseconds. */
const OTHERS_MS = 10_000;

const queryOf = ({ list, folderId, completion }: GroupList): URLSearchParams =>
  new URLSearchParams({
    list,
    ...(folderId !== undefined && { folderId }),
    ...(completion !== undefined && { completion }),
  });

/** `GET /api/alert-groups`: groups as a list has them, however many. Throws an ApiError. */
const groupsQuery = (list: GroupList, ids: readonly string[]) =>
  queryOptions({
    queryKey: [GROUPS, queryOf(list).toString(), ids] as const,
    queryFn: async ({ signal }) => {
      const ask = (some: readonly string[]): Promise<AlertGroup[]> => {
        const query = queryOf(list);
        for (const id of some) query.append('ids', id);
        return apiGet(`${GROUPS}?${query}`, alertGroupsSchema, { signal });
      };
      const calls: Promise<AlertGroup[]>[] = [];
      for (let at = 0; at < ids.length; at += MAX_ASKED_GROUPS) calls.push(ask(ids.slice(at, at + MAX_ASKED_GROUPS)));
      return (await Promise.all(calls)).flat();
    },
    staleTime: 0,
  });

/** `GET /api/alert-groups/{id}`: a group with its alerts in the list. Throws an ApiError. */
export const groupQuery = (list: GroupList, id: string) =>
  queryOptions({
    queryKey: [GROUPS, queryOf(list).toString(), id] as const,
    queryFn: ({ signal }) => apiGet(`${GROUPS}/${id}?${queryOf(list)}`, alertGroupDetailsSchema, { signal }),
    staleTime: 0,
    retry: false,
  });

/** Lists that a member has, in the order in which a group is looked for in them. */
const LISTS = ['inbox', 'mine', 'all-folders', 'snoozed', 'all'] as const satisfies GroupList['list'][];

/**
 * `GET /api/alert-groups/{id}` of one list after the other: the first that has alerts of a group, with what it has of it; no group
 * where none has. Throws an ApiError.
 *
 * @param seesAll whether this member may ask about every alert
 */
export const foundGroupQuery = (id: string, seesAll: boolean) =>
  queryOptions({
    queryKey: [GROUPS, 'found', id, seesAll] as const,
    queryFn: async ({ signal }): Promise<{ list: GroupList['list']; group?: AlertGroupDetails }> => {
      for (const list of LISTS) {
        if (list === 'all' && !seesAll) continue;
        try {
          return {
            list,
            group: await apiGet(`${GROUPS}/${id}?${queryOf({ list })}`, alertGroupDetailsSchema, { signal }),
          };
        } catch (error) {
          // An id of another form is no group's.
          if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 422)) throw error;
        }
      }
      return { list: 'inbox' };
    },
    staleTime: 0,
    retry: false,
    // No list is on screen that would say that its alerts have changed.
    refetchInterval: ({ state }) => (state.data?.group ? OTHERS_MS : false),
  });

/** Most groups that a list asks about. Cards of further ones say how many of their alerts are loaded, and no more. */
const MAX_SHOWN_GROUPS = 4 * MAX_ASKED_GROUPS;

/**
 * The groups to ask about: those of which most alerts are loaded first, so that none of a card is left out for one of a
 * single alert. Of these a list that is loaded to its end has no others.
 */
export function groupIdsOf(alerts: readonly Alert[], areAll: boolean): string[] {
  const counts = new Map<string, number>();
  for (const { groupId } of alerts) if (groupId !== undefined) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1 || !areAll)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_SHOWN_GROUPS)
    .map(([id]) => id);
}

/**
 * What the server says of the groups of a list, asked again after their alerts came, changed or went.
 *
 * @param areAll whether `alerts` is all that the list has
 */
export function useGroups(list: GroupList, alerts: readonly Alert[], areAll: boolean): ReadonlyMap<string, AlertGroup> {
  const client = useQueryClient();
  const ids = groupIdsOf(alerts, areAll).toSorted();
  const { data } = useQuery({
    ...groupsQuery(list, ids),
    enabled: ids.length > 0,
    // Another list has other alerts of the same groups.
    placeholderData: (before, query) => (query?.queryKey[1] === queryOf(list).toString() ? before : undefined),
  });
  // Not by `select`: with a function for the placeholder that runs at each rendering, and the result decides on the list's rows.
  const groups = useMemo(() => (data ? byId(data) : NONE), [data]);
  const members = useMemo(() => standingsOf(alerts), [alerts]);
  const known = useRef(members);
  useEffect(() => {
    const before = known.current;
    known.current = members;
    const changed = [...new Set([...before.keys(), ...members.keys()])].filter(
      (id) => before.get(id) !== members.get(id),
    );
    if (changed.length === 0) return;
    const store = alertStoreOf(client);
    if (changed.some((id) => store.isChanging(id))) refetchGroups(client);
    else refetchWhenShown(client, [GROUPS], OTHERS_MS);
  }, [client, members]);
  return groups;
}

/** What a group's card says of each of its alerts, by their ids. */
const standingsOf = (alerts: readonly Alert[]): ReadonlyMap<string, string> =>
  new Map(
    alerts.flatMap(({ id, groupId, severity }) =>
      groupId === undefined ? [] : [[id, `${groupId} ${severity}`] as const],
    ),
  );

const NONE: ReadonlyMap<string, AlertGroup> = new Map();
const byId = (groups: readonly AlertGroup[]): ReadonlyMap<string, AlertGroup> =>
  new Map(groups.map((one) => [one.id, one]));

/** Asks again for what is shown of groups, however often that is called: not more than once in a moment. */
export const refetchGroups = (client: QueryClient): void => refetchWhenShown(client, [GROUPS]);

/** The ids of all alerts of a group in a list; those that are loaded where these are all. Throws an ApiError. */
export async function memberIds(
  client: QueryClient,
  list: GroupList,
  id: string,
  loaded: readonly Alert[],
  count: number,
): Promise<string[]> {
  if (loaded.length >= count) return loaded.map((alert) => alert.id);
  const { members } = await client.fetchQuery(groupQuery(list, id));
  return members.map((member) => member.id);
}
