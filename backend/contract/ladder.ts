import * as z from 'zod/mini';
import { nameSchema } from './name.ts';

/** Steps of a ladder, recipients of a step, and repeats, at most. */
export const MAX_STEPS = 10;
export const MAX_STEP_RECIPIENTS = 10;
export const MAX_REPEATS = 9;

/** A step comes so many minutes after the start at most. */
export const MAX_STEP_MINUTES = 24 * 60;

/** So long after its last step a ladder begins again, or has ended, in minutes. */
export const REPEAT_AFTER_MINUTES = 5;

/** Groups and calendars that there may be, members of a group, and overrides of a calendar. */
export const MAX_GROUPS = 100;
export const MAX_GROUP_MEMBERS = 200;
export const MAX_CALENDARS = 50;
export const MAX_OVERRIDES = 100;

/** A calendar's file takes so many characters at most. */
export const MAX_CALENDAR_TEXT = 2_000_000;

/** A calendar with an address is read again so often, in minutes. */
export const CALENDAR_MINUTES = 15;

/**
 * Whom a step notifies: every member who has a page open, a member, the members of a group, who is on by a calendar, or a
 * destination.
 */
export const ladderRecipientSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('online') }),
  z.object({ kind: z.enum(['member', 'group', 'calendar', 'destination']), id: z.uuid() }),
]);
export type LadderRecipient = z.infer<typeof ladderRecipientSchema>;

/**
 * By what a step notifies people: `app` by their pages, push and the desktop app, or one kind of their own channels. Who has none
 * of that kind is notified by their own choice.
 */
export const ladderChannelSchema = z.enum(['app', 'phone', 'mail', 'ntfy', 'gotify', 'telegram', 'webhook']);
export type LadderChannel = z.infer<typeof ladderChannelSchema>;

/** A step: `afterMinutes` counts from the start of the ladder, or of its repeat. */
export const ladderStepSchema = z.object({
  afterMinutes: z.int().check(z.minimum(0), z.maximum(MAX_STEP_MINUTES)),
  recipients: z.array(ladderRecipientSchema).check(z.minLength(1), z.maxLength(MAX_STEP_RECIPIENTS)),
  /** Absent: by their own choice, which is all that they have. */
  by: z.optional(ladderChannelSchema),
});
export type LadderStep = z.infer<typeof ladderStepSchema>;

/**
 * What happens until somebody takes an alert: steps, each later than the one before it; `repeat` is how often all of them come
 * again. `isUrgent`: also during the quiet hours and pauses of people, but not where they muted it or chose "Nothing".
 */
export const ladderSchema = z.object({
  steps: z.array(ladderStepSchema).check(
    z.minLength(1),
    z.maxLength(MAX_STEPS),
    z.refine((steps) => steps.every((step, at) => at === 0 || step.afterMinutes > (steps[at - 1]?.afterMinutes ?? 0)), {
      message: 'must be in order: each step later than the one before it',
    }),
  ),
  repeat: z.int().check(z.minimum(0), z.maximum(MAX_REPEATS)),
  isUrgent: z.boolean(),
});
export type Ladder = z.infer<typeof ladderSchema>;

/** Somebody whom a step notifies. */
export const ladderPersonSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  /** By what: `push`, and the names of their own channels. Pages that they have open notify them, too. */
  by: z.array(z.string()),
  /** Why they are not notified: their own choice, or quiet hours or a pause; absent where they are. */
  without: z.optional(z.enum(['unwanted', 'quiet', 'paused'])),
  /**
   * They were notified of another alert a moment before, so of this one together with others: of how many, once that is `sent`,
   * and when. `dropped`: somebody took the alert first.
   */
  gathered: z.optional(
    z.object({
      state: z.enum(['waiting', 'sent', 'dropped']),
      alerts: z.int().check(z.nonnegative()),
      at: z.nullable(z.iso.datetime()),
    }),
  ),
});
export type LadderPerson = z.infer<typeof ladderPersonSchema>;

/** A step with its names. `position` counts from 0 through all repeats; the last one notifies every administrator. */
export const plannedStepSchema = z.object({
  position: z.int().check(z.nonnegative()),
  /** 0 for the first time, then the number of the repeat. */
  round: z.int().check(z.nonnegative()),
  /** Number of the step, from 1; null of the end, at which every administrator is notified that nobody took the alert. */
  step: z.nullable(z.int().check(z.positive())),
  at: z.iso.datetime(),
  state: z.enum(['done', 'next', 'later']),
  /** Whom, by name: "Everybody online", "Night", "#ops-critical". */
  to: z.array(z.string()),
  people: z.array(ladderPersonSchema),
  /** What is wrong with it: "Nobody is on by Night". */
  faults: z.array(z.string()),
});
export type PlannedStep = z.infer<typeof plannedStepSchema>;

/**
 * Why a ladder ended. `not-taken`: after its last step. `rule`: its rule was deleted or switched off. `maintenance`: a
 * maintenance window keeps the alert quiet.
 */
export const ladderEndSchema = z.enum([
  'accepted',
  'snoozed',
  'completed',
  'stopped',
  'not-taken',
  'rule',
  'maintenance',
]);
export type LadderEnd = z.infer<typeof ladderEndSchema>;

