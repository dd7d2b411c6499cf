import type { Database } from '#backend/database/database.ts';
import { type Endpoint, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { unavailable } from '#backend/endpoint/errors.ts';
import { PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';

/** Is the process alive, and can it do its work (contract.md section 1)? Both without sign-in. */
export function healthRoutes({ database, isStopping }: { database: Database; isStopping: () => boolean }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/healthz',
      who: 'anyone',
      handle: async () => ok({ product: PRODUCT_NAME, version: PRODUCT_VERSION, status: 'ok' }),
    }),
    endpoint({
      method: 'GET',
      path: '/readyz',
      who: 'anyone',
      handle: async () => {
        if (isStopping()) throw unavailable('The server is stopping.', 5);
        if (!(await database.isReachable())) throw unavailable('The database is not available.', 5);
        return ok({ status: 'ready' });
      },
    }),
  ];
}
