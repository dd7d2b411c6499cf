import * as z from 'zod/mini';
import { alertImportSchema, importedAlertSchema, importedOutcomeSchema } from '#backend/contract/alert-import.ts';
import {
  alertDetailsSchema,
  alertFacetsSchema,
  alertSchema,
  alertStatusSchema,
  assignmentKindSchema,
  workStatusSchema,
} from '#backend/contract/alert.ts';
import { MAX_LIST_ROWS, alertListQuerySchema } from '#backend/contract/alert-query.ts';
import { alertStatsSchema, queueProgressSchema, snoozedCountsSchema } from '#backend/contract/alert-totals.ts';
import {
  acceptQuerySchema,
  ownerQuerySchema,
  statusChangeSchema,
  versionQuerySchema,
} from '#backend/contract/alert-change.ts';
import {
  assignSchema,
  colleagueSchema,
  handOverCountsSchema,
  handOverOfSchema,
  handOverSchema,
  openStatusSchema,
} from '#backend/contract/assignment.ts';
import { bulkChangeSchema, bulkFilterSchema, bulkLossSchema, bulkResultSchema } from '#backend/contract/bulk.ts';
import { folderColorSchema, folderSchema, newFolderSchema } from '#backend/contract/folder.ts';
import { healthSchema, readinessSchema } from '#backend/contract/health.ts';
import { historyActionSchema, historyEntrySchema } from '#backend/contract/history-entry.ts';
import { liveEventSchema, liveFrameSchema, memberNoticeSchema } from '#backend/contract/live-event.ts';
import {
  markedNoticesSchema,
  noticeFilterSchema,
  noticeMarkSchema,
  noticeReadAllSchema,
  noticeSchema,
  unreadNoticesSchema,
} from '#backend/contract/notice.ts';
import {
  insightDaySchema,
  insightNameSchema,
  insightProblemSchema,
  insightSchema,
  insightTimesSchema,
  insightTotalsSchema,
} from '#backend/contract/insight.ts';
import { wallboardSchema } from '#backend/contract/wallboard.ts';
import { latencyFiguresSchema, latencySchema } from '#backend/contract/latency.ts';
import { changesSchema } from '#backend/contract/change.ts';
import { contactSchema, firstRunSchema } from '#backend/contract/first-run.ts';
import { addedNoteSchema, newNoteSchema, noteOfAlertSchema, noteSchema, personSchema } from '#backend/contract/note.ts';
import {
  alertTypeMuteBodySchema,
  bulkMuteSchema,
  customerMuteBodySchema,
  customerMuteSchema,
  customerSchema,
  muteEndSchema,
  sourceMuteBodySchema,
  sourceMuteSchema,
} from '#backend/contract/mute.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { productSchema } from '#backend/contract/product.ts';
import {
  newPushSubscriptionSchema,
  pushDeviceSchema,
  pushSubscriptionSchema,
  pushTestOutcomeSchema,
  pushTestResultSchema,
  pushTestSchema,
} from '#backend/contract/push.ts';
import { severityCountsSchema } from '#backend/contract/severity-counts.ts';
import { sourceSchema } from '#backend/contract/source.ts';
import {
  newViewSchema,
  viewChangeSchema,
  viewListSchema,
  viewNotifyChangeSchema,
  viewNotifySchema,
  viewOrderSchema,
  viewSchema,
} from '#backend/contract/view.ts';
import { SOURCE_ENTITIES } from './source-entities.ts';
import { OPSGENIE_ENTITIES } from './opsgenie-operations.ts';
import { enqueueEventSchema, enqueueReceiptSchema, webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { ACCOUNT_ENTITIES, ACCOUNT_FIELDS, type Entities, type Fields } from './account-entities.ts';
import { NOTIFICATION_ENTITIES } from './notification-entities.ts';
import { RULE_ENTITIES } from './rule-entities.ts';
import { GROUP_ENTITIES } from './group-entities.ts';
import { CONFIGURATION_ENTITIES } from './configuration-entities.ts';
import { MAINTENANCE_ENTITIES } from './maintenance-entities.ts';
import { HEARTBEAT_ENTITIES } from './heartbeat-operations.ts';
import { OUTGOING_ENTITIES } from './outgoing-entities.ts';
import { OIDC_ENTITIES, OIDC_FIELDS } from './oidc-entities.ts';
import { SECOND_STEP_ENTITIES } from './second-step-entities.ts';

/** The entities of the API, and what else has a name of its own, with descriptions. */
const ENTITIES: Entities = {
  ...ACCOUNT_ENTITIES,
  ...SECOND_STEP_ENTITIES,
  ...OIDC_ENTITIES,
  ...NOTIFICATION_ENTITIES,
  ...HEARTBEAT_ENTITIES,
  ...OUTGOING_ENTITIES,
  ...GROUP_ENTITIES,
  ...MAINTENANCE_ENTITIES,
  ...RULE_ENTITIES,
  ...CONFIGURATION_ENTITIES,
  Alert: [alertSchema, 'One alert: what an outside system posted, and what became of it.'],
  AlertDetails: [alertDetailsSchema, 'One alert by itself, with the earlier alert of the same problem.'],
  AlertStatus: [alertStatusSchema, 'Where an alert stands. `pending` has no owner and is what the inbox shows.'],
  WorkStatus: [workStatusSchema, 'The statuses that an owner may set, from any to any.'],
  AlertStats: [alertStatsSchema, 'How many alerts there are, and of which status.'],
  QueueProgress: [
    queueProgressSchema,
    'How many alerts of a queue or a folder have each status, and what was completed.',
  ],
  SnoozedCounts: [snoozedCountsSchema, 'How many alerts are snoozed that the member may wake.'],
  AlertFacets: [alertFacetsSchema, 'The distinct customers and types of a list, sorted.'],
  SeverityCounts: [severityCountsSchema, 'How many alerts of a list have each severity.'],
  StatusChange: [statusChangeSchema, 'Another status of an alert of the caller.'],
  BulkChange: [
    bulkChangeSchema,
    'What to do with which alerts: `ids`, or a `filter` with `expectedCount`, repeated with `before` while there is a `next`. `expectsMore` goes with an `expectedCount` that is only the least. `regroup` takes `ids` alone.',
  ],
  BulkFilter: [bulkFilterSchema, 'The alerts of a list that pass its filter.'],
  BulkResult: [bulkResultSchema, 'What became of one batch, and where the run goes on.'],
  BulkLoss: [bulkLossSchema, 'An alert that was left as it is, and why.'],
  Assignment: [assignSchema, 'Whose an alert is to be.'],
  AssignmentKind: [
    assignmentKindSchema,
    'How an alert came to its owner: `assigned` from the inbox or by an administrator, `handed_over` by its owner before.',
  ],
  Colleague: [colleagueSchema, 'A member to whom alerts can be given.'],
  HandOver: [handOverSchema, 'Who is to have which of the caller’s open alerts.'],
  HandOverOf: [handOverOfSchema, 'Who is to have all open alerts of a member.'],
  HandOverCounts: [handOverCountsSchema, 'The caller’s open alerts, counted.'],
  OpenStatus: [openStatusSchema, 'The statuses of alerts that somebody works on.'],
  HistoryEntry: [historyEntrySchema, 'Something that happened to an alert. Names are as they were at the time.'],
  HistoryAction: [historyActionSchema, 'What can happen to an alert.'],
  Note: [noteSchema, 'A note on an alert: plain text, with the colleagues that it mentions.'],
  NoteOfAlert: [noteOfAlertSchema, 'A note with the alert that it is on.'],
  NewNote: [newNoteSchema, 'What a note becomes.'],
  AddedNote: [addedNoteSchema, 'A note to be written.'],
  Changes: [changesSchema, 'What changed since a place, and the place to ask from the next time.'],
  FirstRun: [firstRunSchema, 'Whether an alert has ever arrived, and whom to ask while none has.'],
  Contact: [contactSchema, 'An administrator to ask.'],
  Person: [personSchema, 'A colleague who can be mentioned on an alert.'],
  MemberNotice: [memberNoticeSchema, 'What a colleague notifies a member of.'],
  Notice: [noticeSchema, 'What a colleague notified the member of, kept for 30 days.'],
  NoticeFilter: [noticeFilterSchema, 'Which notices a list has.'],
  UnreadNotices: [unreadNoticesSchema, 'How many notices of the member are unread.'],
  NoticeMark: [noticeMarkSchema, 'Notices that are to be read, or unread again: `ids`, or those of one alert.'],
  NoticeReadAll: [
    noticeReadAllSchema,
    'The newest notice that the member has seen, of one list or of all: those up to it are to be read.',
  ],
  MarkedNotices: [markedNoticesSchema, 'The notices that were changed, and whether further ones are unread.'],
  Latency: [latencySchema, 'How long new alerts took from webhooks to live clients in the last minutes.'],
  LatencyFigures: [latencyFiguresSchema, 'Durations of so many samples.'],
  Wallboard: [wallboardSchema, 'What a team sees on a screen on the wall, as it is by now.'],
  Insight: [insightSchema, 'What arrived in some days, how long it took, and of whom.'],
  InsightTotals: [insightTotalsSchema, 'Alerts that arrived in a time, and what became of them by now.'],
  InsightDay: [insightDaySchema, 'What arrived on one day, by severity, and how long it took.'],
  InsightName: [
    insightNameSchema,
    'What arrived of one customer, type or source, belongs to one person, was kept quiet by one maintenance window, or was sent by one rule.',
  ],
  InsightProblem: [insightProblemSchema, 'A problem that was delivered often.'],
  InsightTimes: [
    insightTimesSchema,
    'Median and ninetieth percentile of durations in milliseconds, each that of an alert; null of no alerts.',
  ],
  Folder: [folderSchema, 'A folder of a member’s own.'],
  FolderColor: [folderColorSchema, 'The six colors of folders.'],
  NewFolder: [newFolderSchema, 'A folder to be made.'],
  View: [viewSchema, 'A filter and an order of a list, saved under a name.'],
  ViewList: [viewListSchema, 'The lists that a view can narrow: New Alerts, the reader’s My Alerts, or every alert.'],
  ViewNotify: [
    viewNotifySchema,
    'How a member is notified of alerts in a view: as of the rest, or an exception with this level.',
  ],
  ViewNotifyChange: [viewNotifyChangeSchema, 'The caller’s own choice for a view.'],
  NewView: [newViewSchema, 'A view to be saved. Administrators alone share views, and save such of every alert.'],
  ViewChange: [viewChangeSchema, 'What is to change of a view; what is absent stays.'],
  ViewOrder: [viewOrderSchema, 'An order of the caller’s own views, or of the shared ones.'],
  Customer: [customerSchema, 'A customer that alerts have named.'],
  CustomerMute: [customerMuteSchema, 'A customer that the member does not want to be notified of.'],
  SourceMute: [sourceMuteSchema, 'A source that the member does not want to be notified of.'],
  NewPushSubscription: [newPushSubscriptionSchema, 'A browser’s `PushSubscription`, as its `toJSON()` gives it.'],
  PushSubscription: [pushSubscriptionSchema, 'A browser is subscribed; its endpoint and keys are not shown again.'],
  PushDevice: [pushDeviceSchema, 'A browser of the member’s that is notified of alerts.'],
  PushTest: [pushTestSchema, 'Which browser a test message goes to.'],
  PushTestResult: [pushTestResultSchema, 'How far a test message came, and one sentence about it.'],
  PushTestOutcome: [pushTestOutcomeSchema, '`sent`, or the step that failed.'],
  NewCustomerMute: [customerMuteBodySchema, 'A customer to mute, and when that ends.'],
  NewAlertTypeMute: [alertTypeMuteBodySchema, 'An alert type to mute, and when that ends.'],
  NewSourceMute: [sourceMuteBodySchema, 'A source to mute, and when that ends.'],
  MuteEnd: [muteEndSchema, 'A mute of the member that will end.'],
  BulkMute: [bulkMuteSchema, 'All muted, or none any more.'],
  ...SOURCE_ENTITIES,
  AlertImport: [alertImportSchema, 'Open alerts of another system.'],
  ImportedAlert: [importedAlertSchema, 'An open alert of another system.'],
  ImportedOutcome: [importedOutcomeSchema, 'What became of an alert of another system.'],
  EnqueueEvent: [enqueueEventSchema, 'An event of PagerDuty’s Events API v2.'],
  ...OPSGENIE_ENTITIES,
  EnqueueReceipt: [enqueueReceiptSchema, 'The event is stored under this key.'],
  WebhookReceipt: [webhookReceiptSchema, 'The alert is stored under this id.'],
  LiveEvent: [liveEventSchema, 'What `/ws` reports, once its change is committed.'],
  LiveFrame: [liveFrameSchema, 'One frame of `/ws?batch=1`: the events of a moment, in order.'],
  Health: [healthSchema, 'The process is alive, and this is what it is.'],
  Readiness: [readinessSchema, 'The server can do its work.'],
  Product: [productSchema, 'What the server is, and where its links lead.'],
  Problem: [problemSchema, 'An error as RFC 9457 has it. `detail` is the sentence that others get as plain text.'],
};

/** Fields whose name does not say it all. */
const FIELDS: Fields = [
  ...ACCOUNT_FIELDS,
  ...OIDC_FIELDS,
  [alertSchema.shape.payload, 'The posted JSON object exactly as received: key order, and every digit of numbers.'],
  [alertSchema.shape.extraData, 'What came with the alert outside its body: query parameters, CloudEvents headers.'],
  [alertSchema.shape.customer, 'From `customer`, `Customer` or `customerName`; null when the body names none.'],
  [
    alertSchema.shape.alertType,
    'From `alertType`, `alert_type`, `alert type` or `type`; null when the body names none.',
  ],
  [alertSchema.shape.timestamp, 'When the server received it.'],
  [alertSchema.shape.ownerId, 'Who accepted it; absent in the inbox.'],
  [alertSchema.shape.url, 'A link from the body, else the path and query of the request.'],
  [alertListQuerySchema.shape.customer, 'Only alerts of exactly this customer.'],
  [alertListQuerySchema.shape.alertType, 'Only alerts of exactly this type.'],
  [alertListQuerySchema.shape.status, 'Only alerts that stand there.'],
  [alertListQuerySchema.shape.q, 'Only alerts with this text in customer, URL or payload, in whatever case.'],
  [alertListQuerySchema.shape.limit, `How many rows; without it at most ${MAX_LIST_ROWS.toLocaleString('en')}.`],
  [alertListQuerySchema.shape.before, 'Where to go on: taken from the `Link` header of the answer before.'],
  [alertListQuerySchema.shape.sort, '`status`: accepted, in progress, completed, each newest first.'],
  [
    versionQuerySchema.shape.ifVersion,
    'The version of the alert or source that the change was decided on. When it has another by now, nothing is changed (409), and the problem has it as it is, in `alert` or `source`.',
  ],
  [sourceSchema.shape.version, 'Grows by one with each change of an administrator.'],
  [alertSchema.shape.version, 'Grows by one with each change: of two answers about an alert, the higher is newer.'],
  [
    statusChangeSchema.shape.restoresCompletion,
    'With `completed`, undoes that the alert was reopened: it has the time again at which it was completed before, unless it was returned, given or reported since.',
  ],
  [acceptQuerySchema.shape.status, 'The status that the alert gets in the same step; `accepted` by default.'],
  [
    ownerQuerySchema.shape.ifOwner,
    'Whose the alert was when the change was decided on, or `none`; it is refused with 409 when that has changed.',
  ],
  [historyEntrySchema.shape.userDisplayName, 'Who did it; for `received`, the name of the API key.'],
  [folderSchema.shape.alertCount, 'How many of its alerts are not completed; those in its subfolders count there.'],
  [folderSchema.shape.parentId, 'Absent at the top level.'],
];

/** Gives the contract's schemas the names and meanings under which the document shows them. */
export function nameEntities(): void {
  for (const [id, [schema, description]] of Object.entries(ENTITIES)) z.globalRegistry.add(schema, { id, description });
  for (const [schema, description] of FIELDS) z.globalRegistry.add(schema, { description });
}
