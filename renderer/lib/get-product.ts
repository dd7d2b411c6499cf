import { queryOptions } from '@tanstack/react-query';
import { type Product, productSchema } from '#backend/contract/product.ts';
import { apiGet } from './api-client.ts';

/** `GET /api/product`: the server's name and version, and where its releases and its source are. */
export const productQuery = queryOptions<Product>({
  queryKey: ['/api/product'],
  queryFn: ({ signal }) => apiGet('/api/product', productSchema, { signal }),
});
