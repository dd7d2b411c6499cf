import { In } from 'typeorm';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import {
  DEFAULT_SOURCE_SETTINGS,
  type NewSource,
  type PlainSecrets,
  type SecretKind,
  type SourceChange,
  type SourceSettings,
} from '#backend/contract/source.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { describeChange } from './describe-change.ts';
import { requireReadable } from '#backend/intake/reading/mapping.ts';
import { beginScan, writeWatch } from './report-watch.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import {
  SourceEntity,
  SourceSecretEntity,
  type StoredSource,
  findFreeName,
  nameKeyOf,
  requireRoomForSource,
} from './source-entity.ts';
import { type SourceRegistry, isLive, readSettings } from './source-registry.ts';
import { makeSpace, newSigningSecret, newSourceSecret, requireKey, requireVerifiable } from './source-secrets.ts';

/** What changing sources takes. */
export interface SourceDeps {
  database: Database;
  sources: SourceRegistry;
  sealing: Sealing;
}

/** Who changes a source: for the audit trail, and by the name that other administrators see. */
export interface Administrator {
  author: Author;
  displayName: string;
}

/** How often a free number is looked for when others make sources of the same name at the same moment. */
const NAME_ATTEMPTS = 10;

/**
 * Makes a source with a key and, unless it is made as an API key, an address token: whole, or not at all.
 *
 * @throws {ProblemError} 409 when another source has this name, where an API key gets a number instead, at the limit, or when
 * nothing could verify the required signature; 422 when a path of the mapping cannot be read.
 */
export async function createSource(
  deps: SourceDeps,
  by: Administrator,
  {
    name,
    adapter = 'auto',
    settings: wanted = {},
    signingSecret,
    isApiKey = false,
    leaving = 0,
  }: NewSource & { isApiKey?: boolean; leaving?: number },
): Promise<{ source: StoredSource; plain: PlainSecrets }> {
  const now = Date.now();
  const id = newId();
  const key = newSourceSecret(id, 'key', by.displayName, now);
  const token = isApiKey ? undefined : newSourceSecret(id, 'token', by.displayName, now);
  const signing =
    signingSecret === undefined ? undefined : newSigningSecret(deps.sealing, id, signingSecret, by.displayName, now);
  const settings: SourceSettings = { ...DEFAULT_SOURCE_SETTINGS, ...defined(wanted), adapter };
  requireReadable(settings.mapping);
  const source: StoredSource = {
    id,
    name,
    nameKey: nameKeyOf(name),
    settings: JSON.stringify(settings),
    pausedAt: null,
    pausedBy: null,
    recognisedAs: null,
    createdAt: now,
    version: 1,
  };
  const insert = async (tx: Transaction, freeName: string) => {
    await requireRoomForSource(tx, leaving);
    Object.assign(source, { name: freeName, nameKey: nameKeyOf(freeName) });
    await tx.getRepository(SourceEntity).insert(source);
    await tx
      .getRepository(SourceSecretEntity)
      .insert([key.row, ...(token ? [token.row] : []), ...(signing ? [signing] : [])]);
    await requireVerifiable(tx, deps, id, settings);
    announceChange(tx, id);
    await addAudit(tx, by.author, isApiKey ? 'api_key_created' : 'source_created', freeName);
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await onBehalfOf(deps.database, by.author).transaction(async (tx) =>
        insert(tx, isApiKey ? await findFreeName(tx, name) : name),
      );
      break;
    } catch (error) {
      if (!deps.database.dialect.isDuplicate(error)) throw error;
      if (!isApiKey || attempt === NAME_ATTEMPTS) throw nameTaken();
    }
  }
  await deps.sources.reload(id);
  return { source, plain: { key: key.plain, ...(token && { token: token.plain }) } };
}

/**
 * Changes a source's name, settings, or whether it is paused.
 *
 * @param ifVersion the version that the change was decided on
 * @returns false when the source has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 422 when a path of the mapping cannot be read, or 409 when another source has this name or
 * nothing could verify the required signature.
 */
