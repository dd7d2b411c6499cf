import * as z from 'zod/mini';

/** The product's name ("app name" in spec.md). */
export const PRODUCT_NAME = 'Alertdesk';

/** What the sidebar says under the name (spec.md section 2). */
export const PRODUCT_SUBTITLE = 'Webhook Alerts';

/** The web app's version unless the desktop app reports its own (spec.md section 9). */
export const PRODUCT_VERSION = '1.0.3';

/** When it was built, as the About dialog tells (spec.md section 9). */
export const PRODUCT_BUILD_DATE = 'October 2025';

/** Where the desktop app's releases are, unless RELEASES_URL says otherwise (spec.md section 2, Settings). */
export const PRODUCT_RELEASES_URL = 'https://github.com/alertdesk/alertdesk/releases/latest';

/** Where the product's source is, unless SOURCE_URL says otherwise (spec.md section 2, About dialog). */
export const PRODUCT_SOURCE_URL = 'https://github.com/alertdesk/alertdesk';

/** Answer of `GET /api/product`: what the server is, and where its links lead (contract.md section 1). */
export const productSchema = z.object({
  name: z.string(),
  version: z.string(),
  releasesUrl: z.url({ protocol: /^https?$/ }),
  sourceUrl: z.url({ protocol: /^https?$/ }),
});
export type Product = z.infer<typeof productSchema>;
