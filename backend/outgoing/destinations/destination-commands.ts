import { IsNull } from 'typeorm';
import { factsOf } from '#backend/contract/destination-kinds.ts';
import {
  type DestinationChange,
  MAX_DESTINATIONS,
  type NewDestination,
  ROTATION_OVERLAP_HOURS,
} from '#backend/contract/outgoing.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import {
  type CheckDeps,
  NO_PARTS,
  applyFields,
  hintOf,
  isElsewhere,
  newSigningSecret,
  otherHintsOf,
} from './check-fields.ts';
import {
  DestinationEntity,
  type HintedSecret,
  type StoredDestination,
  openSecrets,
  readSettings,
} from './destination-entity.ts';
import { KINDS } from './kinds/all-kinds.ts';

const OVERLAP_MS = ROTATION_OVERLAP_HOURS * 60 * 60 * 1000;

/** Dependencies of the commands on destinations. */
export interface DestinationDeps extends CheckDeps {
  database: Database;
  sealing: Sealing;
  /** What becomes of a destination's messages with it, in the transaction of the change. */
  messages: {
    /** All that waits is due now. */
    makeDue(tx: Transaction, id: string): Promise<unknown>;
    /** What is shown there of alerts that changed since it was paused is brought up to date. */
    catchUp(tx: Transaction, id: string, pausedAt: number): Promise<void>;
    /** They go with it, and rules do not lead there any more. */
    forget(tx: Transaction, id: string, by: OutgoingAdministrator): Promise<unknown>;
    /** What they are called where the destination led before is nothing where it leads now. */
    forgetRemotes(tx: Transaction, id: string): Promise<unknown>;
  };
}

/** Who changes a destination: for the audit trail, and by the name that other administrators see. */
export interface OutgoingAdministrator {
  author: Author;
  displayName: string;
}

export const noSuchDestination = () => notFound('There is no destination with this id.');
const nameTaken = () => conflict('Another destination has this name. Choose another one.');

/** What of a destination a change may make another, beside its fields. */
const HEALTHY = { failures: 0, failingSince: null, retryAt: null, reason: null } as const;

/**
 * Makes a destination.
 *
 * @param leaving how many of them the same transaction deletes after this
 * @returns the stored destination, and the signing secret of a webhook, which is shown this once
 * @throws {ProblemError} 409 when another one has this name or there are too many, 422 for fields that are missing or wrong
 */
export async function createDestination(
  deps: DestinationDeps,
  { author }: OutgoingAdministrator,
  { kind, name, ...written }: NewDestination,
  leaving = 0,
): Promise<{ id: string; signingSecret: string | undefined }> {
  const { settings, secrets } = applyFields(deps, kind, NO_PARTS, written);
  const id = newId();
  const stored: StoredDestination = {
    ...HEALTHY,
    id,
    kind,
    name,
    nameKey: nameKeyOf(name),
    ownerId: null,
    settings: JSON.stringify(settings),
    sealed: seal(deps.sealing, id, secrets),
    secretHint: hintOf(secrets),
    otherHints: otherHintsOf(secrets),
    connection: null,
    oldSecretUntil: null,
    pausedAt: null,
    pausedBy: null,
    lastSentAt: null,
    alarmedAt: null,
    createdAt: Date.now(),
    version: 1,
  };
  await storing(deps.database, nameTaken, () =>
    onBehalfOf(deps.database, author).transaction(async (tx) => {
      // One administrator after the other, so that there are never too many.
      await lockActiveAdmins(tx);
      const others = (await tx.getRepository(DestinationEntity).countBy({ ownerId: IsNull() })) - leaving;
      if (others >= MAX_DESTINATIONS) {
        throw conflict(`There are ${MAX_DESTINATIONS} destinations already. Delete one first.`);
      }
      await tx.getRepository(DestinationEntity).insert(stored);
      announce(tx, { type: 'outgoing_changed' });
      await addAudit(tx, author, 'destination_created', name, { detail: describe(kind, stored) });
    }),
  );
  return { id, signingSecret: secrets.signingSecret };
}

/**
 * Changes a destination. One that fails is tried again at once: what was wrong may be right now.
 *
 * @param ifVersion the version that the change was decided on
 * @returns false when it has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 409 when another one has this name, 422 for fields that are missing or wrong
 */
export async function changeDestination(
  deps: DestinationDeps,
  by: OutgoingAdministrator,
  id: string,
  { name, isPaused, ...written }: DestinationChange,
  ifVersion?: number,
): Promise<boolean> {
  return storing(deps.database, nameTaken, () =>
    inDestination(deps, by, id, async (tx, stored) => {
      if (ifVersion !== undefined && ifVersion !== stored.version) return false;
      const opened = openSecrets(deps.sealing, stored);
      const changed = Object.keys(written).filter((field) => written[field as keyof typeof written] !== undefined);
      const before = { settings: readSettings(stored), secrets: opened ?? {} };
      if (!opened && changed.length > 0) requireLost(stored, written);
      const after = !opened && changed.length === 0 ? before : applyFields(deps, stored.kind, before, written);
      // What nobody can open stays until it is entered again, or a webhook has a new secret made: its key may be found.
      const isKept = !opened && (changed.length === 0 || factsOf(stored.kind).isSigned === true);
      await tx.getRepository(DestinationEntity).update(
        { id },
        {
          ...HEALTHY,
          version: stored.version + 1,
          settings: JSON.stringify(after.settings),
          ...(!isKept && {
            sealed: seal(deps.sealing, id, after.secrets),
            secretHint: hintOf(after.secrets),
            otherHints: otherHintsOf(after.secrets),
            ...(after.secrets.appToken === undefined && { connection: null }),
          }),
          ...(name !== undefined && { name, nameKey: nameKeyOf(name) }),
          ...(isPaused === true && stored.pausedAt === null && { pausedAt: Date.now(), pausedBy: by.displayName }),
          ...(isPaused === false && { pausedAt: null, pausedBy: null }),
        },
      );
      const isSame = !opened && hintOf(after.secrets) === stored.secretHint;
      if (isElsewhere(stored.kind, isSame ? { ...before, secrets: after.secrets } : before, after))
        await deps.messages.forgetRemotes(tx, id);
      if (isPaused === false && stored.pausedAt !== null) await deps.messages.catchUp(tx, id, stored.pausedAt);
      await deps.messages.makeDue(tx, id);
      const isRenamed = name !== undefined && name !== stored.name;
      if (isRenamed || changed.length > 0) {
        const subject = isRenamed ? `${stored.name} → ${name}` : stored.name;
        const detail =
          changed.length === 0 ? undefined : changed.map((field) => FIELD_LABELS[field] ?? field).join(', ');
        await addAudit(tx, by.author, 'destination_changed', subject, { detail });
      }
      if (isPaused !== undefined && isPaused !== (stored.pausedAt !== null)) {
        await addAudit(tx, by.author, isPaused ? 'destination_paused' : 'destination_resumed', name ?? stored.name);
      }
      return true;
    }),
  );
}