export async function changeSource(
  deps: SourceDeps,
  by: Administrator,
  id: string,
  { name, isPaused, settings: change }: SourceChange,
  ifVersion?: number,
): Promise<boolean> {
  requireReadable(change?.mapping ?? {});
  let isCurrent = true;
  try {
    await inSource(deps, by, id, async (tx, source) => {
      isCurrent = ifVersion === undefined || ifVersion === source.version;
      if (!isCurrent) return;
      const before = readSettings(source.settings);
      const settings: SourceSettings = { ...before, ...defined(change ?? {}) };
      if (settings.auth.signature !== before.auth.signature) await requireVerifiable(tx, deps, id, settings);
      await tx.getRepository(SourceEntity).update(
        { id },
        {
          settings: JSON.stringify(settings),
          version: source.version + 1,
          ...(name !== undefined && { name, nameKey: nameKeyOf(name) }),
          ...(isPaused === true && source.pausedAt === null && { pausedAt: Date.now(), pausedBy: by.displayName }),
          ...(isPaused === false && { pausedAt: null, pausedBy: null }),
        },
      );
      if (settings.completeUnreported !== before.completeUnreported) await beginScan(tx, id);
      if (isPaused === false && source.pausedAt !== null) await writeWatch(tx, id, Date.now(), Date.now());
      announceChange(tx, id);
      const isRenamed = name !== undefined && name !== source.name;
      const subject = isRenamed ? `${source.name} → ${name}` : source.name;
      const detail = describeChange(before, settings) || undefined;
      if (isRenamed || detail) await addAudit(tx, by.author, 'source_changed', subject, { detail });
      if (isPaused !== undefined && isPaused !== (source.pausedAt !== null)) {
        await addAudit(tx, by.author, isPaused ? 'source_paused' : 'source_resumed', name ?? source.name);
      }
    });
  } catch (error) {
    if (deps.database.dialect.isDuplicate(error)) throw nameTaken();
    throw error;
  }
  // Also where another server has changed it: what it is now is asked for next.
  await deps.sources.reload(id);
  return isCurrent;
}

/**
 * Deletes a source with its secrets: whoever uses them is refused from then on. Its alerts stay.
 *
 * @param action what the audit trail calls it: API keys keep the word of older versions
 * @returns false when there is none with this id
 */
export async function deleteSource(
  deps: SourceDeps,
  author: Author,
  id: string,
  action: AuditAction = 'source_deleted',
): Promise<boolean> {
  const isDeleted = await onBehalfOf(deps.database, author).transaction(async (tx) => {
    const [source] = await tx.lockRows(SourceEntity, { id });
    if (!source) return false;
    const pinged: unknown[] = await tx.query('SELECT id FROM heartbeats WHERE source_id = ? LIMIT 1', [id]);
    if (pinged.length > 0) announce(tx, { type: 'heartbeats_changed' });
    await tx.query('UPDATE heartbeats SET source_id = NULL, version = version + 1 WHERE source_id = ?', [id]);
    // By id: the batches of alerts lock these rows so.
    const secrets = await tx.getRepository(SourceSecretEntity).findBy({ sourceId: id });
    await tx.getRepository(SourceSecretEntity).delete({ id: In(secrets.map((secret) => secret.id)) });
    await tx.getRepository(SourceEntity).delete({ id });
    for (const table of ['source_mutes', 'mail_threads', 'silences'])
      await tx.query(`DELETE FROM ${table} WHERE source_id = ?`, [id]);
    for (const table of ['silencing', 'report_watch']) await tx.query(`DELETE FROM ${table} WHERE id = ?`, [id]);
    announceChange(tx, id);
    await addAudit(tx, author, action, source.name);
    return true;
  });
  await deps.sources.reload(id);
  return isDeleted;
}

/**
 * Makes a new key or token. The one before works for another 24 hours.
 *
 * @param ownKey a key that senders have already, which becomes the source's
 * @throws {ProblemError} 404, or 409 while an older one still works beside the current, and when a source has this key.
 */
