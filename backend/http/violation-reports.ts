import type { Logger } from '#backend/platform/logger/logger.ts';
import {
  VIOLATION_REPORTS_PATH,
  type ViolationReport,
  violationReportSchema,
} from '#backend/contract/violation-report.ts';
import { type Endpoint, endpoint, noContent } from '#backend/platform/endpoint/endpoint.ts';
import { maskSegments } from '#backend/intake/delivery-log/mask-request.ts';

/** Largest body in bytes: a browser gathers a few reports. */
const MAX_BYTES = 16 * 1024;

/** Lines that are logged in a minute at most: anybody may post here. */
const MAX_LINES = 20;
const WINDOW_MS = 60_000;

/** What is logged of a violation. */
export interface Violation {
  /** The directive that was violated. */
  directive: string;
  /** What was blocked: `inline`, `eval` and the like, or the origin of an address. */
  blocked: string;
  /** The path of the page. */
  page: string;
}

const textIn = (fields: Record<string, unknown>, ...names: string[]): string => {
  const value = names.map((name) => fields[name]).find((one) => typeof one === 'string');
  return typeof value === 'string' ? value : '';
};

/** A word of a policy; anything else that a stranger sends is not repeated. */
const wordOf = (text: string): string => /^[a-z][a-z-]{0,40}/.exec(text)?.[0] ?? 'other';

const blockedOf = (text: string): string =>
  URL.canParse(text) && new URL(text).origin !== 'null' ? new URL(text).origin.slice(0, 200) : wordOf(text);

const pageOf = (text: string): string => (URL.canParse(text) ? maskSegments(new URL(text).pathname).slice(0, 200) : '');

/**
 * The violations of a report, by what may stand in a log: no queries and fragments, no tokens of paths, no samples of
 * scripts.
 */
export function violationsIn(report: ViolationReport): Violation[] {
  const bodies = Array.isArray(report)
    ? report.filter(({ type }) => type === 'csp-violation').map(({ body }) => body)
    : [report['csp-report']];
  return bodies.map((body) => ({
    directive: wordOf(textIn(body, 'effectiveDirective', 'effective-directive', 'violated-directive')),
    blocked: blockedOf(textIn(body, 'blockedURL', 'blocked-uri')),
    page: pageOf(textIn(body, 'documentURL', 'document-uri')),
  }));
}

/** Where browsers report violations of the content security policy: lines of the log, so many in a minute at most. */
export function violationRoutes(
  { logger }: { logger: Logger },
  now: () => number = () => performance.now(),
): Endpoint[] {
  let window = { startedAt: -Infinity, lines: 0, leftOut: 0 };
  return [
    endpoint({
      method: 'POST',
      path: VIOLATION_REPORTS_PATH,
      tag: 'server',
      summary: 'Takes reports of browsers about what the content security policy kept a page from, for the log.',
      access: 'anyone',
      csrf: false,
      body: violationReportSchema,
      maxBodyBytes: MAX_BYTES,
      responses: { 204: 'no content' },
      handle: async ({ body, ip }) => {
        const time = now();
        if (time - window.startedAt >= WINDOW_MS) {
          if (window.leftOut > 0) logger.warn({ leftOut: window.leftOut }, 'more pages were kept from something');
          window = { startedAt: time, lines: 0, leftOut: 0 };
        }
        for (const violation of violationsIn(body)) {
          window.lines += 1;
          if (window.lines > MAX_LINES) window.leftOut += 1;
          else logger.warn({ ...violation, address: ip }, 'a page was kept from something by its security policy');
        }
        return noContent();
      },
    }),
  ];
}
