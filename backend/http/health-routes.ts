import type { Database } from '#backend/database/database.ts';
import { type Endpoint, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { databaseDamaged, unavailable } from '#backend/endpoint/errors.ts';
import { healthSchema, readinessSchema } from '#backend/contract/health.ts';
import { PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';

/** Is the process alive, and can it do its work? Both without sign-in, because probes have no session. */
export function healthRoutes({ database, isStopping }: { database: Database; isStopping: () => boolean }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/healthz',
      tag: 'server',
      summary: 'Tells that the process is alive.',
      who: 'anyone',
      responses: { 200: healthSchema },
      handle: async () => ok({ product: PRODUCT_NAME, version: PRODUCT_VERSION, status: 'ok' }),
    }),
    endpoint({
      method: 'GET',
      path: '/readyz',
      tag: 'server',
      summary: 'Tells that the server can do its work: the database answers and its tables are up to date.',
      who: 'anyone',
      responses: { 200: readinessSchema },
      handle: async () => {
        if (isStopping()) throw unavailable('The server is stopping.', 5);
        const state = await database.check();
        if (state === 'damaged') throw databaseDamaged();
        if (state === 'unreachable') throw unavailable('The database is not available.', 5);
        return ok({ status: 'ready' });
      },
    }),
  ];
}
