import type { Config } from '#backend/config.ts';
import { PRODUCT_NAME, PRODUCT_VERSION, type Product, productSchema } from '#backend/contract/product.ts';
import { type Endpoint, endpoint, ok } from '#backend/endpoint/endpoint.ts';

/**
 * Name, version and links of the server, for About and Settings. Signed-in members only: the links may
 * name hosts of an inner network.
 */
export function productRoutes({ releasesUrl, sourceUrl }: Pick<Config, 'releasesUrl' | 'sourceUrl'>): Endpoint[] {
  const product: Product = {
    name: PRODUCT_NAME,
    version: PRODUCT_VERSION,
    releasesUrl: releasesUrl.href,
    sourceUrl: sourceUrl.href,
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/product',
      tag: 'server',
      summary: "Tells the product's name and version, and where its releases and its source are.",
      who: 'member',
      responses: { 200: productSchema },
      handle: async () => ok(product),
    }),
  ];
}
