/** Where a sender says that a request belongs, by W3C's Trace Context (https://www.w3.org/TR/trace-context/). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

const TRACE_PARENT =
  /^(?!ff)[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<rest>-.*)?$/;

/** Reads a `traceparent` header; undefined for what is none. A later version may have more fields at its end. */
export function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > 128) return undefined;
  const { traceId, spanId, flags = '', rest } = TRACE_PARENT.exec(header)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  if (rest !== undefined && header.startsWith('00')) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

/** "SELECT alerts": what a statement does and to which table, without any of its values. */
export function statementName(sql: string): string {
  const verb = /^\W*([a-z]+)/i.exec(sql)?.[1] ?? 'SQL';
  const table = /\b(?:from|into|update)\s+[`"]?([a-z_]+)/i.exec(sql)?.[1];
  return table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
}
