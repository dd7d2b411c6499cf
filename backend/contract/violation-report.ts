import * as z from 'zod/mini';

/** Where pages report what the content security policy kept them from. */
export const VIOLATION_REPORTS_PATH = '/api/csp-reports';

/** A violation as browsers describe it; what is not used is ignored. */
const violationSchema = z.record(z.string(), z.unknown());

/**
 * Body of `POST /api/csp-reports`: several reports of the Reporting API, or one as browsers without it send it
 * (https://www.w3.org/TR/CSP3/#reporting).
 */
export const violationReportSchema = z.union([
  z.array(z.object({ type: z.string(), body: violationSchema })),
  z.object({ 'csp-report': violationSchema }),
]);
export type ViolationReport = z.infer<typeof violationReportSchema>;
