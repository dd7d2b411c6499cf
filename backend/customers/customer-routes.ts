import * as z from 'zod/mini';
import { customerIdListQuerySchema, nameSearchQuerySchema } from '#backend/contract/name-list.ts';
import {
  bulkMuteSchema,
  customerMuteInputSchema,
  customerMuteSchema,
  customerSchema,
  mutedNameListSchema,
} from '#backend/contract/mute.ts';
import { sortNames } from '#backend/contract/name-order.ts';
import type { Database } from '#backend/database/database.ts';
import { type Endpoint, type Reply, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import { muteOne, muteAll } from '#backend/names/mute-all.ts';
import {
  type MuteQuery,
  NAME_LIST_HEADERS,
  answerNames,
  findMutePage,
  findNamePage,
} from '#backend/names/name-pages.ts';
import { CustomerMuteEntity } from './customer-mute-entity.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { type CustomerRow, presentCustomer } from './present-customer.ts';

const CUSTOMER_COLUMNS = 'id, name, last_seen_at AS lastSeenAt';

/** The member's mutes with their customers' names, by id. */
const MUTES = {
  table: 'customer_mutes',
  join: 'JOIN customers AS customer ON customer.id = mute.customer_id',
  key: 'mute.customer_id',
  columns: 'mute.customer_id AS customerId, customer.name AS name',
};

/** The customers that alerts have named, and the member's mutes of them. */
export function customerRoutes({ database, events }: { database: Database; events: EventBus }): Endpoint[] {
  const { reads } = database;
  const findMutes = (userId: string, query: MuteQuery) =>
    findMutePage<{ customerId: string; name: string }>(
      reads,
      { ...MUTES, userId },
      query,
      ({ customerId }) => customerId,
    );
  const answerMutes = async (userId: string, query: MuteQuery): Promise<Reply<200>> => {
    const page = await findMutes(userId, query);
    const body = page.rows.map(({ customerId }) => ({ customerId }));
    return answerNames('/api/customer-mutes', page, query, body);
  };
  /** The member's other windows follow. */
  const publishChanged = (userId: string) => events.publish({ type: 'notification_settings_changed', userId });
  return [
    endpoint({
      method: 'GET',
      path: '/api/customers',
      tag: 'customers',
      summary: 'Lists the customers that alerts have named, by name.',
      who: 'member',
      query: nameSearchQuerySchema,
      responses: { 200: z.array(customerSchema) },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ query }) => {
        const page = await findNamePage<CustomerRow>(reads, 'customers', CUSTOMER_COLUMNS, query);
        return answerNames('/api/customers', page, query, page.rows.map(presentCustomer));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/customer-mutes',
      tag: 'customers',
      summary: 'Lists the customers that the member does not want to be notified of.',
      who: 'member',
      query: customerIdListQuerySchema,
      responses: { 200: z.array(customerMuteSchema) },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ actor, query }) => answerMutes(actor.id, query),
    }),
    endpoint({
      method: 'GET',
      path: '/api/customer-mutes/names',
      tag: 'customers',
      summary: 'Names the customers that the member does not want to be notified of.',
      who: 'member',
      query: customerIdListQuerySchema,
      responses: { 200: mutedNameListSchema },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ actor, query }) => {
        const page = await findMutes(actor.id, query);
        return answerNames('/api/customer-mutes/names', page, query, sortNames(page.rows.map(({ name }) => name)));
      },
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
        if (!(await muteOne(onBehalfOf(database, actor), 'customer', actor.id, customerId)))
          throw notFound('There is no customer with this id.');
        publishChanged(actor.id);
        return created({ customerId });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/customer-mutes/bulk',
      tag: 'customers',
      summary:
        'Mutes every customer for the member, or none any more, and lists the mutes that are left (10,000 at most).',
      who: 'member',
      body: bulkMuteSchema,
      responses: { 200: z.array(customerMuteSchema) },
      handle: async ({ actor, body: { muted } }) => {
        // Also after a failure: some of them may have changed.
        await muteAll(onBehalfOf(database, actor), 'customer', actor.id, muted).finally(() => publishChanged(actor.id));
        const { body } = await answerMutes(actor.id, {});
        return ok(body);
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
        publishChanged(actor.id);
        return noContent();
      },
    }),
  ];
}
