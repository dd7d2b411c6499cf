import { judgeAt } from '#backend/contract/announcement.ts';
import {
  type NotificationPreview,
  type PreviewedAlert,
  PREVIEW_ALERTS,
  PREVIEW_DAYS,
  notificationPreviewSchema,
} from '#backend/contract/notification-exception.ts';
import { INBOX_STATUS } from '#backend/alerts/alert/stored-status.ts';
import { idsBetween } from '#backend/platform/database/id-times.ts';
import { type Actor, type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { countWeek } from './count-week.ts';
import {
  type AlertRow,
  type Decided,
  type JudgeDeps,
  type ViewException,
  COLUMNS,
  announcedAlert,
  readDecided,
  readsPayloads,
} from './judged-alerts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Among so many recent alerts those are chosen that are decided differently. */
const RECENT_ALERTS = 30;

/** What a member would have been notified of, by the decision that all channels share. */
export function notificationPreviewRoutes(deps: JudgeDeps): Endpoint[] {
  // One after the other: several that read a week of alerts at once would keep the event loop from everybody.
  let last: Promise<unknown> = Promise.resolve();
  return [
    endpoint({
      method: 'GET',
      path: '/api/notification-preview',
      tag: 'notifications',
      summary: `Counts what the member would have been notified of in the last ${PREVIEW_DAYS} days with each choice, and shows what would be decided of recent alerts now.`,
      access: 'member',
      responses: { 200: notificationPreviewSchema },
      handle: async ({ actor }) => {
        const turn = last.then(() => readPreview(deps, actor, Date.now()));
        last = turn.catch(() => undefined);
        return ok(await turn);
      },
    }),
  ];
}

async function readPreview(deps: JudgeDeps, actor: Actor, now: number): Promise<NotificationPreview> {
  const decided = await readDecided(deps, actor, now);
  const { reads } = deps.database;
  return {
    ...(await countWeek(deps, actor, decided, await idsBetween(reads, { from: now - PREVIEW_DAYS * DAY_MS }))),
    alerts: await judgeRecent(deps, actor, decided, now),
  };
}

/** Recent alerts that the member sees, those first that are decided differently, newest first in the end. */
async function judgeRecent(
  { database: { reads } }: JudgeDeps,
  actor: Actor,
  decided: Decided,
  now: number,
): Promise<PreviewedAlert[]> {
  // What is kept quiet is so whatever the member decides: none of their choices is the reason.
  const select = `SELECT ${COLUMNS}${readsPayloads(decided) ? ', url, payload' : ''} FROM alerts WHERE quiet_by_id IS NULL`;
  const newest = `ORDER BY id DESC LIMIT ${RECENT_ALERTS}`;
  const rows: AlertRow[] = [
    ...(await reads.query(`${select} AND status = '${INBOX_STATUS}' ${newest}`)),
    ...(await reads.query(`${select} AND owner_id = ? ${newest}`, [actor.id])),
  ];
  const judge = judgeAt(decided.settings, now);
  const judged = rows
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, RECENT_ALERTS)
    .map((row): PreviewedAlert => {
      const { alert, inViews } = announcedAlert(row, decided, row.ownerId);
      const { verdict, level, by } = judge(alert);
      return {
        id: row.id,
        title: row.title ?? row.alertType,
        customer: row.customer,
        severity: row.severity ?? 'none',
        state: row.state ?? 'event',
        verdict,
        level,
        by,
        name: nameOf(by, row, inViews, decided),
      };
    });
  const answers = new Set<string>();
  const differing = judged.filter(({ verdict, level, by, severity }) => {
    const answer = [verdict, level, by, severity].join(' ');
    return !answers.has(answer) && answers.add(answer);
  });
  const chosen = [...differing, ...judged.filter((one) => !differing.includes(one))].slice(0, PREVIEW_ALERTS);
  return chosen.toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** The name of the exception that decides. */
function nameOf(
  by: PreviewedAlert['by'],
  row: AlertRow,
  [view]: readonly ViewException[],
  { exceptions }: Decided,
): string | null {
  switch (by) {
    case 'all':
      return null;
    case 'customer':
      return row.customer;
    case 'alert_type':
      return row.alertType;
    case 'source':
    case 'view': {
      const id = by === 'source' ? row.sourceId : view?.id;
      return exceptions.find((one) => one.kind === by && one.id === id)?.name ?? null;
    }
  }
}
