/**
 * Writes what a transaction reports as a line of JSON to standard output: `"type":"audit"` and the fields of
 * `GET /api/audit`, for a collector that keeps it where this server cannot change it.
 */
export function streamAudit(reported: object): void {
  process.stdout.write(`${JSON.stringify(reported)}\n`);
}
