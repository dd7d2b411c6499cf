import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { LessThan, MoreThan } from 'typeorm';
import { NoteEntity } from '#backend/alerts/notes/note.ts';
import { maskSentRequest } from '#backend/intake/delivery-log/mask-request.ts';
import type { LoggedRequest } from '#backend/intake/delivery-log/delivery-row.ts';
import type { Heartbeats } from '#backend/intake/heartbeats/open-heartbeats.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import type { KnownSource, PresentedSecret } from '#backend/intake/sources/source-registry.ts';
import { type DeliverDeps, deliver, outcomeOf } from '#backend/intake/webhooks/deliver.ts';
import {
  type TakeCall,
  type TakenCall,
  type Taking,
  loggedDelivery,
  loggedRequest,
  secretsOf,
} from '#backend/intake/webhooks/logged-request.ts';
import { nameOfProblem, withMember } from '#backend/intake/webhooks/pagerduty-events.ts';
import { RejectedWebhook, readAll } from '#backend/intake/webhooks/taken-request.ts';
import { type IngestDeps, type TakeRequest, createTakeRequest } from '#backend/intake/webhooks/webhook-route.ts';
import { badApiKey } from '#backend/intake/write/ingest-answers.ts';
import { findValidSenders } from '#backend/intake/write/write-rows.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type Processed, RESULTS, found, pong, processed, readRequestId, writeRequestId } from './answers.ts';
import { Body, type Call, type Operation, identifierTypeOf, readCall } from './call.ts';
import type { Change, Changed } from './asked-change.ts';
import { makeChange, priorityIn } from './changes.ts';
import { createLister, findOwners, numberOf } from './list-alerts.ts';
import { mergeCreated } from '#backend/intake/adapters/opsgenie-payload.ts';
import { aliasOf, presentAlert } from './present.ts';
import { type ReadAlert, findAlertId, readAlerts } from './read-alerts.ts';

/** Dependencies of the calls of Opsgenie's API. */
export type OpsgenieDeps = DeliverDeps & {
  database: Database;
  /** The origin of links in the answer to a request. */
  linkOriginOf: (request: IncomingMessage) => string;
  heartbeats: Pick<Heartbeats, 'takeBeat'>;
};

/** A call whose source is known. */
interface Asked {
  taking: Taking;
  source: KnownSource;
  secretId: string;
  call: Call & { operation: Operation };
}

/** Takes whatever is sent to addresses of sources and heartbeats: deliveries, calls of Opsgenie's API and of heartbeats. */
export const createIntake = (
  deps: Omit<IngestDeps, 'takeCall' | 'takePing'> & OpsgenieDeps & { heartbeats: Pick<Heartbeats, 'takePing'> },
): TakeRequest => createTakeRequest({ ...deps, takeCall: createOpsgenieApi(deps), takePing: deps.heartbeats.takePing });

/** Answers the calls of Opsgenie's API that clients make with the key of a source of this type. */
function createOpsgenieApi(deps: OpsgenieDeps): TakeCall {
  const lister = createLister(deps.database.reads);
  return async (taking, presented) => {
    const source = requireOpsgenie(presented, taking);
    const { method = '' } = taking.request;
    const isPing = PING.test(taking.address.target);
    const hasBody = method !== 'GET' && method !== 'DELETE' && !isPing;
    if (hasBody) await readAll(taking);
    else taking.request.resume();
    const call = readCall(method, taking.address.target);
    const asked: Asked = { taking, source, secretId: presented.secret.id, call };
    if (isPing) return { answer: await pingHeartbeat(deps, asked) };
    if (method !== 'GET')
      return call.operation === 'POST /v2/alerts' ? createAlert(deps, asked) : changeAlert(deps, asked);
    return { answer: await read(deps, lister, asked) };
  };
}

/** What is pinged is named by the path; whatever a body says is not read. */
const PING = /^\/v2\/heartbeats\/[^/]+\/ping\/?(?:\?|$)/;

/**
 * A ping of a heartbeat that was given to this source, by its name. Opsgenie answers 202 whether there is one or not; here
 * nobody is to believe in vain that somebody watches.
 *
 * @throws {ProblemError} 404 when the source has no heartbeat of this name, 429 when it is pinged too often
 */
