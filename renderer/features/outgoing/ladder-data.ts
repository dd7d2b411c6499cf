import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { colleaguesSchema } from '#backend/contract/assignment.ts';
import {
  type Calendar,
  type CalendarChange,
  type Group,
  type GroupChange,
  type Ladder,
  type NewCalendar,
  type NewGroup,
  calendarListSchema,
  calendarSchema,
  groupListSchema,
  groupSchema,
  ladderPreviewSchema,
} from '#backend/contract/ladder.ts';
import { sortByName } from '#backend/contract/name.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';

const GROUPS = '/api/outgoing/groups';
const CALENDARS = '/api/outgoing/calendars';
const PREVIEW = '/api/outgoing/ladder-preview';

/** `GET /api/outgoing/groups`. */
export const groupsQuery = queryOptions({
  queryKey: [GROUPS],
  queryFn: ({ signal }) => apiGet(GROUPS, groupListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/outgoing/calendars`, with who is on from now on. */
export const calendarsQuery = queryOptions({
  queryKey: [CALENDARS],
  queryFn: ({ signal }) => apiGet(CALENDARS, calendarListSchema, { signal }),
  refetchOnMount: 'always',
  // Shifts end by themselves.
  refetchInterval: 60_000,
});

/** `GET /api/people`: members who may sign in, by name. */
export const membersQuery = queryOptions({
  queryKey: ['/api/people', 'members'],
  queryFn: async ({ signal }) =>
    sortByName(await apiGet('/api/people', colleaguesSchema, { signal }), ({ displayName }) => displayName),
  refetchOnMount: 'always',
});

/**
 * `POST /api/outgoing/ladder-preview`: what a ladder would do from a moment on; the last one stays while another is made.
 *
 * @param at undefined: now
 */
export const dryRunQuery = (ladder: Ladder | null, at: string | undefined) =>
  queryOptions({
    queryKey: [PREVIEW, ladder, at],
    queryFn: () =>
      apiSend('POST', PREVIEW, { body: { ladder, ...(at !== undefined && { at }) }, schema: ladderPreviewSchema }),
    enabled: ladder !== null,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: 60_000,
  });

const pathOf = (base: string, { id, version }: Pick<Group, 'id' | 'version'>): string =>
  `${base}/${encodeURIComponent(id)}?ifVersion=${version}`;

/** Changes of groups and calendars, each of which reads the lists again. They throw an ApiError. */
export function usePeopleCommands() {
  const client = useQueryClient();
  const readAgain = async (): Promise<void> => {
    await Promise.all([GROUPS, CALENDARS, PREVIEW].map((path) => client.invalidateQueries({ queryKey: [path] })));
  };
  const after = async <T>(call: Promise<T>): Promise<T> => {
    const result = await call;
    await readAgain();
    return result;
  };
  return {
    readAgain,
    createGroup: (body: NewGroup) => after(apiSend('POST', GROUPS, { body, schema: groupSchema })),
    changeGroup: (group: Group, body: GroupChange) =>
      after(apiSend('PATCH', pathOf(GROUPS, group), { body, schema: groupSchema })),
    deleteGroup: (id: string) => after(deleteAt(`${GROUPS}/${encodeURIComponent(id)}`)),
    createCalendar: (body: NewCalendar) => after(apiSend('POST', CALENDARS, { body, schema: calendarSchema })),
    changeCalendar: (calendar: Calendar, body: CalendarChange) =>
      after(apiSend('PATCH', pathOf(CALENDARS, calendar), { body, schema: calendarSchema })),
    refreshCalendar: (id: string) =>
      after(apiSend('POST', `${CALENDARS}/${encodeURIComponent(id)}/refresh`, { schema: calendarSchema })),
    deleteCalendar: (id: string) => after(deleteAt(`${CALENDARS}/${encodeURIComponent(id)}`)),
  };
}
