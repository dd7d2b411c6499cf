import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import { BUILT_IN_SOURCE, type IncomingDelivery } from '#backend/intake/write/incoming-delivery.ts';
import { createSeenNames } from '#backend/intake/write/seen-names.ts';
import { type Arrivals, writeIn } from '#backend/intake/write/write-batch.ts';
import type { DestinationKind } from '#backend/contract/outgoing.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { SilencingEntity } from '#backend/outgoing/silences/silence-entities.ts';
import type { ReportSilencing } from '#backend/outgoing/silences/silencing-health.ts';
import { In } from 'typeorm';
import type { HealthNews } from './record-results.ts';

/** A problem of a destination or a sender that is back within this time opens its alert again, in milliseconds. */
const REOPEN_MS = 15 * 60 * 1000;

/** What the problems of destinations and of senders begin with; the id of the destination or of the source follows. */
const DESTINATION_KEY = 'outgoing:';
const SENDER_KEY = 'silencing:';

/** What is wrong, or is right again. */
interface Trouble {
  /** Names the problem: one alert, however often it is reported. Null for what happened once. */
  key: string | null;
  title: string;
  payload: Record<string, string>;
  /** Where it can be seen to. */
  path: string;
  alertType?: string;
  isOver: boolean;
}

/** Makes an alert of what fails, in the inbox that everybody sees, and resolves it once that works again. */
async function reportTrouble(
  writer: { write: (delivery: IncomingDelivery) => Promise<unknown> },
  { key, title, payload, path, alertType = 'Outgoing', isOver }: Trouble,
): Promise<void> {
  await writer.write({
    source: { id: BUILT_IN_SOURCE, name: PRODUCT_NAME, secretId: null },
    isOwn: true,
    policy: { completesResolved: true, reopenWithinMs: REOPEN_MS, notifyAgainAfterMs: null },
    receivedAt: Date.now(),
    events: [
      {
        payload: jsonText(JSON.stringify(payload)),
        extraData: jsonText('{}'),
        customer: null,
        alertType,
        url: path,
        sender: null,
        groupKey: null,
        groupTitle: null,
        isTest: false,
        delivery: undefined,
        title,
        severity: 'high',
        state: key === null ? 'event' : isOver ? 'resolved' : 'firing',
        dedupKey: key,
      },
    ],
  });
}

/** Alerts administrators to a destination that fails, and to its recovery. Rules may send it to other destinations. */
export const createReportHealth =
  (writer: Pick<AlertWriter, 'write'>) =>
  (
    { id, name, kind }: { id: string; name: string; kind: DestinationKind },
    news: NonNullable<HealthNews>,
  ): Promise<void> =>
    reportTrouble(writer, {
      key: `${DESTINATION_KEY}${id}`,
      title: `Messages to "${name}" do not get through`,
      payload: {
        destination: name,
        kind: KINDS[kind].label,
        reason: news.kind === 'failing' ? news.reason : 'Messages get through again.',
        page: 'Admin Panel, Outgoing',
      },
      path: `/admin/outgoing/destinations/${id}`,
      isOver: news.kind === 'recovered',
    });

/** Alerts administrators to a source whose sender cannot be silenced, and to its recovery. */
export const createReportSilencing =
  (writer: Pick<AlertWriter, 'write'>): ReportSilencing =>
  ({ id, name }, news) =>
    reportTrouble(writer, {
      key: `${SENDER_KEY}${id}`,
      title: `The sender of "${name}" cannot be silenced`,
      payload: {
        source: name,
        reason: news.kind === 'failing' ? news.reason : 'It can be silenced again.',
        page: 'Admin Panel, Sources, Settings',
      },
      path: `/admin/sources/${id}/settings`,
      isOver: news.kind === 'recovered',
    });

/** Alerts administrators to a rule that has switched itself off, in the transaction that does it. @param arrivals decide about it as about any alert */
export const reportRule = (
  tx: Transaction,
  arrivals: Arrivals,
  { id, name }: { id: string; name: string },
  reason: string,
): Promise<void> =>
  reportTrouble(
    {
      write: (delivery) =>
        writeIn(tx, [delivery], { ...arrivals, dueIn: createSeenNames().dueIn, findEchoes: NO_ECHOES }),
    },
    {
      key: null,
      title: `The rule "${name}" has switched itself off`,
      payload: { rule: name, reason, page: 'Admin Panel, Rules' },
      path: `/admin/rules/${id}`,
      alertType: 'Rules',
      isOver: false,
    },
  );

/**
 * Resolves the problems of destinations and of sources that were deleted: nothing else reports of them any more. By what is open
 * rather than with the deletion, so that neither a kill nor a report at the same moment leaves one open.
 */
export async function resolveDeleted(
  { reads }: Pick<Database, 'reads'>,
  writer: Pick<AlertWriter, 'write'>,
): Promise<void> {
  const open: { key: string; title: string; path: string }[] = await reads.query(
    'SELECT p.dedup_key AS `key`, a.title AS title, a.url AS path FROM problems p JOIN alerts a ON a.id = p.alert_id ' +
      "WHERE p.source_id = ? AND (p.dedup_key LIKE ? OR p.dedup_key LIKE ?) AND a.state = 'firing' AND a.status <> 'completed'",
    [BUILT_IN_SOURCE, `${DESTINATION_KEY}%`, `${SENDER_KEY}%`],
  );
  if (open.length === 0) return;
  const where = { id: In(open.map(({ key }) => idOf(key))) };
  const there = await Promise.all(
    [DestinationEntity, SilencingEntity].map((entity) =>
      reads.getRepository(entity).find({ select: { id: true }, where }),
    ),
  );
  const kept = new Set(there.flat().map(({ id }) => id));
  for (const { key, title, path } of open.filter((one) => !kept.has(idOf(one.key)))) {
    await reportTrouble(writer, { key, title, path, payload: { reason: 'It was deleted.' }, isOver: true });
  }
}

const idOf = (key: string): string => key.slice(key.indexOf(':') + 1);