async function pingHeartbeat({ database, heartbeats }: OpsgenieDeps, { taking, source, secretId, call }: Asked) {
  const { id, name } = source;
  const rows: { id: string }[] = await database.reads.query(
    'SELECT id FROM heartbeats WHERE name_key = ? AND source_id = ?',
    [nameKeyOf(call.name), id],
  );
  const isTaken =
    rows[0] !== undefined &&
    (await heartbeats.takeBeat(
      rows[0].id,
      async (tx, stored) =>
        stored.sourceId === id && (await findValidSenders(tx, [{ source: { id, name, secretId } }])).has(secretId),
      { kind: 'success' },
    ));
  if (!isTaken) throw notFound('There is no heartbeat of this name that this source may ping.');
  return pong(newId(), performance.now() - taking.startedAt);
}

/** Reading alerts is more than posting them: only keys in headers may, and only of sources whose type says so. */
function requireOpsgenie({ source }: PresentedSecret, { found: presented }: Taking): KnownSource {
  if (presented.kind !== 'accepted' || presented.way === 'token') {
    throw new RejectedWebhook(badApiKey(), 'A token in the address was used, which Opsgenie’s API does not take');
  }
  if (source.settings.auth.signature !== null) {
    throw new RejectedWebhook(
      badApiKey(),
      'Requests of this source must be signed, which clients of Opsgenie do not do',
    );
  }
  if (source.settings.adapter === 'opsgenie') return source;
  throw unacceptable('This key belongs to a source of another type. Set the type of the source to Opsgenie.');
}

/** What adapters, alerts and the log may see of a request. */
const maskedOf = ({ request, address, text = '' }: Taking, secrets: readonly string[]) =>
  maskSentRequest({ headers: request.headers, text, target: address.target }, secrets, address.route);

/** `POST /v2/alerts`: stored as whatever a source posts. Its alias names the problem; one without gets one. */
async function createAlert(deps: OpsgenieDeps, { taking, source, secretId }: Asked): Promise<TakenCall> {
  const { text: sent, ...request } = maskedOf(taking, secretsOf(taking));
  const body = new Body(sent);
  body.required('message');
  priorityIn(body);
  const hasAlias = (body.textOf('alias') ?? '').trim() !== '';
  const text = hasAlias ? sent : withMember(sent, 'alias', nameOfProblem(taking.request.headers, sent));
  const delivered = await deliver(deps, {
    source,
    secretId,
    ...request,
    text,
    receivedAt: taking.receivedAt,
    readAt: taking.readAt,
    merge: mergeCreated(jsonText(text.trim())),
  });
  const [written] = delivered.results;
  const unwritten = delivered.outcome === 'paused' ? 'paused' : 'ignored';
  const answered = answerProcessed(source, taking, {
    action: 'Create',
    result: written === undefined ? unwritten : written.outcome === 'new' ? 'created' : 'repeated',
    alertId: written?.alertId ?? null,
  });
  return { answer: answered, log: loggedDelivery(taking, delivered, answered.status, newId()) };
}

