import type { AlertSeverity } from '#backend/contract/alert.ts';
import { type InsightTimes, MAX_INSIGHT_PROBLEMS } from '#backend/contract/insight.ts';
import { type FactFilter, selectionOf, timesOf } from './aggregate.ts';
import type { Calendar } from './calendar.ts';
import { type Chunk, SEVERITIES, SEVERITY_BITS, idAt } from './chunk.ts';

/** A problem with its newest alert, whose names it has. */
export interface ProblemFigures {
  alertId: string;
  severity: AlertSeverity;
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  arrived: number;
  deliveries: number;
  flapped: number;
  suppressed: number;
  accept: InsightTimes;
  complete: InsightTimes;
}

/**
 * Finds the problems with the most deliveries: one pass over all chunks counts, and one adds up what is known of the few that
 * are listed, for times of a million problems would take more memory than the chunks.
 */
export function rankProblems(calendar: Calendar, filter: FactFilter) {
  const selection = selectionOf(calendar, filter);
  const counts = new Map<number, number>();
  return {
    count(chunk: Chunk): void {
      const isCounted = selection(chunk);
      for (let at = 0; at < chunk.size; at += 1) {
        const problem = chunk.problem[at] ?? 0;
        if (problem === 0 || !isCounted(at)) continue;
        counts.set(problem, (counts.get(problem) ?? 0) + 1 + (chunk.repeats[at] ?? 0));
      }
    },
    /** Takes the counted chunks once more, in their order. */
    detail() {
      const most = mostOf(counts);
      const found = new Map(most.map((problem) => [problem, newDetail()]));
      return {
        add(chunk: Chunk): void {
          const isCounted = selection(chunk);
          for (let at = 0; at < chunk.size; at += 1) {
            const detail = found.get(chunk.problem[at] ?? 0);
            if (detail && isCounted(at)) addTo(detail, chunk, at);
          }
        },
        figures: (): ProblemFigures[] => most.flatMap((problem) => figuresOf(found.get(problem))),
      };
    },
  };
}

/** The problems with the most deliveries, most first; of as many in the order of their numbers, so that answers agree. */
function mostOf(counts: ReadonlyMap<number, number>): number[] {
  const most: [problem: number, deliveries: number][] = [];
  for (const one of counts) {
    if (most.length === MAX_INSIGHT_PROBLEMS && byDeliveries(one, most.at(-1) ?? one) >= 0) continue;
    most.push(one);
    most.sort(byDeliveries);
    most.length = Math.min(most.length, MAX_INSIGHT_PROBLEMS);
  }
  return most.map(([problem]) => problem);
}

const byDeliveries = ([one, ofOne]: [number, number], [other, ofOther]: [number, number]): number =>
  ofOther - ofOne || one - other;

interface Detail {
  newest: Omit<ProblemFigures, 'arrived' | 'deliveries' | 'flapped' | 'suppressed' | 'accept' | 'complete'> | undefined;
  arrived: number;
  deliveries: number;
  flapped: number;
  suppressed: number;
  accept: number[];
  complete: number[];
}

const newDetail = (): Detail => ({
  newest: undefined,
  arrived: 0,
  deliveries: 0,
  flapped: 0,
  suppressed: 0,
  accept: [],
  complete: [],
});

function addTo(detail: Detail, chunk: Chunk, at: number): void {
  detail.arrived += 1;
  detail.deliveries += 1 + (chunk.repeats[at] ?? 0);
  detail.flapped += chunk.flapped[at] ?? 0;
  if (chunk.window[at] !== 0) detail.suppressed += 1;
  const acceptMs = chunk.acceptMs[at] ?? Number.NaN;
  const completeMs = chunk.completeMs[at] ?? Number.NaN;
  if (!Number.isNaN(acceptMs)) detail.accept.push(acceptMs);
  if (!Number.isNaN(completeMs)) detail.complete.push(completeMs);
  // Chunks come in the order of their ids, and so do their alerts.
  detail.newest = {
    alertId: idAt(chunk, at),
    severity: SEVERITIES[(chunk.kind[at] ?? 0) & SEVERITY_BITS] ?? 'none',
    customer: chunk.customers[chunk.customer[at] ?? 0] ?? null,
    alertType: chunk.alertTypes[chunk.alertType[at] ?? 0] ?? null,
    sourceId: chunk.sources[chunk.source[at] ?? 0] ?? null,
  };
}

function figuresOf(detail: Detail | undefined): ProblemFigures[] {
  if (!detail?.newest) return [];
  const { newest, accept, complete, arrived, deliveries, flapped, suppressed } = detail;
  return [
    { ...newest, arrived, deliveries, flapped, suppressed, accept: timesOf(accept), complete: timesOf(complete) },
  ];
}