export async function rotateSecret(
  deps: SourceDeps,
  by: Administrator,
  id: string,
  kind: Exclude<SecretKind, 'signing'>,
  ownKey?: string,
): Promise<string> {
  const now = Date.now();
  const { row, plain } = newSourceSecret(id, kind, by.displayName, now, ownKey);
  await inSource(deps, by, id, async (tx, source) => {
    await makeSpace(tx, deps, id, kind, now);
    await tx.getRepository(SourceSecretEntity).insert(row);
    announceChange(tx, id);
    await addAudit(tx, by.author, kind === 'key' ? 'source_key_rotated' : 'source_token_rotated', source.name, {
      detail: ownKey === undefined ? undefined : 'A key that its senders have already',
    });
  }).catch((error: unknown) => {
    if (ownKey === undefined || !deps.database.dialect.isDuplicate(error)) throw error;
    throw conflict('A source has this key already. Each source has a key of its own.');
  });
  await deps.sources.reload(id);
  return plain;
}

/** Keeps a secret that the sender shows, encrypted. The one before is accepted for another 24 hours. */
export async function addSigningSecret(deps: SourceDeps, by: Administrator, id: string, plain: string): Promise<void> {
  const now = Date.now();
  const row = newSigningSecret(deps.sealing, id, plain, by.displayName, now);
  await inSource(deps, by, id, async (tx, source) => {
    requireKey(readSettings(source.settings), plain);
    await makeSpace(tx, deps, id, 'signing', now);
    await tx.getRepository(SourceSecretEntity).insert(row);
    announceChange(tx, id);
    await addAudit(tx, by.author, 'signing_secret_added', source.name);
  });
  await deps.sources.reload(id);
}

/**
 * Ends a secret now. An older key or token is refused from then on, a signing secret is deleted.
 *
 * @throws {ProblemError} 404, or 409 for what the source cannot do without: its current key or token, which is rotated
 * first, and the last signing secret while every request must be signed.
 */
export async function endSecret(deps: SourceDeps, by: Administrator, id: string, secretId: string): Promise<void> {
  const now = Date.now();
  await inSource(deps, by, id, async (tx, source) => {
    const secrets = await tx.getRepository(SourceSecretEntity).findBy({ sourceId: id });
    const secret = secrets.find((one) => one.id === secretId);
    if (!secret) throw notFound('There is no credential with this id.');
    if (secret.kind === 'signing') {
      const others = secrets.filter((one) => one.kind === 'signing' && one.id !== secretId && isLive(one, now));
      const { signature } = readSettings(source.settings).auth;
      if (others.length === 0 && signature !== null) {
        throw conflict('Every request must be signed with this secret. Add another one, or require no signature.');
      }
      await tx.getRepository(SourceSecretEntity).delete({ id: secretId });
      // The one that it replaced counts on: nothing else does once that has run out.
      const [before] = secret.expiresAt === null ? others : [];
      if (before) await tx.getRepository(SourceSecretEntity).update({ id: before.id }, { expiresAt: null });
    } else {
      if (secret.expiresAt === null) {
        throw conflict('This credential is the current one. Rotate it first, then expire the old one.');
      }
      if (!isLive(secret, now)) return;
      await tx.getRepository(SourceSecretEntity).update({ id: secretId }, { expiresAt: now });
    }
    announceChange(tx, id);
    await addAudit(tx, by.author, 'source_secret_ended', source.name);
  });
  await deps.sources.reload(id);
}

/** Runs `work` with the source's row locked: changes of one source run one after the other. */
async function inSource(
  { database }: SourceDeps,
  { author }: Administrator,
  id: string,
  work: (tx: Transaction, source: StoredSource) => Promise<void>,
): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const [source] = await tx.holdRows(SourceEntity, { id });
    if (!source) throw notFound('There is no source with this id.');
    await work(tx, source);
  });
}

/** Has memory and administrators' pages follow, on every server. */
const announceChange = (tx: Transaction, id: string): void =>
  announce(tx, { type: 'source_changed', sourceId: id, isEdited: true });

const nameTaken = () => conflict('A source with this name already exists.');

/** Without the fields that are absent: a spread would overwrite with `undefined`. */
export const defined = <T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
