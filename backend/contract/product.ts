import * as z from 'zod/mini';

/** The product's name. */
export const PRODUCT_NAME = 'Alertdesk';

/** The line under the name in the sidebar. */
export const PRODUCT_SUBTITLE = 'Webhook Alerts';

/** The web app's version unless the desktop app reports its own. */
export const PRODUCT_VERSION = '1.0.3';

/**
 * The build date that the About dialog shows. It belongs to the version, as docs/product.md lays it down, and not to a
 * build: two builds of one version say the same, and only a new version changes it.
 */
export const PRODUCT_BUILD_DATE = 'October 2025';

/** Where the desktop app's releases are, unless RELEASES_URL says otherwise. */
export const PRODUCT_RELEASES_URL = 'https://github.com/alertdesk/alertdesk/releases/latest';

/** Where the product's source is, unless SOURCE_URL says otherwise. */
export const PRODUCT_SOURCE_URL = 'https://github.com/alertdesk/alertdesk';

/** Answer of `GET /api/product`: the server's name and version, and where its links lead. */
export const productSchema = z.object({
  name: z.string(),
  version: z.string(),
  releasesUrl: z.url({ protocol: /^https?$/ }),
  sourceUrl: z.url({ protocol: /^https?$/ }),
});
export type Product = z.infer<typeof productSchema>;