/** Deletes a destination with its messages and receipts. */
export async function deleteDestination(deps: DestinationDeps, by: OutgoingAdministrator, id: string): Promise<void> {
  await inDestination(deps, by, id, async (tx, { name }) => {
    await deps.messages.forget(tx, id, by);
    await tx.getRepository(DestinationEntity).delete({ id });
    await tx.query('DELETE FROM outgoing_counts WHERE destination_id = ?', [id]);
    await addAudit(tx, by.author, 'destination_deleted', name);
  });
}

/**
 * Makes a new signing secret, which is shown this once. For a day messages are signed with the one before, too, unless no key
 * opens it any more.
 *
 * @throws {ProblemError} 404, 409 for a destination without signatures, or while the secret before is still used
 */
export async function rotateSigningSecret(
  deps: DestinationDeps,
  by: OutgoingAdministrator,
  id: string,
): Promise<string> {
  const signingSecret = newSigningSecret();
  await inDestination(deps, by, id, async (tx, stored) => {
    if (!factsOf(stored.kind).isSigned) throw conflict('Only messages of webhooks are signed.');
    const now = Date.now();
    const before = openSecrets(deps.sealing, stored);
    if (before && stored.oldSecretUntil !== null && stored.oldSecretUntil > now) {
      const until = new Date(stored.oldSecretUntil).toISOString();
      throw conflict(`The secret before is used until ${until} beside the current one. Rotate it again after that.`);
    }
    const secrets = { ...before, signingSecret, ...(before && { oldSigningSecret: before.signingSecret ?? '' }) };
    await tx.getRepository(DestinationEntity).update(
      { id },
      {
        version: stored.version + 1,
        sealed: seal(deps.sealing, id, secrets),
        secretHint: hintOf(secrets),
        oldSecretUntil: before ? now + OVERLAP_MS : null,
        // Nothing could be sent before.
        ...(!before && HEALTHY),
      },
    );
    if (!before) await deps.messages.makeDue(tx, id);
    await addAudit(tx, by.author, 'destination_secret_rotated', stored.name);
  });
  return signingSecret;
}

/** @throws {ProblemError} 422 with each secret that is lost and is neither entered again nor removed; an address is asked for later */
function requireLost({ kind, otherHints }: StoredDestination, written: DestinationChange): void {
  const others = Object.keys(JSON.parse(otherHints ?? '{}') as Partial<Record<HintedSecret, string>>) as HintedSecret[];
  const lost = [...(factsOf(kind).fields.token === undefined ? [] : (['token'] as const)), ...others];
  const errors = lost
    .filter((field) => written[field] === undefined)
    .map((path) => ({
      path,
      message: `Enter the ${FIELD_LABELS[path] ?? path} again: the one that is stored cannot be opened.`,
    }));
  if (errors.length > 0) throw unacceptable(errors.map(({ message }) => message).join(' '), errors);
}

const FIELD_LABELS: Record<string, string> = {
  url: 'address',
  appToken: 'app-level token',
  requestSecret: 'signing secret',
  ticketTemplates: 'templates of tickets',
  completesAlert: 'what closing a ticket does',
};

const describe = (kind: StoredDestination['kind'], stored: Pick<StoredDestination, 'settings'>): string => {
  const { url, topic, room, account, recipients } = readSettings(stored);
  return [KINDS[kind].label, url, topic, room, account, ...recipients].filter((part) => part !== null).join(', ');
};

const seal = (sealing: Sealing, id: string, secrets: object): string | null =>
  Object.keys(secrets).length === 0 ? null : sealing.seal(JSON.stringify(secrets), id);

/**
 * Stores something whose name is unique.
 *
 * @throws {ProblemError} `taken`, in the place of the database's error for a name that is there
 */
export async function storing<T>({ dialect }: Database, taken: () => Error, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (dialect.isDuplicate(error)) throw taken();
    throw error;
  }
}

function inDestination<T>(
  { database }: DestinationDeps,
  { author }: OutgoingAdministrator,
  id: string,
  work: (tx: Transaction, stored: StoredDestination) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const [stored] = await tx.lockRows(DestinationEntity, { id, ownerId: IsNull() });
    if (!stored) throw noSuchDestination();
    announce(tx, { type: 'outgoing_changed' });
    return work(tx, stored);
  });
}
