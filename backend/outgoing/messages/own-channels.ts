import { randomInt, timingSafeEqual } from 'node:crypto';
import {
  CHANNEL_CODE_MINUTES,
  CHANNEL_CODE_TRIES,
  MAX_OWN_CHANNELS,
  type NewOwnChannel,
  type OwnChannel,
  type OwnChannelSent,
} from '#backend/contract/own-channel.ts';
import { type EntityManager, IsNull } from 'typeorm';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { lockUser } from '#backend/identity/users/user.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { type DestinationParts, NO_PARTS, applyFields, hintOf } from '#backend/outgoing/destinations/check-fields.ts';
import type { Deliver } from '#backend/outgoing/destinations/deliver.ts';
import type { DestinationDeps, OutgoingAdministrator } from '#backend/outgoing/destinations/destination-commands.ts';
import {
  DestinationEntity,
  type DestinationSecrets,
  type StoredDestination,
  readSecrets,
  readSettings,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { GatewayError, openTarget } from '#backend/outgoing/destinations/open-target.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { healthOf } from '#backend/outgoing/destinations/present-destination.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';

const CODE_MS = CHANNEL_CODE_MINUTES * 60_000;

/** A code is sent again after this at the earliest, in milliseconds: nobody's phone is flooded. */
const AGAIN_MS = 30_000;

/** Dependencies of members' own channels. */
export interface OwnChannelDeps extends DestinationDeps {
  deliver: Deliver;
}

/** Who has the channels. */
export type ChannelOwner = OutgoingAdministrator & { actor: Pick<Actor, 'id' | 'email'> };

const noSuchChannel = () => notFound('You have no channel with this id.');

/** A channel as its member reads it. */
export function presentChannel(stored: StoredDestination, now: number): OwnChannel {
  const { url, topic, room, recipients } = readSettings(stored);
  const isConfirmed = stored.pausedAt === null;
  return {
    id: stored.id,
    kind: stored.kind as OwnChannel['kind'],
    name: stored.name,
    to: [url === null ? null : new URL(url).host, topic, room, ...recipients].filter((one) => one !== null).join(', '),
    isConfirmed,
    health: isConfirmed ? healthOf(stored, now) : 'paused',
    ...(isConfirmed && stored.reason !== null && { reason: stored.reason }),
    lastSentAt: stored.lastSentAt === null ? null : new Date(stored.lastSentAt).toISOString(),
  };
}

/**
 * Adds a channel of a member and sends a code there. Nothing else is sent before the member has entered it: a channel leads to
 * somebody who can read it, and who knows that it was added.
 *
 * @throws {ProblemError} 409 for too many or a name that is there, 422 for fields that are missing or wrong
 */
export async function addChannel(
  deps: OwnChannelDeps,
  owner: ChannelOwner,
  { kind, name, ...written }: NewOwnChannel,
): Promise<OwnChannelSent> {
  const { database, sealing } = deps;
  const { author, actor } = owner;
  const { settings, secrets } =
    kind === 'phone' ? await phoneOf(database.reads, written) : partsOf(deps, kind, written, actor.email);
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
  return { channel: presentChannel(stored, now), ...(await sendCode(deps, { sealing }, stored, code)) };
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

/** Sends a new code; the one before does not count any more. @throws {ProblemError} 404, 409 */
export async function sendCodeAgain(deps: OwnChannelDeps, owner: ChannelOwner, id: string): Promise<OwnChannelSent> {
  const now = Date.now();
  const { code, confirmation } = newCode(now);
  const stored = await inChannel(deps, owner, id, async (tx, before) => {
    const secrets = readSecrets(deps.sealing, before);
    const known = readConfirmation(secrets.confirmation);
    if (!known) throw conflict('This channel is confirmed already.');
    if (known.until - CODE_MS + AGAIN_MS > now)
      throw conflict('A code was sent a moment ago. Try again in half a minute.');
    const sealed = seal(deps, id, { ...secrets, confirmation });
    await tx.getRepository(DestinationEntity).update({ id }, { sealed, version: before.version + 1 });
    return { ...before, sealed };
  });
  return { channel: presentChannel(stored, now), ...(await sendCode(deps, deps, stored, code)) };
}

/**
 * Takes the code that was sent to a channel: from then on ladders notify the member there.
 *
 * @returns false for a wrong code, which is counted
 * @throws {ProblemError} 404, 409 once it is confirmed, or the code has run out
 */
export const confirmChannel = (deps: OwnChannelDeps, owner: ChannelOwner, id: string, code: string): Promise<boolean> =>
  inChannel(deps, owner, id, async (tx, before) => {
    const { confirmation, ...secrets } = readSecrets(deps.sealing, before);
    const known = readConfirmation(confirmation);
    if (!known) throw conflict('This channel is confirmed already.');
    if (known.until < Date.now() || known.tries <= 0) throw conflict('The code has run out. Have another one sent.');
    const isRight = timingSafeEqual(Buffer.from(known.code), Buffer.from(code));
    const left = isRight ? secrets : { ...secrets, confirmation: textOf({ ...known, tries: known.tries - 1 }) };
    await tx
      .getRepository(DestinationEntity)
      .update(
        { id },
        { sealed: seal(deps, id, left), version: before.version + 1, ...(isRight && { pausedAt: null }) },
      );
    if (isRight) await addAudit(tx, owner.author, 'channel_confirmed', before.name);
    return isRight;
  });

/** Removes a channel with what waits for it. @throws {ProblemError} 404 */
export const removeChannel = (deps: OwnChannelDeps, owner: ChannelOwner, id: string): Promise<void> =>
  inChannel(deps, owner, id, async (tx, { name }) => {
    await deps.messages.forget(tx, id);
    await tx.getRepository(DestinationEntity).delete({ id });
    await tx.query('DELETE FROM outgoing_counts WHERE destination_id = ?', [id]);
    await addAudit(tx, owner.author, 'channel_deleted', name);
  });

/** A code that waits to be entered. */
interface Confirmation {
  code: string;
  /** Milliseconds since the epoch. */
  until: number;
  /** How often it may still be entered. */
  tries: number;
}

const textOf = ({ code, until, tries }: Confirmation): string => `${code} ${until} ${tries}`;

function readConfirmation(text: string | undefined): Confirmation | undefined {
  if (text === undefined) return undefined;
  const [code = '', until, tries] = text.split(' ');
  return { code, until: Number(until), tries: Number(tries) };
}

function newCode(now: number): { code: string; confirmation: string } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, confirmation: textOf({ code, until: now + CODE_MS, tries: CHANNEL_CODE_TRIES }) };
}

