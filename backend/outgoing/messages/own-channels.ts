import { timingSafeEqual } from 'node:crypto';
import {
  MAX_OWN_CHANNELS,
  type NewOwnChannel,
  type OwnChannel,
  type OwnChannelSent,
} from '#backend/contract/own-channel.ts';
import { type EntityManager, IsNull } from 'typeorm';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { findUser, lockUser } from '#backend/identity/users/user.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { type DestinationParts, NO_PARTS, applyFields, hintOf } from '#backend/outgoing/destinations/check-fields.ts';
import type { DestinationDeps, OutgoingAdministrator } from '#backend/outgoing/destinations/destination-commands.ts';
import {
  DestinationEntity,
  type DestinationSecrets,
  type StoredDestination,
  openSecrets,
  readSettings,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { healthOf } from '#backend/outgoing/destinations/present-destination.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { CODE_MS, type CodeDeps, countCode, newCode, readConfirmation, sendCode, textOf } from './channel-codes.ts';

/** A code is sent again after this at the earliest, in milliseconds: nobody's phone is flooded. */
const AGAIN_MS = 30_000;

/** Dependencies of members' own channels. */
export interface OwnChannelDeps extends DestinationDeps, Pick<CodeDeps, 'codeLimit' | 'deliver'> {
  securityMails: SecurityMails;
}

/** Who has the channels. */
export type ChannelOwner = OutgoingAdministrator & { actor: Pick<Actor, 'id' | 'email'> };

const noSuchChannel = () => notFound('You have no channel with this id.');

/**
 * A channel as its member reads it.
 *
 * @param email the address of their account by now, to which their mails go
 * @param gatewayFault why nothing goes through the gateway of a phone, where that is so
 */
export function presentChannel(
  stored: StoredDestination,
  now: number,
  email: string,
  gatewayFault?: string,
): OwnChannel {
  const { url, topic, room } = readSettings(stored);
  const recipient = stored.kind === 'mail' ? email : null;
  const isConfirmed = stored.pausedAt === null;
  const reason = gatewayFault ?? stored.reason;
  const health = gatewayFault === undefined ? healthOf(stored, now) : 'failing';
  return {
    id: stored.id,
    kind: stored.kind as OwnChannel['kind'],
    name: stored.name,
    to: [url === null ? null : new URL(url).host, topic, room, recipient].filter((one) => one !== null).join(', '),
    isConfirmed,
    health: isConfirmed ? health : 'paused',
    ...(isConfirmed && reason !== null && { reason }),
    lastSentAt: stored.lastSentAt === null ? null : new Date(stored.lastSentAt).toISOString(),
  };
}

/**
 * Adds a channel of a member and sends a code there. Nothing else is sent before the member has entered it: a channel leads to
 * somebody who can read it, and who knows that it was added.
 *
 * @throws {ProblemError} 409 for too many or a name that is there, 422 for fields that are missing or wrong, 429 after too many codes
 */
export async function addChannel(
  deps: OwnChannelDeps,
  owner: ChannelOwner,
  { kind, name, ...written }: NewOwnChannel,
): Promise<OwnChannelSent> {
  const { database } = deps;
  const { author, actor } = owner;
  const { settings, secrets } =
    kind === 'phone' ? await phoneOf(database.reads, written) : partsOf(deps, kind, written, actor.email);
  await countCode(deps, actor.id);
  const id = newId();
  const now = Date.now();
  const { code, confirmation } = newCode(now);
  const stored: StoredDestination = {
    id,
    kind,
    name,
    nameKey: `${nameKeyOf(name)}@${actor.id}`.slice(-200),
    ownerId: actor.id,
    settings: JSON.stringify(settings),
    sealed: seal(deps, id, { ...secrets, confirmation }),
    secretHint: hintOf(secrets),
    otherHints: null,
    connection: null,
    oldSecretUntil: null,
    pausedAt: now,
    pausedBy: null,
    failures: 0,
    failingSince: null,
    retryAt: null,
    reason: null,
    lastSentAt: null,
    alarmedAt: null,
    createdAt: now,
    version: 1,
  };
  try {
    await onBehalfOf(database, author).transaction(async (tx) => {
      // One window after the other, so that there are never too many.
      await lockUser(tx, actor.id);
      if ((await tx.getRepository(DestinationEntity).countBy({ ownerId: actor.id })) >= MAX_OWN_CHANNELS)
        throw conflict(`You have ${MAX_OWN_CHANNELS} channels already. Remove one first.`);
      await tx.getRepository(DestinationEntity).insert(stored);
      await addAudit(tx, author, 'channel_created', name, { detail: KINDS[kind].label });
    });
  } catch (error) {
    if (database.dialect.isDuplicate(error))
      throw conflict('Another channel of yours has this name. Choose another one.');
    throw error;
  }
  return { channel: presentChannel(stored, now, actor.email), ...(await sendCode(deps, stored, code)) };
}

/** A channel that a member describes as administrators describe a destination. */
function partsOf(
  deps: OwnChannelDeps,
  kind: Exclude<NewOwnChannel['kind'], 'phone'>,
  { gatewayId, number, ...written }: Omit<NewOwnChannel, 'kind' | 'name'>,
  email: string,
): DestinationParts {
  const errors = [
    ...(gatewayId === undefined ? [] : [{ path: 'gatewayId', message: 'A gateway is of phones alone.' }]),
    ...(number === undefined ? [] : [{ path: 'number', message: 'A number is of phones alone.' }]),
  ];
  if (errors.length > 0) throw unacceptable(errors.map(({ message }) => message).join(' '), errors);
  return applyFields(deps, kind, NO_PARTS, kind === 'mail' ? { ...written, recipients: [email] } : written);
}

/** A phone: a gateway of the administrators, and the member's number. @throws {ProblemError} 422 */
async function phoneOf(
  reads: EntityManager,
  { gatewayId, number, ...others }: Omit<NewOwnChannel, 'kind' | 'name'>,
): Promise<DestinationParts> {
  const isThere = (await findGateways(reads)).some(({ id }) => id === gatewayId);
  const errors = [
    ...(gatewayId !== undefined && isThere ? [] : [{ path: 'gatewayId', message: 'Choose a gateway.' }]),
    ...(number === undefined ? [{ path: 'number', message: 'Enter a number with its country.' }] : []),
    ...Object.entries(others).flatMap(([path, value]) =>
      value === undefined ? [] : [{ path, message: `A phone has no ${path}.` }],
    ),
  ];
  if (errors.length > 0) throw unacceptable(errors.map(({ message }) => message).join(' '), errors);
  return {
    settings: { ...NO_PARTS.settings, gatewayId: gatewayId ?? null, room: number ?? null },
    secrets: {},
  };
}

/** Gateways by which members may be reached on their phones. */
export const findGateways = (reads: EntityManager): Promise<Pick<StoredDestination, 'id' | 'name'>[]> =>
  reads.getRepository(DestinationEntity).find({
    select: { id: true, name: true },
    where: { kind: 'phone', ownerId: IsNull(), pausedAt: IsNull() },
    order: { name: 'ASC' },
  });

/** Sends a new code; the one before does not count any more. @throws {ProblemError} 404, 409, 429 after too many */
export async function sendCodeAgain(deps: OwnChannelDeps, owner: ChannelOwner, id: string): Promise<OwnChannelSent> {
  // First: the code that was sent before counts where no other is sent.
  await countCode(deps, owner.actor.id);
  const now = Date.now();
  const { code, confirmation } = newCode(now);
  const stored = await inChannel(deps, owner, id, async (tx, before) => {
    const secrets = secretsOf(deps, before);
    const known = readConfirmation(secrets.confirmation);
    if (!known) throw conflict('This channel is confirmed already.');
    if (known.until - CODE_MS + AGAIN_MS > now)
      throw conflict('A code was sent a moment ago. Try again in half a minute.');
    const sealed = seal(deps, id, { ...secrets, confirmation });
    await tx.getRepository(DestinationEntity).update({ id }, { sealed, version: before.version + 1 });
    return { ...before, sealed };
  });
  return { channel: presentChannel(stored, now, owner.actor.email), ...(await sendCode(deps, stored, code)) };
}

/**
 * Takes the code that was sent to a channel: from then on ladders notify the member there.
 *
 * @returns false for a wrong code, which is counted
 * @throws {ProblemError} 404, 409 once it is confirmed, or the code has run out
 */
export const confirmChannel = (deps: OwnChannelDeps, owner: ChannelOwner, id: string, code: string): Promise<boolean> =>
  inChannel(deps, owner, id, async (tx, before) => {
    const { confirmation, ...secrets } = secretsOf(deps, before);
    const known = readConfirmation(confirmation);
    if (!known) throw conflict('This channel is confirmed already.');
    if (known.until < Date.now() || known.tries <= 0) throw conflict('The code has run out. Have another one sent.');
    const isRight = timingSafeEqual(Buffer.from(known.code), Buffer.from(code));
    const left = isRight ? secrets : { ...secrets, confirmation: textOf({ ...known, tries: known.tries - 1 }) };
    await tx.getRepository(DestinationEntity).update(
      { id },
      // A channel without secrets can be used whatever becomes of the key.
      {
        sealed: Object.keys(left).length === 0 ? null : seal(deps, id, left),
        version: before.version + 1,
        ...(isRight && { pausedAt: null }),
      },
    );
    if (!isRight) return false;
    await addAudit(tx, owner.author, 'channel_confirmed', before.name);
    // Whoever is signed in as a member may add it. What goes to their own e-mail they read there.
    const user = before.kind === 'mail' ? null : await findUser(tx, owner.actor.id);
    const detail = `${KINDS[before.kind].label}: ${before.name}`;
    if (user) await deps.securityMails.add(tx, user, 'channel_confirmed', owner.author, { detail });
    return true;
  });

/** Removes a channel with what waits for it. @throws {ProblemError} 404 */
export const removeChannel = (deps: OwnChannelDeps, owner: ChannelOwner, id: string): Promise<void> =>
  inChannel(deps, owner, id, async (tx, { name }) => {
    await deps.messages.forget(tx, id, owner);
    await tx.getRepository(DestinationEntity).delete({ id });
    await tx.query('DELETE FROM outgoing_counts WHERE destination_id = ?', [id]);
    await addAudit(tx, owner.author, 'channel_deleted', name);
  });

/** @throws {ProblemError} 409 where no key opens them */
function secretsOf({ sealing }: OwnChannelDeps, stored: StoredDestination): DestinationSecrets {
  const secrets = openSecrets(sealing, stored);
  if (!secrets) throw conflict('Its code and secret cannot be opened. Remove this channel and add it again.');
  return secrets;
}

const seal = ({ sealing }: Pick<OwnChannelDeps, 'sealing'>, id: string, secrets: DestinationSecrets): string =>
  sealing.seal(JSON.stringify(secrets), id);

function inChannel<T>(
  { database }: OwnChannelDeps,
  { author, actor }: ChannelOwner,
  id: string,
  work: (tx: Transaction, stored: StoredDestination) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const [stored] = await tx.lockRows(DestinationEntity, { id, ownerId: actor.id });
    if (!stored) throw noSuchChannel();
    return work(tx, stored);
  });
}

/** 422 for a code that is not the one that was sent. */
export const wrongCode = () => {
  const message = 'This is not the code that was sent last.';
  return unacceptable(message, [{ path: 'code', message }]);
};
