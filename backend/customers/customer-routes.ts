import { bulkMuteSchema, customerMuteInputSchema, customerMuteSchema, customerSchema } from '#backend/contract/mute.ts';
import { byName } from '#backend/contract/name-order.ts';
import type { Database } from '#backend/database/database.ts';
import { insertIfAbsent } from '#backend/database/insert-if-absent.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { CustomerEntity } from './customer-entity.ts';
import { CustomerMuteEntity } from './customer-mute-entity.ts';
import { muteAllCustomers } from './mute-all-customers.ts';
import { presentCustomer } from './present-customer.ts';

/** The customers that alerts have named, and which of them the member has muted (spec.md section 7). */
export function customerRoutes({ database, events }: { database: Database; events: EventBus }): Endpoint[] {
  const customers = database.reads.getRepository(CustomerEntity);
  const mutes = database.reads.getRepository(CustomerMuteEntity);
  const mutesOf = async (userId: string) => {
    const own = await mutes.find({ where: { userId }, order: { customerId: 'ASC' } });
    return own.map(({ customerId }) => ({ customerId }));
  };
  /** The member's other windows follow. */
  const tellChanged = (userId: string) => events.publish({ type: 'notification_settings_changed', userId });
  return [
    endpoint({
      method: 'GET',
      path: '/api/customers',
      tag: 'customers',
      summary: 'Lists every customer that alerts have named, by name.',
      who: 'member',
      responses: { 200: customerSchema.array() },
      handle: async () => {
        const known = await customers.find();
        return ok(known.sort((one, other) => byName(one.name, other.name)).map(presentCustomer));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/customer-mutes',
      tag: 'customers',
      summary: 'Lists the customers that the member does not want to be notified of.',
      who: 'member',
      responses: { 200: customerMuteSchema.array() },
      handle: async ({ actor }) => ok(await mutesOf(actor.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/customer-mutes',
      tag: 'customers',
      summary: 'Mutes a customer for the member.',
      who: 'member',
      body: customerMuteInputSchema,
      responses: { 201: customerMuteSchema },
      refusals: [404],
      handle: async ({ actor, body: { customerId } }) => {
        if (!(await customers.existsBy({ id: customerId }))) throw notFound('There is no customer with this id.');
        await insertIfAbsent(onBehalfOf(database, actor), CustomerMuteEntity, { userId: actor.id, customerId });
        tellChanged(actor.id);
        return created({ customerId });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/customer-mutes/bulk',
      tag: 'customers',
      summary: 'Mutes every customer for the member, or none any more, and lists the mutes that are left.',
      who: 'member',
      body: bulkMuteSchema,
      responses: { 200: customerMuteSchema.array() },
      handle: async ({ actor, body: { muted } }) => {
        await muteAllCustomers(onBehalfOf(database, actor), actor.id, muted);
        tellChanged(actor.id);
        return ok(await mutesOf(actor.id));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/customer-mutes/:customerId',
      tag: 'customers',
      summary: 'Lets the member be notified of a customer again.',
      who: 'member',
      params: customerMuteInputSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, params: { customerId } }) => {
        await onBehalfOf(database, actor).transaction((tx) =>
          tx.getRepository(CustomerMuteEntity).delete({ userId: actor.id, customerId }),
        );
        tellChanged(actor.id);
        return noContent();
      },
    }),
  ];
}