async function sendCode(
  { database, deliver }: OwnChannelDeps,
  { sealing }: Pick<OwnChannelDeps, 'sealing'>,
  stored: StoredDestination,
  code: string,
): Promise<Omit<OwnChannelSent, 'channel'>> {
  const payload = codeMessage(code);
  const target = await openTarget(database.reads, sealing, stored).catch((error: unknown) => {
    if (error instanceof GatewayError) return error;
    throw error;
  });
  if (target instanceof GatewayError) return { isDelivered: false, message: target.message };
  const { outcome, answer } = await deliver(target, { id: newId(), payload }, new AbortController().signal);
  return outcome === 'sent'
    ? { isDelivered: true, message: 'A code was sent there. Enter it to use the channel.' }
    : { isDelivered: false, message: `The code could not be sent: ${answer}` };
}

const codeMessage = (code: string): OutgoingPayload =>
  contentOf(
    {
      ...SAMPLE_ALERT,
      title: 'Your own channel',
      customer: null,
      alertType: null,
      sourceName: null,
      severity: null,
      receivedAt: Date.now(),
      payload: '{}',
    },
    {
      event: 'note',
      at: Date.now(),
      by: null,
      isTest: true,
      note: { author: 'Alertdesk', text: `Your code is ${code}. Enter it in Settings to be notified here.` },
    },
    undefined,
  );

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
