/** The product's name ("app name" in spec.md). */
export const PRODUCT_NAME = 'Alertdesk';

/** What the sidebar says under the name (spec.md section 2). */
export const PRODUCT_SUBTITLE = 'Webhook Alerts';

/** The web app's version unless the desktop app reports its own (spec.md section 9). */
export const PRODUCT_VERSION = '1.0.3';
