import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { subDays } from 'date-fns';
import * as z from 'zod/mini';
import { type AuditEntry, type AuditKind, auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { ACTION_WORDS } from '#backend/contract/audit-words.ts';
import { csvHead, csvLines, csvTime } from '#renderer/alerts/export/export-file.ts';
import type { ExportOptions } from '#renderer/alerts/export/file-export-dialog.tsx';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';

/** How far back: days, or everything that is kept. */
export const PERIODS = [
  { value: '1', label: pageTexts.last24Hours },
  { value: '7', label: texts.last7Days },
  { value: '30', label: texts.last30Days },
  { value: '', label: texts.allTime },
] as const;

/** What of the trail is shown. */
export interface AuditFilter {
  kind: AuditKind | '';
  q: string;
  days: string;
}

const auditListSchema = z.array(auditEntrySchema);

/**
 * How often the newest entries are read again while no others are shown, in milliseconds: they come without an event. A search
 * looks through the whole trail, and further pages are one call each.
 */
const READ_AGAIN_MS = 30_000;

/** Entries of one page on screen, and of one answer of an export. */
const PAGE_ROWS = 100;
const EXPORT_ROWS = 500;

/** The address of the trail with a filter, as of `now`. */
export function auditPath({ kind, q, days }: AuditFilter, now: Date): string {
  const query = new URLSearchParams();
  if (kind !== '') query.set('kind', kind);
  if (q.trim() !== '') query.set('q', q.trim());
  if (days !== '') query.set('from', subDays(now, Number(days)).toISOString());
  return query.size > 0 ? `/api/audit?${query}` : '/api/audit';
}

/** `GET /api/audit`, page after page, newest first. Read again whenever the page opens, and the newest while it is open. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['/api/audit', filter.kind, filter.q.trim(), filter.days] as const,
    queryFn: ({ pageParam, signal }) =>
      apiGetPage(auditPath(filter, new Date()), auditListSchema, { limit: PAGE_ROWS, before: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      filter.q.trim() === '' && (state.data?.pages.length ?? 0) < 2 ? READ_AGAIN_MS : false,
    // What was there stays until what is asked for has come.
    placeholderData: keepPreviousData,
  });

const COLUMNS = ['Id', 'Time', 'Action', 'By', 'Token', 'Subject', 'Detail', 'Address', 'Times'];

const cellsOf = ({
  id,
  createdAt,
  action,
  actorName,
  token,
  subject,
  detail,
  ip,
  times,
}: AuditEntry): (string | number)[] => [
  id,
  csvTime(createdAt),
  ACTION_WORDS[action],
  actorName,
  token?.name ?? '',
  subject ?? '',
  detail ?? '',
  ip ?? '',
  times,
];

/** Reads what the filter shows, page by page, into a file: CSV, or a JSON object on each line. Throws an ApiError. */
export async function exportAudit(filter: AuditFilter, options: ExportOptions): Promise<Blob> {
  const { format, signal, onProgress } = options;
  const pieces = [new Blob(format === 'csv' ? [csvHead(COLUMNS)] : [])];
  const path = auditPath(filter, new Date());
  let done = 0;
  let before: string | undefined;
  do {
    const page = await apiGetPage(path, auditListSchema, { limit: EXPORT_ROWS, before, signal });
    const lines = page.rows.map((entry) => `${JSON.stringify(entry)}\n`);
    pieces.push(new Blob([format === 'csv' ? csvLines(page.rows.map(cellsOf)) : lines.join('')]));
    done += page.rows.length;
    before = page.next;
    onProgress({ done, total: before === undefined ? done : done + EXPORT_ROWS });
  } while (before !== undefined);
  return new Blob(pieces, { type: format === 'csv' ? 'text/csv' : 'application/jsonl' });
}
