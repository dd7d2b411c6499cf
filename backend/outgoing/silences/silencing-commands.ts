import type { Silence, SilencingChange, SilencingSettings } from '#backend/contract/silence.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { SourceEntity } from '#backend/intake/sources/source-entity.ts';
import { type Network, faultOfAddress } from '#backend/outgoing/destinations/address-rule.ts';
import type { OutgoingAdministrator } from '#backend/outgoing/destinations/destination-commands.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { In, IsNull } from 'typeorm';
import { type SenderTarget, baseOf } from './alertmanager.ts';
import { markSource } from './mark-silences.ts';
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
  const { isOn, url, auth, user, secretHint, minutes, version } = stored;
  return { isOn: Boolean(isOn), url, auth, user, secretHint, minutes, version };
};

/**
 * What an administrator wrote, with the stored secret where none is written.
 *
 * @throws {ProblemError} 422 for an address that no request may go to, and for a secret that is missing
 */
export function targetOfWritten(
  { sealing, networks }: SilencingDeps,
  stored: StoredSilencing | undefined,
  { url, auth, user = '', secret }: SilencingChange,
): SenderTarget {
  const fault = faultOfAddress(url, networks);
  if (fault !== undefined) throw unacceptable(fault, [{ path: 'url', message: fault }]);
  if (auth === 'none') return { url: baseOf(url), auth, user: '', secret: '' };
  if (secret !== undefined && secret !== '')
    return { url: baseOf(url), auth, user: auth === 'basic' ? user : '', secret };
  const isKept = stored !== undefined && stored.sealed !== null && stored.auth === auth;
  if (!isKept || new URL(stored.url).origin !== new URL(url).origin) {
    const message = isKept
      ? 'Enter the password or token again: the address is another server’s.'
      : 'Enter the password or token.';
    throw unacceptable(message, [{ path: 'secret', message }]);
  }
  return { url: baseOf(url), auth, user: auth === 'basic' ? user : '', secret: targetOf(sealing, stored).secret };
}

/** Stores how what is accepted is silenced at a source's sender. All its silences are looked at again. @throws {ProblemError} 404, 422 */
export async function saveSilencing(
  deps: SilencingDeps,
  { author }: OutgoingAdministrator,
  id: string,
  written: SilencingChange,
): Promise<void> {
  await onBehalfOf(deps.database, author).transaction(async (tx) => {
    const [source] = await tx.lockRows(SourceEntity, { id });
    if (!source) throw notFound('There is no source with this id.');
    const stored = (await tx.getRepository(SilencingEntity).findOneBy({ id })) ?? undefined;
    const { url, auth, user, secret } = targetOfWritten(deps, stored, written);
    const { isOn, minutes } = written;
    const next: StoredSilencing = {
      id,
      isOn,
      url,
      auth,
      user,
      minutes,
      sealed: secret === '' ? null : deps.sealing.seal(secret, id),
      secretHint: secret === '' ? null : secret.slice(-HINT),
      activeSince: isOn && stored?.isOn ? stored.activeSince : Date.now(),
      version: (stored?.version ?? 0) + 1,
    };
    await tx.getRepository(SilencingEntity).save(next);
    await markSource(tx, id);
    announce(tx, { type: 'outgoing_changed' });
    const detail = `${isOn ? 'on' : 'off'}, ${url}, ${minutes} min`;
    await addAudit(tx, author, 'silencing_changed', source.name, { detail });
  });
}

/** Ends a silence now; it is not made again before somebody accepts the alert again. @throws {ProblemError} 404 */
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

/** Looks at a silence at once, whose last attempt failed. */
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
  const titles = new Map(alerts.map(({ id, title }) => [id, title]));
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  return rows.map(({ id, alertId, sourceId, ownerName, state, end, endsAt, fault, nextAt }) => ({
    id,
    alertId,
    alertTitle: titles.get(alertId) ?? null,
    sourceId,
    sourceName: names.get(sourceId) ?? null,
    ownerName,
    state,
    end,
    endsAt: time(endsAt),
    fault,
    nextAt: fault === null || nextAt === null ? null : time(Math.max(nextAt, 1)),
  }));
}
