import type { DeliveryLog } from '#backend/intake/delivery-log/delivery-log.ts';
import { performance } from 'node:perf_hooks';
import { newId } from '#backend/platform/database/ids.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import { FORM_TYPE } from '#backend/intake/reading/decode-body.ts';
import { mergeCreated } from '#backend/intake/adapters/opsgenie-payload.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type DeliverDeps, type DeliveryRequest, deliver } from './deliver.ts';
import { readAddress } from '#backend/intake/sources/credentials.ts';
import type { LoggedDelivery } from '#backend/intake/delivery-log/delivery-entity.ts';
import type { LoggedRequest } from '#backend/intake/delivery-log/delivery-row.ts';

/** A request that an administrator has written again, or tries. */
export type OwnRequest = Pick<DeliveryRequest, 'source' | 'text' | 'target'> & {
  sessionId: string;
  headers: Record<string, string>;
  isQuiet: boolean;
  isTest: boolean;
};

/** What the log notes of where it comes from. */
interface Origin {
  way: 'test' | 'replay';
  original?: LoggedDelivery;
  id?: string;
  remoteAddress?: string;
}

/** Errors that replaying does not fix: they are an outcome of the replay. Others are answered. */
const OWN_ERRORS = new Set([400, 409, 415, 422]);

/** Reads and writes a request as if its sender had sent it, by the session of an administrator, and has the log note it. */
export async function deliverOwn(
  deps: DeliverDeps & { deliveryLog: DeliveryLog },
  request: OwnRequest,
  { way, original, id = newId(), remoteAddress = original?.remoteAddress ?? '' }: Origin,
): Promise<LoggedRequest['outcome']> {
  const startedAt = performance.now();
  const receivedAt = Date.now();
  const { source, headers, text } = request;
  const isUnverified = original?.isUnverified ?? false;
  const { body, ...done } = await take(deps, {
    ...request,
    secretId: null,
    receivedAt,
    ignoresIds: true,
    isUnverified,
    // An alert that is created again keeps what was added to it since, as when its client does so.
    ...(original && isCreateCall(original, source) && { merge: mergeCreated(jsonText(text.trim())) }),
  });
  deps.deliveryLog.add({
    id,
    source: { id: source.id, keepBodiesUpTo: source.settings.keepBodiesUpTo },
    receivedAt,
    way,
    size: Buffer.byteLength(text),
    durationMs: performance.now() - startedAt,
    remoteAddress,
    replayOf: original?.id ?? null,
    isUnverified,
    maskedKey: null,
    method: original?.method ?? 'POST',
    target: original?.path ?? request.target,
    rawHeaders: Object.entries(headers).flat(),
    body,
    secrets: [],
    ...done,
  });
  return done.outcome;
}

async function take(
  deps: DeliverDeps,
  request: DeliveryRequest,
): Promise<
  Pick<LoggedRequest, 'outcome' | 'summary' | 'results' | 'sender' | 'recognisedBy' | 'bodyOfAlert' | 'status' | 'body'>
> {
  try {
    const { read, outcome, summary, events, bodyOfAlert } = await deliver(deps, request);
    const { sender, recognisedBy } = read;
    return { outcome, summary, results: events, sender, recognisedBy, bodyOfAlert, status: 202, body: read.text };
  } catch (error) {
    if (!(error instanceof ProblemError) || !OWN_ERRORS.has(error.status)) throw error;
    const { message: summary, status } = error;
    const nothing = { results: [], sender: null, recognisedBy: null, bodyOfAlert: null };
    return { ...nothing, outcome: 'refused', summary, status, body: request.text };
  }
}

/**
 * Why a delivery cannot be replayed; undefined when it can.
 *
 * @param takesUnverified also one that does not have the signature that its source needs
 */
export function whyNotReplayed(
  { isBodyCut, isUnverified, size, path }: LoggedDelivery,
  text: string | null,
  takesUnverified: boolean,
): string | undefined {
  const noAlert = whyNoAlert({ path });
  if (noAlert !== undefined) return noAlert;
  if (isUnverified && !takesUnverified) return 'Its signature is missing or not valid: anybody may have sent it.';
  if (text === null) return size === 0 ? 'It has no body.' : 'Its body is no longer kept.';
  return isBodyCut ? 'Only the beginning of its body is kept.' : undefined;
}

/** Why a logged request makes no alert, whatever its body says; undefined where it may. */
export const whyNoAlert = ({ path }: Pick<LoggedDelivery, 'path'>): string | undefined =>
  isLaterCall(path) ? 'It is a call about an alert that was there, and makes none.' : undefined;

/** Whether a logged request asked Opsgenie's API for anything but a new alert. */
const isLaterCall = (path: string): boolean => isOpsgenieCall(path) && !/^\/v2\/alerts\/?(?:\?|$)/.test(path);

/** Whether a logged request asked Opsgenie's API for a new alert, and its source still takes such calls. */
const isCreateCall = ({ path }: LoggedDelivery, { settings }: OwnRequest['source']): boolean =>
  settings.adapter === 'opsgenie' && isOpsgenieCall(path) && !isLaterCall(path);

const isOpsgenieCall = (path: string): boolean => readAddress(path)?.route === '/v2/alerts';

/** A delivery's headers as adapters read them. What compressed its body is gone; the body of a GET is its query. */
export const headersOf = ({ headers, method }: Pick<LoggedDelivery, 'headers' | 'method'>): Record<string, string> => ({
  ...Object.fromEntries(
    headers
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name !== 'content-encoding' && name !== 'content-length'),
  ),
  ...(method === 'GET' && { 'content-type': FORM_TYPE }),
});

/** The path and query of a logged request as alerts keep them: its masked token, and a GET's alert, are no part of it. */
export function targetOf({ path, method }: Pick<LoggedDelivery, 'path' | 'method'>): string {
  const target = readAddress(path)?.target ?? path;
  return method === 'GET' ? target.replace(/\?.*$/s, '') : target;
}
