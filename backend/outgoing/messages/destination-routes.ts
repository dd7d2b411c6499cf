import { IsNull } from 'typeorm';
import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import type { KindField } from '#backend/contract/destination-kinds.ts';
import { byName } from '#backend/contract/name.ts';
import {
  type Destination,
  destinationChangeSchema,
  destinationDraftSchema,
  destinationListSchema,
  destinationSchema,
  destinationWithSecretSchema,
  newDestinationSchema,
  outgoingIdParamsSchema,
  outgoingPreviewSchema,
} from '#backend/contract/outgoing.ts';
import { outgoingTestResultSchema } from '#backend/contract/outgoing-test.ts';
import {
  changeDestination,
  createDestination,
  deleteDestination,
  noSuchDestination,
  rotateSigningSecret,
} from '#backend/outgoing/destinations/destination-commands.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { presentDestination } from '#backend/outgoing/destinations/present-destination.ts';
import { administratorOf } from '#backend/outgoing/rules/rule-routes.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { readUse } from './receipts.ts';
import { type TryDeps, previewMessage, testDestination } from './try-destination.ts';

/**
 * Fields of a destination that decide where messages go, or by whose right. A template of a phone gateway may name the number
 * that is called.
 */
const WHERE = [
  'url',
  'headers',
  'template',
  'topic',
  'room',
  'account',
  'token',
  'appToken',
  'requestSecret',
  'recipients',
] as const satisfies KindField[];
const leadsElsewhere = (body: Partial<Record<KindField, unknown>>): boolean =>
  WHERE.some((field) => body[field] !== undefined);

/** Destinations that alerts are sent to: for administrators. */
export function destinationRoutes(deps: TryDeps): Endpoint[] {
  const { reads } = deps.database;
  const list = async (): Promise<Destination[]> => {
    const now = Date.now();
    const [stored, useOf] = [
      await reads.getRepository(DestinationEntity).findBy({ ownerId: IsNull() }),
      await readUse(reads, now),
    ];
    return stored
      .toSorted((one, other) => byName(one.name, other.name))
      .map((one) => presentDestination(one, useOf(one.id), now));
  };
  const find = async (id: string): Promise<Destination> => {
    const now = Date.now();
    const stored = await reads.getRepository(DestinationEntity).findOneBy({ id, ownerId: IsNull() });
    if (!stored) throw noSuchDestination();
    return presentDestination(stored, (await readUse(reads, now))(id), now);
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/outgoing/destinations',
      tag: 'outgoing',
      summary: 'Lists the destinations that alerts are sent to, by name, with their health.',
      access: ['admin'],
      responses: { 200: destinationListSchema },
      handle: async () => ok({ destinations: await list(), isMailConfigured: deps.isMailConfigured }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/destinations',
      tag: 'outgoing',
      summary: 'Makes a destination; the signing secret of a webhook is shown this once.',
      access: ['admin'],
      proof: 'always',
      body: newDestinationSchema,
      errors: [409],
      responses: { 201: destinationWithSecretSchema },
      handle: async ({ actor, ip, body }) => {
        const { id, signingSecret } = await createDestination(deps, administratorOf(actor, ip), body);
        return created({ destination: await find(id), ...(signingSecret !== undefined && { signingSecret }) });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/outgoing/destinations/:id',
      tag: 'outgoing',
      summary: 'One destination.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      responses: { 200: destinationSchema },
      handle: async ({ params }) => ok(await find(params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/outgoing/destinations/:id',
      tag: 'outgoing',
      summary: 'Changes a destination, or pauses it; absent fields stay. One that fails is tried again at once.',
      access: ['admin'],
      proof: ({ body }) => leadsElsewhere(body),
      params: outgoingIdParamsSchema,
      query: versionQuerySchema,
      body: destinationChangeSchema,
      errors: [409],
      responses: { 200: destinationSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeDestination(deps, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const destination = await find(params.id);
        if (!isDone) throw changedMeanwhile('destination', jsonText(JSON.stringify(destination)));
        return ok(destination);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/outgoing/destinations/:id',
      tag: 'outgoing',
      summary: 'Deletes a destination with the messages that wait for it and its receipts.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await deleteDestination(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/destinations/:id/rotate-secret',
      tag: 'outgoing',
      summary: 'Makes a new signing secret, shown this once; for a day messages are signed with the one before, too.',
      access: ['admin'],
      proof: 'always',
      params: outgoingIdParamsSchema,
      errors: [409],
      responses: { 200: destinationWithSecretSchema },
      handle: async ({ actor, ip, params }) => {
        const signingSecret = await rotateSigningSecret(deps, administratorOf(actor, ip), params.id);
        return ok({ destination: await find(params.id), signingSecret });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/preview',
      tag: 'outgoing',
      summary: 'Shows the message that a destination would be sent, as it is written, saved or not. Nothing is sent.',
      access: ['admin'],
      body: destinationDraftSchema,
      errors: [404],
      responses: { 200: outgoingPreviewSchema },
      handle: async ({ actor, body }) => ok(await previewMessage(deps, body, actor.displayName)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/test',
      tag: 'outgoing',
      summary: 'Sends a test message to a destination as it is written, saved or not, and says what became of it.',
      access: ['admin'],
      proof: ({ body }) => leadsElsewhere(body),
      body: destinationDraftSchema,
      errors: [404],
      responses: { 200: outgoingTestResultSchema },
      handle: async ({ actor, ip, body }) => ok(await testDestination(deps, body, administratorOf(actor, ip))),
    }),
  ];
}
