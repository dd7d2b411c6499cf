import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { HttpConfig } from './http-config.ts';
import { VIOLATION_REPORTS_PATH } from '#backend/contract/violation-report.ts';

/** How long browsers ask for nothing but https, in seconds: a year. */
const STRICT_TRANSPORT_SECONDS = 365 * 24 * 60 * 60;

/** Headers of every answer, also of those to senders and of errors. */
export const headersOfAll = ({ publicUrl }: Pick<HttpConfig, 'publicUrl'>): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  ...(publicUrl?.protocol === 'https:' && {
    'Strict-Transport-Security': `max-age=${STRICT_TRANSPORT_SECONDS}; includeSubDomains`,
  }),
});

/**
 * Trusted Types policies of the web app: webpack's for the parts that it loads later, and the service worker's. Nothing
 * else makes scripts of texts, or markup.
 */
const TRUSTED_TYPES = ["require-trusted-types-for 'script'", 'trusted-types alertdesk alertdesk-worker'];

/**
 * What a page of this server may load and run: only its own scripts and styles. React, Blueprint and the virtualised lists
 * set styles through the CSSOM, which needs no exception.
 */
const policyOf = (...more: readonly string[]): string =>
  [
    "default-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    ...more,
    // Browsers that know the first leave the second out.
    'report-to csp',
    `report-uri ${VIOLATION_REPORTS_PATH}`,
  ].join('; ');

const APP_POLICY = policyOf(...TRUSTED_TYPES);

/** Swagger UI writes markup of the server's own document, which its sanitiser makes as text. */
const DOCS_POLICY = policyOf();
const isDocsPage = (path: string): boolean => /^\/api\/docs\/?$/i.test(path);

/** What no page of this server asks a device for. */
const PERMISSIONS = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Headers of pages and of the API: what a page may do. */
export function securityHeaders(): Middleware {
  const setOthers = helmet({
    contentSecurityPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // In `headersOfAll`.
    strictTransportSecurity: false,
    xContentTypeOptions: false,
  });
  return (ctx, next) => {
    ctx.set({
      'Content-Security-Policy': isDocsPage(ctx.path) ? DOCS_POLICY : APP_POLICY,
      'Reporting-Endpoints': `csp="${VIOLATION_REPORTS_PATH}"`,
      'Permissions-Policy': PERMISSIONS,
    });
    return setOthers(ctx, next);
  };
}
