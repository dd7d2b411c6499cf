import { type EntityManager, IsNull } from 'typeorm';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import {
  DestinationEntity,
  type StoredDestination,
  type Target,
  readSettings,
  targetOf,
} from './destination-entity.ts';

/** The gateway of a member's phone was deleted, or is paused. */
export class GatewayError extends Error {
  override name = 'GatewayError';
}

/**
 * A destination with its secrets. A member's own phone is the gateway that an administrator set up, with the member's number.
 *
 * @throws {GatewayError}; as `targetOf` does
 */
export async function openTarget(reads: EntityManager, sealing: Sealing, stored: StoredDestination): Promise<Target> {
  const { gatewayId, room } = readSettings(stored);
  if (gatewayId === null) return targetOf(sealing, stored);
  const gateway = await findGateway(reads, gatewayId);
  if (!gateway) throw new GatewayError('The gateway was deleted. Remove this channel and add another one.');
  if (gateway.pausedAt !== null) throw new GatewayError('The gateway is paused by an administrator. Try again later.');
  return { ...targetOf(sealing, gateway), id: stored.id, name: stored.name, room };
}

/** Whether messages to a destination wait: it is paused, or the gateway of a member's own phone is. */
export async function isPaused(reads: EntityManager, stored: StoredDestination): Promise<boolean> {
  const { gatewayId } = readSettings(stored);
  if (stored.pausedAt !== null || gatewayId === null) return stored.pausedAt !== null;
  return ((await findGateway(reads, gatewayId))?.pausedAt ?? null) !== null;
}

const findGateway = (reads: EntityManager, id: string): Promise<StoredDestination | null> =>
  reads.getRepository(DestinationEntity).findOneBy({ id, kind: 'phone', ownerId: IsNull() });
