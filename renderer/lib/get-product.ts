import { queryOptions } from '@tanstack/react-query';
import { type Product, productSchema } from '#backend/contract/product.ts';
import { apiGet } from './api-client.ts';

/** `GET /api/product`: what the server is, and where its releases and its source are (contract.md section 1). */
export const productQuery = queryOptions<Product>({
  queryKey: ['/api/product'],
  queryFn: ({ signal }) => apiGet('/api/product', productSchema, { signal }),
});
