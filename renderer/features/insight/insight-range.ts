import { type Insight, MAX_INSIGHT_DAYS, addDays, daysBetween, insightSchema } from '#backend/contract/insight.ts';
import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '#renderer/lib/api-client.ts';

/** Ranges on offer, in days up to today. */
export const PRESETS = [7, 30, 90] as const;
export const DEFAULT_DAYS = 30;

/** What is shown: days of a calendar, and which alerts. Filters that are absent mean All. */
export interface InsightView {
  from: string;
  to: string;
  /** The range up to today that this is; undefined for dates that somebody chose. */
  preset: number | undefined;
  customer: string | undefined;
  alertType: string | undefined;
  source: string | undefined;
  person: string | undefined;
}

/** The date that it is in a time zone. */
export const todayIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether two texts are dates that a range may have. */
export function isRange(from: string, to: string): boolean {
  const days = DATE.test(from) && DATE.test(to) ? daysBetween(from, to) : Number.NaN;
  return days >= 1 && days <= MAX_INSIGHT_DAYS;
}

/** What an address names; what the server would refuse is left out. */
export function viewIn(params: URLSearchParams, today: string): InsightView {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  const days = PRESETS.find((preset) => String(preset) === params.get('days')) ?? DEFAULT_DAYS;
  const isChosen = isRange(from, to);
  const nameOf = (key: string) => {
    const value = params.get(key) ?? '';
    return value === '' || value.length > 200 ? undefined : value;
  };
  const idOf = (key: string) => {
    const value = params.get(key) ?? '';
    return ID.test(value) ? value : undefined;
  };
  return {
    ...(isChosen ? { from, to, preset: undefined } : { from: addDays(today, 1 - days), to: today, preset: days }),
    customer: nameOf('customer'),
    alertType: nameOf('alertType'),
    source: idOf('source'),
    person: idOf('person'),
  };
}

/** How many filters are set. */
export const filtersIn = ({ customer, alertType, source, person }: InsightView): number =>
  [customer, alertType, source, person].filter((value) => value !== undefined).length;

/** The call that reads a view. */
export function insightPath({ from, to, customer, alertType, source, person }: InsightView, timeZone: string): string {
  const query = new URLSearchParams({ from, to, timeZone });
  const filters = { customer, alertType, sourceId: source, personId: person };
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  return `/api/insight?${query}`;
}

/** `GET /api/insight`, read again whenever it is looked at. Throws an ApiError. */
export const insightQuery = (view: InsightView, timeZone: string) =>
  queryOptions<Insight>({
    queryKey: ['/api/insight', insightPath(view, timeZone)],
    queryFn: ({ signal }) => apiGet(insightPath(view, timeZone), insightSchema, { signal }),
    refetchOnMount: 'always',
  });
