import { hash } from 'node:crypto';
import { MAX_NOTE_LENGTH } from '#backend/contract/note.ts';
import { boundedKey } from '#backend/intake/reading/bounded-text.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import type { EventResult } from '#backend/intake/write/write-batch.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Action, Result } from './answers.ts';
import type { Body, Call, Operation } from './call.ts';

/** A call that changes an alert, with whom it came. */
export interface Change {
  source: KnownSource;
  secretId: string;
  call: Call & { operation: Operation };
  body: Body;
  receivedAt: number;
  readAt: number | undefined;
  remoteAddress: string;
  /** `Idempotency-Key`: the same once more changes nothing. */
  idempotencyKey: string | undefined;
}

/** What became of it. */
export interface Changed {
  action: Action;
  result: Result;
  alertId: string | null;
  /** What happened in the writer; undefined for what a command did. */
  written?: EventResult;
  /** One sentence for the log, where the result does not say it. */
  reason?: string | undefined;
}

export interface ChangeDeps {
  database: Database;
  writer: AlertWriter;
}

/** What is noted with a change: with the name of who is said to have made it. */
export function noteOf({ body, call }: Change): string | undefined {
  const said = (name: string): string => (body.textOf(name) ?? call.query.get(name) ?? '').trim();
  const note = said('note');
  if (note === '') return undefined;
  const user = said('user');
  return `${note.slice(0, MAX_NOTE_LENGTH)}${user === '' ? '' : `\n— ${user.slice(0, 100)}`}`;
}

/** What became of a call whose note has no place any more. */
export const withoutNote = (action: Action): Result => (action === 'AddNote' ? 'full' : 'unnoted');

/** By what a call with an `Idempotency-Key` is recognised when it comes again. */
export function deliveryOf({ idempotencyKey, call, body }: Change): IncomingEvent['delivery'] {
  if (idempotencyKey === undefined || idempotencyKey === '') return undefined;
  return {
    keyHash: hash('sha256', boundedKey(idempotencyKey)),
    bodyHash: hash('sha256', `${call.operation} ${call.name} ${String(call.query)} ${body.text}`),
  };
}
