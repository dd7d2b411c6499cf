import { type EntityManager, In, IsNull } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import {
  DestinationEntity,
  type StoredDestination,
  type Target,
  readSettings,
  targetOf,
} from './destination-entity.ts';

/** The gateway of a member's phone was deleted, is paused, or its secrets are lost. */
export class GatewayError extends Error {
  override name = 'GatewayError';
}

/** Fault of a gateway whose secrets no key opens. It says something of the gateway's health, as a pause and a deletion do not. */
export const GATEWAY_LOST = "The gateway's secret cannot be opened. An administrator has to enter it again.";

/**
 * A destination with its secrets. A member's own phone is the gateway that an administrator set up, with the member's number, and
 * their own mails go to the address that their account has by now.
 *
 * @throws {GatewayError}; as `targetOf` does
 */
export async function openTarget(reads: EntityManager, sealing: Sealing, stored: StoredDestination): Promise<Target> {
  const { gatewayId, room } = readSettings(stored);
  if (gatewayId === null) return toOwner(reads, stored, targetOf(sealing, stored));
  const gateway = await findGateway(reads, gatewayId);
  const fault = faultOf(gateway);
  if (!gateway || fault !== undefined) throw new GatewayError(fault);
  return { ...openGateway(sealing, gateway), id: stored.id, name: stored.name, room };
}

async function toOwner(reads: EntityManager, { kind, ownerId }: StoredDestination, target: Target): Promise<Target> {
  if (kind !== 'mail' || ownerId === null) return target;
  const owner = await reads.getRepository(UserEntity).findOneBy({ id: ownerId });
  return owner ? { ...target, recipients: [owner.email] } : target;
}

function openGateway(sealing: Sealing, gateway: StoredDestination): Target {
  try {
    return targetOf(sealing, gateway);
  } catch (error) {
    throw new GatewayError(GATEWAY_LOST, { cause: error });
  }
}

/** Why nothing goes through a gateway; undefined of one that sends. */
function faultOf(gateway: Pick<StoredDestination, 'pausedAt'> | null | undefined): string | undefined {
  if (!gateway) return 'The gateway was deleted. Remove this channel and add another one.';
  return gateway.pausedAt === null ? undefined : 'The gateway is paused by an administrator. Try again later.';
}

/** By the ids of members' phones why nothing goes through their gateways; those whose gateway sends are not in it. */
export async function findGatewayFaults(
  reads: EntityManager,
  channels: readonly Pick<StoredDestination, 'id' | 'settings'>[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(
    channels.flatMap((one) => {
      const { gatewayId } = readSettings(one);
      return gatewayId === null ? [] : [[one.id, gatewayId] as const];
    }),
  );
  if (wanted.size === 0) return new Map();
  const found = await reads.getRepository(DestinationEntity).find({
    select: { id: true, pausedAt: true },
    where: { id: In([...new Set(wanted.values())]), kind: 'phone', ownerId: IsNull() },
  });
  const gateways = new Map(found.map((one) => [one.id, one]));
  return new Map(
    [...wanted].flatMap(([id, gatewayId]) => {
      const fault = faultOf(gateways.get(gatewayId));
      return fault === undefined ? [] : [[id, fault] as const];
    }),
  );
}

/** SQL: a destination `d` is a channel of a member whose account is disabled. What was on its way to them waits, as if it were paused. */
export const IS_OF_DISABLED = 'EXISTS (SELECT 1 FROM users u WHERE u.id = d.owner_id AND u.is_active = 0)';

/** The channels of members whose accounts are disabled. */
export async function findOfDisabled(reads: EntityManager): Promise<Set<string>> {
  const rows: { id: string }[] = await reads.query(
    `SELECT d.id AS id FROM outgoing_destinations d WHERE ${IS_OF_DISABLED}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whether messages to a destination wait: it is paused, its member is disabled, or the gateway of a member's own phone is paused. */
export async function isPaused(reads: EntityManager, stored: StoredDestination): Promise<boolean> {
  if (stored.pausedAt !== null) return true;
  if (stored.ownerId === null) return false;
  if ((await findOfDisabled(reads)).has(stored.id)) return true;
  const { gatewayId } = readSettings(stored);
  return gatewayId !== null && ((await findGateway(reads, gatewayId))?.pausedAt ?? null) !== null;
}

const findGateway = (reads: EntityManager, id: string): Promise<StoredDestination | null> =>
  reads.getRepository(DestinationEntity).findOneBy({ id, kind: 'phone', ownerId: IsNull() });
