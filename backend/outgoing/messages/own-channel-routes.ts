import {
  newOwnChannelSchema,
  ownChannelCodeSchema,
  ownChannelListSchema,
  ownChannelParamsSchema,
  ownChannelSchema,
  ownChannelSentSchema,
} from '#backend/contract/own-channel.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { findGatewayFaults } from '#backend/outgoing/destinations/open-target.ts';
import { administratorOf } from '#backend/outgoing/rules/rule-routes.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import {
  type ChannelOwner,
  type OwnChannelDeps,
  addChannel,
  confirmChannel,
  findGateways,
  presentChannel,
  removeChannel,
  sendCodeAgain,
  wrongCode,
} from './own-channels.ts';

const ownerOf = (actor: Actor, ip: string): ChannelOwner => ({ ...administratorOf(actor, ip), actor });

/** A member's own channels: where ladders notify them, beside pages and push. */
export function ownChannelRoutes(deps: OwnChannelDeps): Endpoint[] {
  const { reads } = deps.database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/own-channels',
      tag: 'notifications',
      summary: 'Lists the member’s own channels, by which ladders notify them beside pages and push.',
      access: 'member',
      responses: { 200: ownChannelListSchema },
      handle: async ({ actor }) => {
        const stored = await reads
          .getRepository(DestinationEntity)
          .find({ where: { ownerId: actor.id }, order: { id: 'ASC' } });
        const now = Date.now();
        const faults = await findGatewayFaults(reads, stored);
        return ok({
          channels: stored.map((one) => presentChannel(one, now, actor.email, faults.get(one.id))),
          isMailConfigured: deps.isMailConfigured,
          gateways: (await findGateways(reads)).map(({ id, name }) => ({ id, name })),
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/own-channels',
      tag: 'notifications',
      summary: 'Adds a channel and sends a code there: nothing else is sent before that was entered.',
      access: 'member',
      proof: 'always',
      body: newOwnChannelSchema,
      errors: [409, 429],
      responses: { 201: ownChannelSentSchema },
      handle: async ({ actor, ip, body }) => created(await addChannel(deps, ownerOf(actor, ip), body)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/own-channels/:id/code',
      tag: 'notifications',
      summary: 'Sends another code to a channel that is not confirmed, after half a minute at the earliest.',
      access: 'member',
      params: ownChannelParamsSchema,
      errors: [409, 429],
      responses: { 200: ownChannelSentSchema },
      handle: async ({ actor, ip, params }) => ok(await sendCodeAgain(deps, ownerOf(actor, ip), params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/own-channels/:id/confirm',
      tag: 'notifications',
      summary: 'Takes the code that was sent to a channel: from then on ladders notify the member there.',
      access: 'member',
      params: ownChannelParamsSchema,
      body: ownChannelCodeSchema,
      errors: [409],
      responses: { 200: ownChannelSchema },
      handle: async ({ actor, ip, params, body }) => {
        if (!(await confirmChannel(deps, ownerOf(actor, ip), params.id, body.code))) throw wrongCode();
        const stored = await reads.getRepository(DestinationEntity).findOneByOrFail({ id: params.id });
        const faults = await findGatewayFaults(reads, [stored]);
        return ok(presentChannel(stored, Date.now(), actor.email, faults.get(stored.id)));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/own-channels/:id',
      tag: 'notifications',
      summary: 'Removes a channel of the member with the messages that wait for it.',
      access: 'member',
      params: ownChannelParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await removeChannel(deps, ownerOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}
