import { hash } from 'node:crypto';
import { MAX_NOTES } from '#backend/contract/note.ts';
import type { IngestAnswer } from '#backend/intake/write/ingest-answers.ts';

/** Headers of every answer: Opsgenie's clients slow down by them. The limits are those of this server. */
export const rateHeaders = (status: number): Record<string, string> => ({
  'X-RateLimit-State': status === 429 ? 'THROTTLED' : 'OK',
  'X-RateLimit-Reason': 'ACCOUNT',
  'X-RateLimit-Period-In-Sec': '60',
});

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

/** How long a request took, as Opsgenie says it: seconds with milliseconds. */
const seconds = (milliseconds: number): number => Math.round(milliseconds) / 1000;

/** An error's sentence in the form of Opsgenie's errors. */
export const errorBody = (message: string, requestId: string, tookMs: number): string =>
  JSON.stringify({ message, took: seconds(tookMs), requestId });

/** 200 with what was asked for. */
export const found = (data: unknown, requestId: string, tookMs: number, more: object = {}): IngestAnswer => ({
  status: 200,
  headers: { ...JSON_TYPE, 'X-Response-Time': String(seconds(tookMs)) },
  body: JSON.stringify({ data, ...more, took: seconds(tookMs), requestId }),
});

/** 202: what was asked for is done, or was found to be impossible; `requestId` names which of the two. */
export const processed = (requestId: string, tookMs: number): IngestAnswer => ({
  status: 202,
  headers: { ...JSON_TYPE, 'X-Request-Id': requestId, 'X-Response-Time': String(seconds(tookMs)) },
  body: JSON.stringify({ result: 'Request will be processed', took: seconds(tookMs), requestId }),
});

/** 202: a heartbeat was pinged (https://docs.opsgenie.com/docs/heartbeat-api). */
export const pong = (requestId: string, tookMs: number): IngestAnswer => ({
  status: 202,
  headers: { ...JSON_TYPE, 'X-Request-Id': requestId, 'X-Response-Time': String(seconds(tookMs)) },
  body: JSON.stringify({ result: 'PONG - Heartbeat received', took: seconds(tookMs), requestId }),
});

/** What was asked for, as Opsgenie names it in the status of a request. Their order is stored: add at the end. */
export const ACTIONS = [
  'Create',
  'Close',
  'Acknowledge',
  'UnAcknowledge',
  'Snooze',
  'AddNote',
  'AssignOwnership',
  'AddTags',
  'RemoveTags',
  'AddDetails',
  'RemoveDetails',
  'UpdatePriority',
  'UpdateMessage',
  'UpdateDescription',
  'Delete',
] as const;
export type Action = (typeof ACTIONS)[number];

/** What became of it. Their order is stored: add at the end. */
export const RESULTS = [
  ['done', true, 'Done'],
  ['created', true, 'Created alert'],
  ['repeated', true, 'The alert was open already: its count was increased'],
  ['unchanged', true, 'The alert was like this already'],
  ['missing', false, 'Alert does not exist'],
  ['paused', false, 'The source is paused: nothing was stored'],
  ['taken', false, 'Somebody has accepted the alert: only they can do this'],
  ['not-allowed', false, 'The present state of the alert does not allow this'],
  ['nameless', false, 'The alert has no alias: it did not come through this API'],
  ['full', false, `The alert has ${MAX_NOTES} notes already: the note was not stored`],
  ['unnoted', true, `Done, but the note was not stored: the alert has ${MAX_NOTES} notes already`],
  ['ignored', false, 'No alert is made of this call: nothing was stored'],
] as const satisfies (readonly [name: string, isSuccess: boolean, status: string])[];
export type Result = (typeof RESULTS)[number][0];

/** A request that was processed. */
export interface Processed {
  action: Action;
  result: Result;
  at: number;
  alertId: string | null;
}

const VERSION = 1;
const ID_BYTES = 16;
const LENGTH = 9 + ID_BYTES;
const CHECK_BYTES = 5;

/** What a changed or foreign id does not have. It keeps no secret: an id says no more than its owner was answered. */
const checkOf = (facts: Buffer, sourceId: string): Buffer =>
  Buffer.from(hash('sha256', Buffer.concat([Buffer.from(sourceId), facts])), 'hex').subarray(0, CHECK_BYTES);

/**
 * The id of a request, which says by itself what became of it: every server knows it, also after a restart, and nothing is
 * stored for it.
 */
export function writeRequestId(sourceId: string, { action, result, at, alertId }: Processed): string {
  const facts = Buffer.alloc(LENGTH);
  facts.writeUInt8(VERSION, 0);
  facts.writeUInt8(ACTIONS.indexOf(action), 1);
  facts.writeUInt8(
    RESULTS.findIndex(([name]) => name === result),
    2,
  );
  facts.writeUIntBE(at, 3, 6);
  if (alertId !== null) facts.write(alertId.replaceAll('-', ''), 9, 'hex');
  return Buffer.concat([facts, checkOf(facts, sourceId)]).toString('base64url');
}

/** What became of a request of this source; undefined when it made none with this id. */
export function readRequestId(sourceId: string, requestId: string): Processed | undefined {
  const bytes = Buffer.from(requestId, 'base64url');
  if (bytes.length !== LENGTH + CHECK_BYTES || bytes.readUInt8(0) !== VERSION) return undefined;
  const facts = bytes.subarray(0, LENGTH);
  if (!checkOf(facts, sourceId).equals(bytes.subarray(LENGTH))) return undefined;
  const action = ACTIONS[facts.readUInt8(1)];
  const [result] = RESULTS[facts.readUInt8(2)] ?? [];
  if (action === undefined || result === undefined) return undefined;
  const id = facts.subarray(9);
  return { action, result, at: facts.readUIntBE(3, 6), alertId: id.every((byte) => byte === 0) ? null : uuidOf(id) };
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
