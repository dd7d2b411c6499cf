import type { InsightQuery, InsightTotals } from '#backend/contract/insight.ts';
import type { Figures } from './aggregate.ts';
import type { ProblemFigures } from './problems.ts';
import type { DatabasePlace } from './reader.ts';
import type { Step } from './roll-up.ts';

/** What the thread is started with. */
export interface InsightWorkerData {
  place: DatabasePlace;
}

/** What somebody asks, and whose figures they may see. */
export interface Question {
  query: InsightQuery;
  person: { only: string } | 'everybody';
  now: number;
}

/** Everything but names. */
export interface Answer extends Figures {
  problems: ProblemFigures[];
  before: InsightTotals;
  /** Hours of the week that have passed. */
  hours: number[];
  isComplete: boolean;
}

/**
 * What the thread is sent: a question, that nobody waits for it any longer, whether it counts unasked, that its step was stored
 * or not, to count all there is, or to end.
 */
export type InsightCommand =
  | { type: 'ask'; number: number; question: Question }
  | { type: 'drop'; number: number }
  | { type: 'keep'; isKeeping: boolean }
  | { type: 'stored'; wasFirst: boolean }
  | { type: 'catch-up'; number: number }
  | { type: 'stop' };

/** What the thread sends: a step to store, an answer, that all there was is counted, or what failed. */
export type InsightMessage =
  | { type: 'store'; step: Step }
  | { type: 'answer'; number: number; answer: Answer }
  | { type: 'caught-up'; number: number }
  | { type: 'refused'; number: number; error: Error }
  | { type: 'failed'; error: Error };