/** A ladder of one alert, running or ended. */
export const ladderRunSchema = z.object({
  id: z.string(),
  ruleId: z.string(),
  ruleName: z.string(),
  isUrgent: z.boolean(),
  repeat: z.int().check(z.nonnegative()),
  startedAt: z.iso.datetime(),
  endedAt: z.nullable(z.iso.datetime()),
  endReason: z.nullable(ladderEndSchema),
  /** Who ended it, where a person did. */
  endedBy: z.nullable(z.string()),
  /** All of them, in order. */
  steps: z.array(plannedStepSchema),
});
export type LadderRun = z.infer<typeof ladderRunSchema>;

/** Answer of `GET /api/alerts/{id}/ladders`, the newest first, 10 at most. */
export const ladderRunListSchema = z.array(ladderRunSchema);

/** Path of calls of one ladder of an alert. */
export const ladderRunParamsSchema = z.object({ id: z.uuid(), runId: z.uuid() });

/** Body of `POST /api/alerts/{id}/ladders/{runId}/skip`: the step that was next when somebody asked. */
export const ladderSkipSchema = z.object({ position: z.int().check(z.nonnegative()) });

/** From then on the last steps of a ladder may be in a year of five digits, which answers cannot name. */
const LATEST_START = Date.UTC(9999, 0);

/** Body of `POST /api/outgoing/ladder-preview`: a ladder as it is written, and from when; without, from now. */
export const ladderDraftSchema = z.object({
  ladder: ladderSchema,
  at: z.optional(
    z.iso
      .datetime()
      .check(z.refine((at) => Date.parse(at) < LATEST_START, { message: 'must be before the year 9999' })),
  ),
});

/** Answer of `POST /api/outgoing/ladder-preview`: what would happen, with real names. Nobody is notified. */
export const ladderPreviewSchema = z.array(plannedStepSchema);

/** A member as groups and calendars show them. */
const namedMemberSchema = z.object({ id: z.string(), displayName: z.string(), isActive: z.boolean() });

const usedBySchema = z.array(z.object({ id: z.string(), name: z.string() }));

/** A group of members. Disabled members stay in it, and are not notified until they are enabled again. */
export const groupSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int().check(z.positive()),
  members: z.array(namedMemberSchema),
  /** Rules whose ladders notify it. */
  usedBy: usedBySchema,
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
});
export type Group = z.infer<typeof groupSchema>;

/** Answer of `GET /api/outgoing/groups`, by name. */
export const groupListSchema = z.array(groupSchema);

const memberIds = z.array(z.uuid()).check(z.maxLength(MAX_GROUP_MEMBERS));

/** Body of `POST /api/outgoing/groups`. */
export const newGroupSchema = z.object({ name: nameSchema, memberIds });
export type NewGroup = z.infer<typeof newGroupSchema>;

/** Body of `PATCH /api/outgoing/groups/{id}`: absent fields stay. */
export const groupChangeSchema = z.object({ name: z.optional(nameSchema), memberIds: z.optional(memberIds) });
export type GroupChange = z.infer<typeof groupChangeSchema>;

/** Somebody is on instead of whom the calendar names, from `from` up to `to`. */
export const overrideSchema = z.object({ memberId: z.uuid(), from: z.iso.datetime(), to: z.iso.datetime() });
export type Override = z.infer<typeof overrideSchema>;

/** A time in which the same people are on; nobody in a gap. `isOverride`: by an override. */
export const shiftSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  people: z.array(z.object({ id: z.string(), displayName: z.string() })),
  isOverride: z.boolean(),
});
export type Shift = z.infer<typeof shiftSchema>;

/** Who is on: by an iCalendar file, or an address that is read every 15 minutes. The last good copy is used. */
export const calendarSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int().check(z.positive()),
  source: z.enum(['address', 'file']),
  /** The server of its address; null of a file. The address is a secret, because who has it can read the calendar. */
  addressHint: z.nullable(z.string()),
  /** Of when the copy is that is used; null before the first. */
  readAt: z.nullable(z.iso.datetime()),
  /** Why it could not be read last; absent when it was. */
  failure: z.optional(z.string()),
  overrides: z.array(z.extend(overrideSchema, { displayName: z.string() })),
  /** Who is on from now on, for 48 hours; gaps included. */
  shifts: z.array(shiftSchema),
  /** Names and emails of its events in 48 hours that no member has. */
  unknown: z.array(z.string()),
  usedBy: usedBySchema,
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
});
export type Calendar = z.infer<typeof calendarSchema>;

/** Answer of `GET /api/outgoing/calendars`, by name. */
export const calendarListSchema = z.array(calendarSchema);

const calendarText = z.string().check(z.minLength(1), z.maxLength(MAX_CALENDAR_TEXT));
const calendarUrl = z.string().check(
  z.trim(),
  z.maxLength(2_000),
  z.overwrite((value) => value.replace(/^webcals?:/i, 'https:')),
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    message: 'must be an address that begins with https:// or webcal://',
  }),
);

/** Body of `POST /api/outgoing/calendars`: an address or the text of a file, one of both. */
export const newCalendarSchema = z.object({
  name: nameSchema,
  url: z.optional(calendarUrl),
  content: z.optional(calendarText),
});
export type NewCalendar = z.infer<typeof newCalendarSchema>;

/** Body of `PATCH /api/outgoing/calendars/{id}`: absent fields stay. */
export const calendarChangeSchema = z.object({
  name: z.optional(nameSchema),
  url: z.optional(calendarUrl),
  content: z.optional(calendarText),
  overrides: z.optional(z.array(overrideSchema).check(z.maxLength(MAX_OVERRIDES))),
});
export type CalendarChange = z.infer<typeof calendarChangeSchema>;
