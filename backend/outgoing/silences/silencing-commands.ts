import type { SenderApiKind, Silence, SilencingChange, SilencingSettings } from '#backend/contract/silence.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import { type Network, faultOfAddress } from '#backend/outgoing/destinations/address-rule.ts';
import type { OutgoingAdministrator } from '#backend/outgoing/destinations/destination-commands.ts';
import { CIRCUIT_FAILURES } from '#backend/outgoing/destinations/backoff.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { type Sealing, openOrNone } from '#backend/platform/secrets/sealing.ts';
import { In, IsNull } from 'typeorm';
import { FROM_NEWEST } from './catch-up.ts';
import { SENDER_KINDS } from './kinds/all-senders.ts';
import type { SenderTarget } from './kinds/sender-kind.ts';
import { scheduleSource } from './schedule-silences.ts';
import { SilenceEntity, SilencingEntity, type StoredSilence, type StoredSilencing } from './silence-entities.ts';

/** Dependencies of the commands on silences. */
export interface SilencingDeps {
  database: Database;
  sealing: Sealing;
  /** Where senders may be, beside the public internet. */
  networks: readonly Network[];
}

/** Silences of a source that are listed. */
const MAX_LISTED = 200;

/** Characters of a secret that are shown. */
const HINT = 4;

/** @throws when the secret was sealed under a key that is not here */
export const targetOf = (sealing: Sealing, { id, url, auth, user, sealed }: StoredSilencing): SenderTarget => ({
  url,
  auth,
  user,
  secret: sealed === null ? '' : sealing.open(sealed, id),
});

export const presentSettings = (stored: StoredSilencing): SilencingSettings => {
  const { kind, isOn, url, auth, user, secretHint, minutes, resolvesCompleted, failures, reason, version } = stored;
  return {
    kind,
    isOn: Boolean(isOn),
    url,
    auth,
    user,
    secretHint,
    minutes,
    resolvesCompleted: Boolean(resolvesCompleted),
    failing: failures >= CIRCUIT_FAILURES ? reason : null,
    version,
  };
};

/** Message for a missing `user`, by the kind of the sender. */
const MISSING_USER: Partial<Record<SenderApiKind, string>> = {
  pagerduty: 'Enter the email of the user of PagerDuty who acknowledges.',
  sentry: 'Enter the organization.',
};

/**
 * The target of settings that an administrator submits, with the stored secret where none is submitted. Without it where that
 * cannot be opened, and silencing is off.
 *
 * @throws {ProblemError} 422 for an address that no request may go to, and for what is missing
 */
export function targetOfWritten(
  { sealing, networks }: SilencingDeps,
  stored: StoredSilencing | undefined,
  { kind, isOn, url: address, auth: written, user: name = '', secret }: SilencingChange,
): SenderTarget {
  const fault = faultOfAddress(address, networks);
  if (fault !== undefined) throw unacceptable(fault, [{ path: 'url', message: fault }]);
  const url = SENDER_KINDS[kind].baseOf(address);
  const auth = kind === 'alertmanager' ? written : 'bearer';
  if (auth === 'none') return { url, auth, user: '', secret: '' };
  const missing = MISSING_USER[kind];
  if (missing !== undefined && name === '') throw unacceptable(missing, [{ path: 'user', message: missing }]);
  const user = auth === 'basic' || missing !== undefined ? name : '';
  if (secret !== undefined && secret !== '') return { url, auth, user, secret };
  const isKept = stored !== undefined && stored.sealed !== null && stored.kind === kind && stored.auth === auth;
  if (!isKept || new URL(stored.url).origin !== new URL(url).origin) {
    const message = isKept
      ? 'Enter the password or token again: the address is another server’s.'
      : 'Enter the password or token.';
    throw unacceptable(message, [{ path: 'secret', message }]);
  }
  const kept = openOrNone(sealing, stored.sealed ?? '', stored.id);
  if (kept === undefined && isOn) {
    const message = 'Enter the password or token again: the one that is stored cannot be opened.';
    throw unacceptable(message, [{ path: 'secret', message }]);
  }
  return { url, auth, user, secret: kept ?? '' };
}

/**
 * Stores the settings of silencing for the sender of a source. All its silences become due. When silencing is switched on, alerts
 * that were accepted before are silenced, too.
 *
 * @param ifVersion the version that the change was decided on, 0 where there was none
 * @returns false when there is another version by now: then nothing is changed
 * @throws {ProblemError} 404, 422
 */
