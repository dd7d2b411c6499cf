import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import {
  type Calendar,
  MAX_CALENDAR_TEXT,
  calendarChangeSchema,
  calendarListSchema,
  calendarSchema,
  newCalendarSchema,
} from '#backend/contract/ladder.ts';
import { byName } from '#backend/contract/name.ts';
import { outgoingIdParamsSchema } from '#backend/contract/outgoing.ts';
import { CalendarEntity, type StoredCalendar, readOverrides } from '#backend/outgoing/people/calendar-entity.ts';
import { SlowCalendarError } from '#backend/outgoing/people/calendar-thread.ts';
import type { NamedMember } from '#backend/outgoing/people/on-now.ts';
import { type RefreshDeps, refreshOne } from '#backend/outgoing/people/refresh-calendars.ts';
import { type OnCallReader, findNamedMembers } from '#backend/outgoing/people/who-is-on.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import {
  type CalendarDeps,
  changeCalendar,
  createCalendar,
  deleteCalendar,
  noSuchCalendar,
} from './calendar-commands.ts';
import { rulesNotifying } from './ladder-use.ts';
import { OutgoingRuleEntity, type StoredOutgoingRule } from './rule-entity.ts';
import { administratorOf } from './rule-routes.ts';

/** Space for the longest file, of which JSON escapes quotation marks and ends of lines, and for the other fields. */
const MAX_BODY_BYTES = 2 * MAX_CALENDAR_TEXT + 256 * 1024;

const SHOWN_MS = 48 * 60 * 60 * 1000;

/** Dependencies of the calls about calendars. */
type Deps = CalendarDeps & RefreshDeps & { onCall: OnCallReader };

/** Calendars of who is on: for administrators. */
export function calendarRoutes(deps: Deps): Endpoint[] {
  const { database } = deps;
  const list = async (id?: string): Promise<Calendar[]> => {
    const calendars = await database.reads.getRepository(CalendarEntity).findBy(id === undefined ? {} : { id });
    const members = await findNamedMembers(database);
    const rules = await database.reads.getRepository(OutgoingRuleEntity).find();
    const named = calendars.toSorted((one, other) => byName(one.name, other.name));
    return Promise.all(named.map((calendar) => presentCalendar(deps.onCall, calendar, members, rules)));
  };
  const find = async (id: string): Promise<Calendar> => {
    const [calendar] = await list(id);
    if (!calendar) throw noSuchCalendar();
    return calendar;
  };
  /** Reads a calendar from its address now, so that who entered it sees whether that is right. */
  const readNow = async (id: string): Promise<void> => {
    const calendar = await database.reads.getRepository(CalendarEntity).findOneBy({ id });
    if (calendar) await refreshOne(deps, calendar, new AbortController().signal);
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/outgoing/calendars',
      tag: 'outgoing',
      summary: 'Lists the calendars of who is on, by name, each with the next 48 hours.',
      access: ['admin'],
      responses: { 200: calendarListSchema },
      handle: async () => ok(await list()),
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/calendars',
      tag: 'outgoing',
      summary: 'Makes a calendar of an iCalendar address, which is read at once and every 15 minutes, or of a file.',
      access: ['admin'],
      body: newCalendarSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      errors: [409],
      responses: { 201: calendarSchema },
      handle: async ({ actor, ip, body }) => {
        const id = await createCalendar(deps, administratorOf(actor, ip), body);
        await readNow(id);
        return created(await find(id));
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/outgoing/calendars/:id',
      tag: 'outgoing',
      summary: 'Changes a calendar, where it is read from, or who is on instead; absent fields stay.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      query: versionQuerySchema,
      body: calendarChangeSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      errors: [409],
      responses: { 200: calendarSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeCalendar(deps, administratorOf(actor, ip), params.id, body, query.ifVersion);
        if (isDone && body.url !== undefined) await readNow(params.id);
        const calendar = await find(params.id);
        if (!isDone) throw changedMeanwhile('calendar', jsonText(JSON.stringify(calendar)));
        return ok(calendar);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/calendars/:id/refresh',
      tag: 'outgoing',
      summary: 'Reads a calendar from its address now.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      responses: { 200: calendarSchema },
      handle: async ({ params }) => {
        await readNow(params.id);
        return ok(await find(params.id));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/outgoing/calendars/:id',
      tag: 'outgoing',
      summary: 'Deletes a calendar that no ladder asks.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      errors: [409],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await deleteCalendar(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}

const isoOf = (at: number): string => new Date(at).toISOString();

/** A calendar as administrators read it, with who is on from now on. */
async function presentCalendar(
  onCall: OnCallReader,
  calendar: StoredCalendar,
  members: readonly NamedMember[],
  rules: readonly StoredOutgoingRule[],
): Promise<Calendar> {
  const now = Date.now();
  const { spans, unknown, slow } = await onCall
    .between(calendar, members, now, now + SHOWN_MS)
    .then((read) => ({ ...read, slow: undefined }))
    .catch((error: unknown) => {
      if (!(error instanceof SlowCalendarError)) throw error;
      return { spans: [], unknown: [], slow: error.message };
    });
  const nameOf = (id: string): string => members.find((one) => one.id === id)?.displayName ?? 'Somebody';
  const { fetchedAt } = calendar;
  // One that takes too long now leaves the others on the page.
  const failure = calendar.failure ?? slow;
  return {
    id: calendar.id,
    name: calendar.name,
    version: calendar.version,
    source: calendar.sealed === null ? 'file' : 'address',
    addressHint: calendar.addressHint,
    readAt: fetchedAt === null ? null : isoOf(fetchedAt),
    ...(failure !== undefined && { failure }),
    overrides: readOverrides(calendar).map(({ memberId, from, to }) => ({
      memberId,
      from,
      to,
      displayName: nameOf(memberId),
    })),
    shifts: spans.map(({ from, to, memberIds, isOverride }) => ({
      from: isoOf(from),
      to: isoOf(to),
      people: memberIds.map((id) => ({ id, displayName: nameOf(id) })),
      isOverride,
    })),
    unknown,
    usedBy: rulesNotifying(rules, 'calendar', calendar.id),
    changedBy: calendar.changedBy,
    changedAt: isoOf(calendar.changedAt),
  };
}
