import { OccurrenceEntity } from '#backend/alerts/maintenance/window-entities.ts';
import { countByState } from '#backend/intake/heartbeats/list-heartbeats.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SocketHub } from '#backend/platform/live/socket-hub.ts';
import type { Cluster } from '#backend/platform/cluster/cluster.ts';
import type { Levels } from '#backend/platform/metrics/metrics.ts';
import type { Standing } from '#backend/platform/metrics/standing-metrics.ts';
import type { AppContext } from './context.ts';

/** A heartbeat whose time has been over for longer without being judged is late, in milliseconds. */
const LATE_MS = 2_000;

/** What of a server goes up and down, but for pushes, which its caller adds. */
export const levelsOf = ({
  writer,
  deliveryLog,
  database,
  heartbeats: { clock },
  hub,
  cluster,
}: {
  writer: Pick<AppContext['writer'], 'queued'>;
  deliveryLog: Pick<AppContext['deliveryLog'], 'queued'>;
  database: Pick<AppContext['database'], 'reads' | 'waiting'>;
  heartbeats: Pick<AppContext['heartbeats'], 'clock'>;
  hub: Pick<SocketHub, 'size' | 'bufferedBytes'>;
  cluster: Pick<Cluster, 'levels'>;
}): Omit<Levels, 'pendingPushes'> => ({
  ingestQueue: writer.queued,
  liveSockets: () => ({ open: hub.size, bufferedBytes: hub.bufferedBytes() }),
  queuedDeliveries: deliveryLog.queued,
  waitingTransactions: database.waiting,
  cluster: cluster.levels,
  standing: () => readStanding(database, Math.floor(clock.now())),
});

/** How heartbeats and maintenance windows stand, for metrics. @param now by the clock that heartbeats are judged by */
async function readStanding({ reads }: Pick<Database, 'reads'>, now: number): Promise<Standing> {
  const [late]: { heartbeats: unknown }[] = await reads.query(
    'SELECT COUNT(*) AS heartbeats FROM heartbeats WHERE judge_at <= ? AND paused_at IS NULL',
    [now - LATE_MS],
  );
  const [kept]: { alerts: unknown }[] = await reads.query('SELECT SUM(kept) AS alerts FROM maintenance_occurrences');
  return {
    heartbeats: await countByState({ reads }, now),
    judgedLate: Number(late?.heartbeats ?? 0),
    windowsOn: await reads.getRepository(OccurrenceEntity).countBy({ state: 'on' }),
    suppressed: Number(kept?.alerts ?? 0),
  };
}
