import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type DeliveryOutcome, deliveryOutcomeSchema } from '#backend/contract/delivery.ts';
import type { DeliveryFilter } from '#renderer/features/sources/data/get-deliveries.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Spans of time to choose from, in hours; the log keeps no more than the longest. */
export const SPANS = [
  { hours: 1, label: pageTexts.hours(1) },
  { hours: 24, label: pageTexts.hours(24) },
  { hours: 24 * 7, label: pageTexts.days(7) },
  { hours: 24 * 90, label: texts.all },
] as const;
const DEFAULT_HOURS = 24;

/** What the address says of the log: outcome, text, span, and a range that was selected on the time line. */
export interface LogView {
  outcome: DeliveryOutcome | undefined;
  q: string;
  hours: number;
  range: { from: string; to: string } | undefined;
}

/** Reads the view that an address names. What it does not understand is left out. */
export function viewOf(params: URLSearchParams): LogView {
  const hours = Number(params.get('hours'));
  const from = params.get('from');
  const to = params.get('to');
  return {
    outcome: deliveryOutcomeSchema.safeParse(params.get('outcome')).data,
    q: (params.get('q') ?? '').slice(0, 200),
    hours: SPANS.some((span) => span.hours === hours) ? hours : DEFAULT_HOURS,
    range: isTime(from) && isTime(to) ? { from, to } : undefined,
  };
}

const isTime = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

/** The address of a view, without what is as ever. */
export function paramsOf({ outcome, q, hours, range }: LogView): URLSearchParams {
  const params = new URLSearchParams();
  if (outcome !== undefined) params.set('outcome', outcome);
  if (q !== '') params.set('q', q);
  if (hours !== DEFAULT_HOURS) params.set('hours', String(hours));
  if (range) {
    params.set('from', range.from);
    params.set('to', range.to);
  }
  return params;
}

/** Where the span of a view begins. */
const startOf = ({ hours }: LogView, openedAt: number): string => new Date(openedAt - hours * HOUR_MS).toISOString();

/** What is asked of the server. A span begins at the moment when the page was opened. */
export function filterOf(view: LogView, openedAt: number): DeliveryFilter {
  const { outcome, q, range } = view;
  const from = range?.from ?? startOf(view, openedAt);
  return { from, ...(range && { to: range.to }), ...(outcome && { outcome }), ...(q.trim() !== '' && { q: q.trim() }) };
}

/** The view in the address, what it asks for, and how it is changed. */
export function useLogView(): {
  view: LogView;
  filter: DeliveryFilter;
  /** Where the time line begins. */
  from: string;
  change: (part: Partial<LogView>) => void;
} {
  const [params, setParams] = useSearchParams();
  const [openedAt] = useState(Date.now);
  const view = useMemo(() => viewOf(params), [params]);
  const filter = useMemo(() => filterOf(view, openedAt), [view, openedAt]);
  return {
    view,
    filter,
    from: startOf(view, openedAt),
    change: (part) => setParams(paramsOf({ ...view, ...part }), { replace: true }),
  };
}
