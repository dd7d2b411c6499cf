import { customerMuteInputSchema } from '#backend/contract/mute.ts';
import type { Database } from '#backend/database/database.ts';
import { insertIfAbsent } from '#backend/database/insert-if-absent.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import { CustomerEntity } from './customer-entity.ts';
import { CustomerMuteEntity } from './customer-mute-entity.ts';
import { presentCustomer } from './present-customer.ts';

/** The customers that alerts have named, and which of them the member has muted (spec.md section 7). */
export function customerRoutes({ database }: { database: Database }): Endpoint[] {
  const customers = database.reads.getRepository(CustomerEntity);
  const mutes = database.reads.getRepository(CustomerMuteEntity);
  return [
    endpoint({
      method: 'GET',
      path: '/api/customers',
      who: 'member',
      handle: async () => ok((await customers.find({ order: { name: 'ASC' } })).map(presentCustomer)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/customer-mutes',
      who: 'member',
      handle: async ({ actor }) => {
        const own = await mutes.find({ where: { userId: actor.id }, order: { customerId: 'ASC' } });
        return ok(own.map(({ customerId }) => ({ customerId })));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/customer-mutes',
      who: 'member',
      body: customerMuteInputSchema,
      handle: async ({ actor, body: { customerId } }) => {
        if (!(await customers.existsBy({ id: customerId }))) throw notFound('There is no customer with this id.');
        await insertIfAbsent(database, CustomerMuteEntity, { userId: actor.id, customerId });
        return created({ customerId });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/customer-mutes/:customerId',
      who: 'member',
      params: customerMuteInputSchema,
      handle: async ({ actor, params: { customerId } }) => {
        await database.transaction((tx) =>
          tx.getRepository(CustomerMuteEntity).delete({ userId: actor.id, customerId }),
        );
        return noContent();
      },
    }),
  ];
}
