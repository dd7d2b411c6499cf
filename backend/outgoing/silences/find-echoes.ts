import { In } from 'typeorm';
import type { FindEchoes, PossibleEcho } from '#backend/intake/write/echoes.ts';
import { SilenceEntity, type StoredSilence } from './silence-entities.ts';

/** Longest delay of a webhook that reports a silence, with retries of the sender, in milliseconds. */
const ECHO_MS = 10 * 60_000;

/** Silences that Alertdesk ended. */
const ENDED_HERE = new Set<StoredSilence['end']>(['released', 'completed', 'ended-here', 'switched-off']);

/**
 * Finds reports that only repeat a request of Alertdesk: a sender reports by its webhook that an alert was silenced, and that the
 * silence has ended. Such a report must not open, resolve or count an alert.
 */
export const findEchoes: FindEchoes = async (tx, possible) => {
  const rows = await tx
    .getRepository(SilenceEntity)
    .findBy({ alertId: In([...new Set(possible.map(({ alertId }) => alertId))]) });
  const silences = new Map(rows.map((row) => [row.alertId, row]));
  return possible.filter((one) => {
    const silence = silences.get(one.alertId);
    return silence !== undefined && isEcho(silence, one);
  });
};

/** Whether a report is an echo, by the time of its arrival. Pure. */
export function isEcho(
  { state, end, askedUntil, finishedAt }: Pick<StoredSilence, 'state' | 'end' | 'askedUntil' | 'finishedAt'>,
  { mayEcho, receivedAt }: Pick<PossibleEcho, 'mayEcho' | 'receivedAt'>,
): boolean {
  const isJustEnded = finishedAt !== null && Math.abs(receivedAt - finishedAt) < ECHO_MS && ENDED_HERE.has(end);
  if (state === 'ending' || isJustEnded) return true;
  return mayEcho === 'quieted' && (state === 'active' || (state === 'waiting' && askedUntil !== null));
}
