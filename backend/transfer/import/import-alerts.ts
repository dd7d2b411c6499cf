import { marksOf } from '#backend/platform/database/conditions.ts';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { findUser } from '#backend/identity/users/user.ts';
import { applyCommand, lockDecided } from '#backend/alerts/commands/apply-command.ts';
import { type Caller, requireAssignee } from '#backend/alerts/commands/assignment.ts';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import {
  type AlertImport,
  type AlertImportResult,
  MAX_IMPORT_BYTES,
  alertImportResultSchema,
  alertImportSchema,
} from '#backend/contract/alert-import.ts';
import { sourceIdParamsSchema } from '#backend/contract/source.ts';
import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { type Actor, type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { MAX_TITLE_LENGTH, boundedKey, oneLine } from '#backend/intake/reading/bounded-text.ts';
import { httpLink } from '#backend/intake/json/found.ts';
import { readJson } from '#backend/intake/json/json-value.ts';
import type { KnownSource, SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import type { EventResult } from '#backend/intake/write/write-batch.ts';
import { titleOfPayload } from '#backend/intake/reading/stored-title.ts';
import type { IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';

type ImportDeps = { database: Database; sources: SourceRegistry; writer: AlertWriter };

/** Where the path of a webhook stands in an imported alert without a link. */
const IMPORT_PATH = '/import';

/** Longest customer and alert type, in characters. */
const MAX_NAME_LENGTH = 200;

const lineOf = (text: string | null | undefined, maxLength: number): string | null =>
  oneLine(text ?? '', maxLength) ?? null;

/** What a call imports, with each alert's payload as the call writes it: parsed numbers lose digits. */
type Imported = Omit<AlertImport, 'alerts'> & {
  alerts: (Omit<AlertImport['alerts'][number], 'payload'> & { payload: JsonText })[];
};

/** @throws {ProblemError} 422 for a payload that nests deeper than that of a webhook may */
function withPayloads(body: AlertImport, text: string): Imported {
  const read = readJson(text, OUTSIDE_PAYLOAD + WEBHOOK_MAX_DEPTH);
  if (read === 'too deep') throw unacceptable(`A payload nests deeper than ${WEBHOOK_MAX_DEPTH} levels.`);
  const items = typeof read === 'string' ? [] : (read.get('alerts')?.items() ?? []);
  const alerts = body.alerts.map((alert, index) => ({
    ...alert,
    payload: jsonText(items[index]?.get('payload')?.source ?? JSON.stringify(alert.payload)),
  }));
  return { ...body, alerts };
}

/** The body, its list of alerts, and an alert. */
const OUTSIDE_PAYLOAD = 3;

function eventOf(system: string, { settings }: KnownSource, alert: Imported['alerts'][number]): IncomingEvent {
  const { payload } = alert;
  return {
    title: lineOf(alert.title, MAX_TITLE_LENGTH) ?? titleOfPayload(payload),
    severity: alert.severity,
    state: alert.state,
    dedupKey: boundedKey(alert.dedupKey),
    customer: lineOf(alert.customer, MAX_NAME_LENGTH) ?? settings.defaultCustomer,
    alertType: lineOf(alert.alertType, MAX_NAME_LENGTH),
    url: httpLink(alert.link?.trim() ?? '') ?? IMPORT_PATH,
    payload,
    extraData: jsonText(JSON.stringify({ imported_from: system })),
    sender: settings.adapter === 'auto' ? null : settings.adapter,
    groupKey: null,
    groupTitle: null,
    isTest: false,
    delivery: undefined,
  };
}

/** The dedup keys among these that the source has an alert of. */
async function findKnown({ database }: ImportDeps, sourceId: string, keys: readonly string[]): Promise<Set<string>> {
  const rows: { dedupKey: string }[] = await database.reads.query(
    `SELECT dedup_key AS dedupKey FROM problems WHERE source_id = ? AND dedup_key IN (${marksOf(keys)})`,
    [sourceId, ...keys],
  );
  return new Set(rows.map(({ dedupKey }) => dedupKey));
}

/** What an import would do. */
async function tryImport(deps: ImportDeps, source: KnownSource, { alerts }: AlertImport): Promise<AlertImportResult> {
  const known = await findKnown(
    deps,
    source.id,
    alerts.map(({ dedupKey }) => boundedKey(dedupKey)),
  );
  const results: AlertImportResult = [];
  for (const { dedupKey, ownerId } of alerts) {
    const key = boundedKey(dedupKey);
    const owner = ownerId ? await findUser(deps.database.reads, ownerId) : undefined;
    const isOwned = owner?.isActive === true && !owner.isService;
    results.push({ outcome: known.has(key) ? 'known' : 'new', alertId: null, isOwned });
    known.add(key);
  }
  return results;
}

/** Stores the alerts that the source does not have, by the path of every other alert, and notifies nobody. */
async function write(
  { writer }: ImportDeps,
  source: KnownSource,
  actor: Actor,
  { system, alerts }: Imported,
): Promise<EventResult[]> {
  const now = Date.now();
  const results = await Promise.all(
    alerts.map((alert) =>
      writer.write({
        source: { id: source.id, name: source.name, secretId: null },
        sessionId: actor.sessionId,
        policy: { completesResolved: false, reopenWithinMs: 0, notifyAgainAfterMs: null },
        // The ids are of now: lists are in the order of arrival.
        receivedAt: Math.min(Date.parse(alert.createdAt), now),
        events: [eventOf(system, source, alert)],
        isQuiet: true,
        isImport: true,
      }),
    ),
  );
  return results.flat();
}

/**
 * Gives an imported alert to its owner, unless somebody has changed it since: so an import that was stopped goes on, and one
 * after the owner has joined makes up for it. Nobody is notified; their lists are read again.
 *
 * @returns whether it is theirs
 */
async function giveTo(
  { database }: ImportDeps,
  caller: Caller,
  alertId: string,
  ownerId: string,
  note: string,
): Promise<boolean> {
  const user = await findUser(database.reads, ownerId);
  if (!user?.isActive || user.isService) return false;
  const given = await onBehalfOf(database, caller.actor).transaction(async (tx) => {
    const assignee = await requireAssignee(tx, ownerId);
    const [alert] = await lockDecided(tx, [alertId]);
    if (alert?.ownerId === ownerId) return 'before';
    if (!alert || !isEverybodys(alert) || alert.snoozedUntil !== null) return 'no';
    if (await tx.getRepository(HistoryEntity).existsBy({ alertId })) return 'no';
    await applyCommand(tx, caller, { action: 'assign', assignee, note }, [alert]);
    announce(tx, { type: 'lists_changed', lists: ['inbox', 'mine', 'all'], ownerId });
    return 'now';
  });
  return given !== 'no';
}

async function importAlerts(
  deps: ImportDeps,
  source: KnownSource,
  actor: Actor,
  ip: string,
  body: Imported,
): Promise<AlertImportResult> {
  const stored = await write(deps, source, actor, body);
  const added = stored.filter(({ outcome }) => outcome === 'new').length;
  const author = authorOf(actor, ip);
  // Also of alerts that were there already: an earlier call may have stored them without an answer from the database.
  const known = added < stored.length ? `, ${stored.length - added} known already` : '';
  await onBehalfOf(deps.database, author).transaction((tx) =>
    addAudit(tx, author, 'alerts_imported', `${source.name}: ${added} from ${body.system}${known}`),
  );
  const results: AlertImportResult = [];
  for (const [index, { ownerId }] of body.alerts.entries()) {
    const { outcome = 'duplicate', alertId = null } = stored[index] ?? {};
    const note = `Imported from ${body.system}.`;
    const isOwned = Boolean(ownerId && alertId && (await giveTo(deps, { actor, ip }, alertId, ownerId, note)));
    results.push({ outcome: outcome === 'new' ? 'new' : 'known', alertId, isOwned });
  }
  return results;
}

/** Open alerts of another system, for a source that takes its place. */
export function importRoutes(deps: ImportDeps): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/sources/:id/import',
      tag: 'sources',
      summary:
        'Stores open alerts of another system, each dedup key once, with the time at which they began; nobody is notified.',
      access: ['admin'],
      params: sourceIdParamsSchema,
      body: alertImportSchema,
      maxBodyBytes: MAX_IMPORT_BYTES,
      responses: { 200: alertImportResultSchema },
      handle: async ({ actor, ip, params, body, rawBody }) => {
        const source = await deps.sources.load(params.id);
        if (!source) throw notFound('There is no source with this id.');
        const imported = withPayloads(body, rawBody);
        return ok(
          body.isDryRun ? await tryImport(deps, source, body) : await importAlerts(deps, source, actor, ip, imported),
        );
      },
    }),
  ];
}
