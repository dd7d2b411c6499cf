import { countText } from '#backend/contract/count-text.ts';
import type { Alert } from '#backend/contract/alert.ts';
import type { ChangeDeps } from '#renderer/alerts/actions/action.ts';
import { ALERTS_DELETED, hideAlerts } from '#renderer/alerts/actions/change-alert.ts';
import { alertStoreOf, refetchAlertLists } from '#renderer/alerts/data/list-cache.ts';
import { undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { lossLabels } from './bulk-labels.ts';
import { type Chosen, type Named, batchesOf, runBulk } from './run-bulk.ts';
import { sendBatch } from './send-batch.ts';
import * as texts from './bulk-texts.ts';

/**
 * Most that is held back, all together, in bytes: about 1,500 alerts of one owner. A page that is left sends it with `keepalive`, of
 * which browsers take bodies of 64 KiB at a time.
 */
const MOST_HELD_BACK = 60_000;

/** What the bodies of the deletions that are held back now have together, in bytes. */
let heldBack = 0;

const DELETION = { action: 'delete' } as const;

const bytesOf = (chosen: Named): number =>
  batchesOf(chosen).reduce((sum, one) => sum + JSON.stringify({ ...DELETION, ...one }).length, 0);

/**
 * Says of named alerts whose each of them is.
 *
 * @param owner whose those are that are not loaded; undefined where the list says nothing about that
 */
export function withOwners(chosen: Chosen, alerts: readonly Alert[], owner: string | undefined): Chosen {
  if (chosen.kind === 'filter') return chosen;
  const owners = new Map(alerts.map(({ id, ownerId }) => [id, ownerId ?? 'none']));
  return { ...chosen, ownerOf: (id) => owners.get(id) ?? owner };
}

/**
 * Whether a deletion of these, of {@link withOwners}, could be held back: they are named, and would all be sent when the page
 * is left.
 */
export const canHoldBack = (chosen: Chosen): chosen is Named =>
  chosen.kind === 'ids' && heldBack + bytesOf(chosen) <= MOST_HELD_BACK;

/** Numbers deletions of many alerts. */
let deletions = 0;

/**
 * Deletes named alerts as one alert is deleted: hidden at once, sent when it can no longer be undone.
 *
 * @param alerts those that are loaded
 */
export function deleteWithUndo({ client, undo }: ChangeDeps, chosen: Named, alerts: readonly Alert[]): void {
  const { ids } = chosen;
  const title = `${countText(ids.length)} ${texts.deleted}`;
  const loaded = new Set(alerts.map(({ id }) => id));
  const hidden = hideAlerts(
    client,
    alerts,
    ids.filter((id) => !loaded.has(id)),
  );
  let counted = bytesOf(chosen);
  heldBack += counted;
  const release = (): void => {
    heldBack -= counted;
    counted = 0;
  };
  const send = async (keepalive: boolean): Promise<void> => {
    release();
    const { changed, lost, error, isCancelled } = await runBulk(DELETION, chosen, {
      send: (body) => sendBatch(body, keepalive),
      isAtOnce: keepalive,
    });
    const known = alertStoreOf(client);
    known.batch(() => {
      for (const { id } of changed) known.remove(id);
      for (const { id, reason } of lost) if (reason === 'gone') hidden.lose(id);
    });
    if (error) throw error;
    if (isCancelled) throw new Error(texts.stopped);
    const kept = lost.filter(({ reason }) => reason !== 'gone');
    if (kept.length > 0) throw new Error(`${lossLabels({ lost: kept, missing: 0 }).join(', ')}.`);
  };
  const show = (): void => {
    release();
    hidden.show();
  };
  deletions += 1;
  undo.add({
    kind: `${ALERTS_DELETED} ${deletions}`,
    title,
    many: () => ({ title }),
    ...undoableDeletion({ show, send, onUndone: () => refetchAlertLists(client) }),
    commitFailed: texts.notAllDeleted,
    isLongWork: true,
  });
}