export async function saveSilencing(
  deps: SilencingDeps,
  { author }: OutgoingAdministrator,
  id: string,
  written: SilencingChange,
  ifVersion: number | undefined,
): Promise<boolean> {
  return onBehalfOf(deps.database, author).transaction(async (tx) => {
    const [source] = await tx.lockRows(SourceEntity, { id });
    if (!source) throw notFound('There is no source with this id.');
    const stored = (await tx.lockRows(SilencingEntity, { id }))[0];
    if (ifVersion !== undefined && ifVersion !== (stored?.version ?? 0)) return false;
    const { url, auth, user, secret } = targetOfWritten(deps, stored, written);
    const { kind, isOn, minutes } = written;
    // Nothing opens it now, and its key may be found.
    const lost = auth !== 'none' && secret === '' ? stored : undefined;
    const wasOn = stored !== undefined && Boolean(stored.isOn) && stored.kind === kind;
    const next: StoredSilencing = {
      id,
      kind,
      isOn,
      url,
      auth,
      user,
      minutes,
      sealed: secret === '' ? (lost?.sealed ?? null) : deps.sealing.seal(secret, id),
      secretHint: secret === '' ? (lost?.secretHint ?? null) : secret.slice(-HINT),
      resolvesCompleted: kind === 'pagerduty' && written.resolvesCompleted === true,
      activeSince: isOn && wasOn ? stored.activeSince : Date.now(),
      catchUpBefore: isOn ? FROM_NEWEST : null,
      failures: 0,
      reason: null,
      alarmedAt: stored?.alarmedAt ?? null,
      version: (stored?.version ?? 0) + 1,
    };
    await tx.getRepository(SilencingEntity).save(next);
    if (stored && stored.kind !== kind) await forgetMade(tx, id);
    await scheduleSource(tx, id);
    announce(tx, { type: 'outgoing_changed' });
    const detail = `${isOn ? 'on' : 'off'}, ${kind}, ${url}, ${minutes} min`;
    await addAudit(tx, author, 'silencing_changed', source.name, { detail });
    return true;
  });
}

/** Silences at a sender of another kind cannot be reached with the new settings: they expire there. */
const forgetMade = (tx: Transaction, sourceId: string): Promise<unknown> =>
  tx.query(
    "UPDATE silences SET labels = NULL, mark = NULL, silence_id = NULL, ends_at = NULL, asked_until = NULL, state = 'waiting' " +
      'WHERE source_id = ? AND finished_at IS NULL',
    [sourceId],
  );

/** Ends a silence now. It is not created again until the alert is accepted again. @throws {ProblemError} 404 */
export async function endSilence(
  { database }: SilencingDeps,
  { author }: OutgoingAdministrator,
  id: string,
): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const [silence] = await tx.lockRows(SilenceEntity, { id });
    if (!silence) throw noSuchSilence();
    if (silence.finishedAt !== null) return;
    await tx
      .getRepository(SilenceEntity)
      .update(
        { id },
        { isStopped: true, end: 'ended-here', state: 'ending', revision: silence.revision + 1, nextAt: 0 },
      );
    announce(tx, { type: 'outgoing_changed' });
    await addAudit(tx, author, 'silence_ended', silence.ownerName ?? silence.alertId, { detail: silence.alertId });
  });
}

/** Makes a silence due at once after a failed attempt. */
export async function retrySilence({ database }: SilencingDeps, author: Author, id: string): Promise<void> {
  await onBehalfOf(database, author).transaction((tx) =>
    tx.query('UPDATE silences SET revision = revision + 1, next_at = 0 WHERE id = ? AND finished_at IS NULL', [id]),
  );
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export const noSuchSilence = () => notFound('There is no silence with this id.');

/** Silences of a source that are not over, the newest first. */
export async function listSilences({ reads }: Pick<Database, 'reads'>, sourceId: string): Promise<Silence[]> {
  const rows = await reads
    .getRepository(SilenceEntity)
    .find({ where: { sourceId, finishedAt: IsNull() }, order: { id: 'DESC' }, take: MAX_LISTED });
  return presentSilences({ reads }, rows);
}

export async function presentSilences(
  { reads }: Pick<Database, 'reads'>,
  rows: readonly StoredSilence[],
): Promise<Silence[]> {
  const alerts = await reads
    .getRepository(AlertEntity)
    .find({ select: { id: true, title: true }, where: { id: In(rows.map(({ alertId }) => alertId)) } });
  const sources = await reads
    .getRepository(SourceEntity)
    .find({ select: { id: true, name: true }, where: { id: In(rows.map(({ sourceId }) => sourceId)) } });
  const settings = await reads
    .getRepository(SilencingEntity)
    .find({ select: { id: true, kind: true }, where: { id: In(rows.map(({ sourceId }) => sourceId)) } });
  const kinds = new Map(settings.map(({ id, kind }) => [id, kind]));
  const titles = new Map(alerts.map(({ id, title }) => [id, title]));
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  return rows.map(({ id, alertId, sourceId, ownerName, state, end, endsAt, fault, nextAt }) => ({
    id,
    alertId,
    alertTitle: titles.get(alertId) ?? null,
    sourceId,
    sourceName: names.get(sourceId) ?? null,
    kind: kinds.get(sourceId) ?? 'alertmanager',
    ownerName,
    state,
    end,
    endsAt: time(endsAt),
    fault,
    nextAt: fault === null || nextAt === null ? null : time(Math.max(nextAt, 1)),
  }));
}