/** Every other call that changes something. */
async function changeAlert(deps: OpsgenieDeps, { taking, source, secretId, call }: Asked): Promise<TakenCall> {
  const { text } = maskedOf(taking, secretsOf(taking));
  const key = taking.request.headers['idempotency-key'];
  const asked: Change = {
    source,
    secretId,
    call,
    body: new Body(text),
    receivedAt: taking.receivedAt,
    readAt: taking.readAt,
    remoteAddress: taking.remoteAddress,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
  const changed = await makeChange(deps, asked);
  const answer = answerProcessed(source, taking, changed);
  return { answer, log: logOf(taking, call, changed, answer.status, text) };
}

/** What the log notes of a call that was processed, also where nothing could be done. */
function logOf(taking: Taking, { name }: Call, changed: Changed, status: number, text: string): LoggedRequest {
  const { action, result, alertId, written, reason } = changed;
  const logged = loggedRequest(taking, status, newId());
  const isDone = result === 'done' || result === 'unnoted';
  const event = written ?? (isDone ? { outcome: 'amended' as const, occurrences: 0 } : undefined);
  if (event) logged.results = [{ outcome: event.outcome, alertId, title: null, occurrences: event.occurrences }];
  logged.outcome = result === 'paused' ? 'paused' : event && isDone ? outcomeOf([event]) : 'ignored';
  logged.summary = `${action} · ${name} · ${reason ?? statusOf(result)}`;
  logged.sender = 'opsgenie';
  logged.recognisedBy = 'the source’s setting';
  logged.body = text === '' ? null : text;
  return logged;
}

function answerProcessed(source: KnownSource, taking: Taking, done: Omit<Processed, 'at'>) {
  const { action, result, alertId } = done;
  const requestId = writeRequestId(source.id, { action, result, alertId, at: taking.receivedAt });
  return processed(requestId, performance.now() - taking.startedAt);
}

const resultOf = (name: Processed['result']) => RESULTS.find(([one]) => one === name) ?? RESULTS[0];
const statusOf = (name: Processed['result']): string => resultOf(name)[2];

/** Answers the calls that ask. */
async function read(deps: OpsgenieDeps, lister: ReturnType<typeof createLister>, asked: Asked) {
  const { reads } = deps.database;
  const { taking, source, call } = asked;
  const { query, name } = call;
  const answer = (data: unknown, more?: object) => found(data, newId(), performance.now() - taking.startedAt, more);
  switch (call.operation) {
    case 'GET /v2/alerts': {
      const { data, paging } = await lister.list(source, query, (offset) => pageUrl(deps, asked, { offset }));
      return answer(data, { paging });
    }
    case 'GET /v2/alerts/count':
      return answer({ count: await lister.count(source, query) });
    case 'GET /v2/alerts/requests/:name': {
      const request = readRequestId(source.id, name);
      if (!request) throw notFound('There is no request with this id.');
      return answer(await presentRequest(deps, source, request));
    }
    case 'GET /v2/alerts/:name/notes': {
      const alert = await requireAlert(deps, asked);
      const limit = numberOf(query, 'limit', 1, 100, 20);
      const isForward = query.get('order') === 'asc';
      const after = query.get('offset') ?? '';
      const notes = await reads.getRepository(NoteEntity).find({
        where: { alertId: alert.id, ...(after !== '' && { id: isForward ? MoreThan(after) : LessThan(after) }) },
        order: { id: isForward ? 'ASC' : 'DESC' },
        take: limit + 1,
      });
      const page = notes.slice(0, limit);
      const last = page.at(-1);
      const next = notes.length > limit && last ? { next: pageUrl(deps, asked, { offset: last.id }) } : {};
      return answer(
        page.map(({ id, text, authorName, createdAt }) => ({
          note: text,
          owner: authorName,
          createdAt: new Date(createdAt).toISOString(),
          offset: id,
        })),
        { paging: { ...next, first: pageUrl(deps, asked, {}) } },
      );
    }
    default: {
      const alert = await requireAlert(deps, asked);
      return answer(presentAlert(alert, source, await findOwners(reads, [alert])));
    }
  }
}

/** @throws {ProblemError} 404 when the source has no such alert */
async function requireAlert({ database: { reads } }: OpsgenieDeps, { source, call }: Asked): Promise<ReadAlert> {
  const id = await findAlertId(reads, source.id, call.name, identifierTypeOf(call));
  const [alert] = id === undefined ? [] : await readAlerts(reads, source.id, [id]);
  if (alert) return alert;
  throw notFound('Alert does not exist');
}

async function presentRequest(
  { database: { reads } }: OpsgenieDeps,
  source: KnownSource,
  { action, result, at, alertId }: Processed,
) {
  const [, isSuccess, status] = resultOf(result);
  const [alert] = alertId === null ? [] : await readAlerts(reads, source.id, [alertId]);
  return {
    success: isSuccess,
    isSuccess,
    action,
    status,
    processedAt: new Date(at).toISOString(),
    integrationId: source.id,
    alertId: alertId ?? '',
    alias: alert ? aliasOf(alert) : '',
  };
}

/** The address of another page of a list. */
function pageUrl({ linkOriginOf }: OpsgenieDeps, { taking }: Asked, parts: Record<string, string | number>): string {
  const [path = '', query = ''] = taking.address.target.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  parameters.delete('offset');
  for (const [name, value] of Object.entries(parts)) parameters.set(name, String(value));
  const text = String(parameters);
  return linkOriginOf(taking.request) + path + (text === '' ? '' : `?${text}`);
}
