import * as z from 'zod/mini';
import {
  type Customer,
  type SourceMute,
  alertTypeListSchema,
  alertTypeMuteBodySchema,
  alertTypeMuteInputSchema,
  customerMuteBodySchema,
  customerMuteInputSchema,
  customerMuteSchema,
  customerSchema,
  mutedNameListSchema,
  sourceMuteBodySchema,
  sourceMuteSchema,
} from '#backend/contract/mute.ts';
import { sortNames } from '#backend/contract/name.ts';
import { idListQuerySchema, nameListQuerySchema, nameSearchQuerySchema } from '#backend/contract/pages.ts';
import { type Endpoint, type Reply, endpoint, noContent } from '#backend/platform/endpoint/endpoint.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { unmuteOne } from './mute-all.ts';
import { type MuteContext, muteChangeRoutes } from './mute-change-routes.ts';
import {
  type MuteQuery,
  NAME_LIST_HEADERS,
  type NameRow,
  answerNames,
  findMutePage,
  findNamePage,
} from './name-pages.ts';

/** A customer as a list reads it; MySQL's driver gives BIGINT as text. */
interface CustomerRow {
  id: string;
  name: string;
  lastSeenAt: number | string;
}

const presentCustomer = ({ id, name, lastSeenAt }: CustomerRow): Customer => ({
  id,
  name,
  lastSeenAt: new Date(Number(lastSeenAt)).toISOString(),
});

const CUSTOMER_COLUMNS = 'id, name, last_seen_at AS lastSeenAt';

/** The member's mutes with their customers' names, by id. */
const CUSTOMER_MUTES = {
  table: 'customer_mutes',
  join: 'JOIN customers AS customer ON customer.id = mute.customer_id',
  key: 'mute.customer_id',
  columns: 'mute.customer_id AS customerId, customer.name AS name',
};

/** The customers that alerts have named, and the member's mutes of them. */
export function customerRoutes(context: MuteContext): Endpoint[] {
  const { reads } = context.database;
  const findMutes = (userId: string, query: MuteQuery) =>
    findMutePage<{ customerId: string; name: string }>(
      reads,
      { ...CUSTOMER_MUTES, userId },
      query,
      ({ customerId }) => customerId,
    );
  const answerMutes = async (userId: string, query: MuteQuery): Promise<Reply<200>> => {
    const page = await findMutes(userId, query);
    const body = page.rows.map(({ customerId }) => ({ customerId }));
    return answerNames('/api/customer-mutes', page, query, body);
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/customers',
      tag: 'customers',
      summary: 'Lists the customers that alerts have named, by name.',
      access: 'member',
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
      access: 'member',
      query: idListQuerySchema,
      responses: { 200: z.array(customerMuteSchema) },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ actor, query }) => answerMutes(actor.id, query),
    }),
    endpoint({
      method: 'GET',
      path: '/api/customer-mutes/names',
      tag: 'customers',
      summary: 'Names the customers that the member does not want to be notified of.',
      access: 'member',
      query: idListQuerySchema,
      responses: { 200: mutedNameListSchema },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ actor, query }) => {
        const page = await findMutes(actor.id, query);
        return answerNames('/api/customer-mutes/names', page, query, sortNames(page.rows.map(({ name }) => name)));
      },
    }),
    ...muteChangeRoutes(context, {
      kind: 'customer',
      tag: 'customers',
      path: '/api/customer-mutes',
      words: { one: 'a customer', every: 'every customer' },
      key: 'customerId',
      input: customerMuteInputSchema,
      body: customerMuteBodySchema,
      responses: { one: customerMuteSchema, all: z.array(customerMuteSchema) },
      unknown: 'There is no customer with this id.',
      answerMutes,
    }),
  ];
}

/** The types that alerts have named, and the member's mutes of them: both are lists of names. */
export function alertTypeRoutes(context: MuteContext): Endpoint[] {
  const { reads } = context.database;
  const answerMutes = async (userId: string, query: MuteQuery): Promise<Reply<200>> => {
    const mutes = { table: 'alert_type_mutes', key: 'alert_type', columns: 'alert_type AS name', userId };
    const page = await findMutePage<NameRow>(reads, mutes, query, ({ name }) => name);
    return answerNames('/api/alert-types/mutes', page, query, sortNames(page.rows.map(({ name }) => name)));
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/alert-types',
      tag: 'alert types',
      summary: 'Lists the types that alerts have named, by name.',
      access: 'member',
      query: nameSearchQuerySchema,
      responses: { 200: alertTypeListSchema },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ query }) => {
        const page = await findNamePage<NameRow>(reads, 'alert_types', 'name', query);
        const names = page.rows.map(({ name }) => name);
        return answerNames('/api/alert-types', page, query, names);
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alert-types/mutes',
      tag: 'alert types',
      summary: 'Lists the types that the member does not want to be notified of.',
      access: 'member',
      query: nameListQuerySchema,
      responses: { 200: alertTypeListSchema },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ actor, query }) => answerMutes(actor.id, query),
    }),
    ...muteChangeRoutes(context, {
      kind: 'alert_type',
      tag: 'alert types',
      path: '/api/alert-types/mutes',
      words: { one: 'a type', every: 'every type' },
      key: 'alertType',
      input: alertTypeMuteInputSchema,
      body: alertTypeMuteBodySchema,
      responses: { one: alertTypeMuteInputSchema, all: alertTypeListSchema },
      unknown: 'No alert has had this type so far.',
      answerMutes,
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/alert-types/mutes',
      tag: 'alert types',
      summary: 'Lets the member be notified of a type again, whatever its name: a path cannot end with “.” or “..”.',
      access: 'member',
      query: alertTypeMuteInputSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, query: { alertType } }) => {
        await unmuteOne(onBehalfOf(context.database, actor), 'alert_type', actor.id, alertType);
        return noContent();
      },
    }),
  ];
}

/** The member's mutes of sources, whose names are read at `/api/source-names`. */
export function sourceMuteRoutes(context: MuteContext): Endpoint[] {
  const { reads } = context.database;
  const answerMutes = async (userId: string, query: MuteQuery): Promise<Reply<200>> => {
    const mutes = { table: 'source_mutes', key: 'source_id', columns: 'source_id AS sourceId', userId };
    const page = await findMutePage<SourceMute>(reads, mutes, query, ({ sourceId }) => sourceId);
    return answerNames('/api/source-mutes', page, query, page.rows);
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/source-mutes',
      tag: 'sources',
      summary: 'Lists the sources that the member does not want to be notified of.',
      access: 'member',
      query: idListQuerySchema,
      responses: { 200: z.array(sourceMuteSchema) },
      responseHeaders: NAME_LIST_HEADERS,
      handle: async ({ actor, query }) => answerMutes(actor.id, query),
    }),
    ...muteChangeRoutes(context, {
      kind: 'source',
      tag: 'sources',
      path: '/api/source-mutes',
      words: { one: 'a source', every: 'every source' },
      key: 'sourceId',
      input: sourceMuteSchema,
      body: sourceMuteBodySchema,
      responses: { one: sourceMuteSchema, all: z.array(sourceMuteSchema) },
      unknown: 'There is no source with this id.',
      answerMutes,
    }),
  ];
}
