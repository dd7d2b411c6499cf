import { countText } from '#backend/contract/count-text.ts';
import type { BulkLoss } from '#backend/contract/bulk.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { BulkOutcome } from './run-bulk.ts';

/** The result of a run in one line, where `done` says what was done: "17 accepted, 3 were taken by Ann Ashby". */
export const resultLabel = (done: string, outcome: BulkOutcome): string =>
  [`${countText(outcome.changed.length + outcome.unchanged)} ${done}`, ...lossLabels(outcome)].join(', ');

/** What became of the alerts that could not be changed, reason by reason; `since` of them are not as a change left them. */
export function lossLabels({ lost, missing }: Pick<BulkOutcome, 'lost' | 'missing'>, since = 0): string[] {
  const having = (reason: BulkLoss['reason']) => lost.filter((loss) => loss.reason === reason);
  const taken = having('taken');
  const takers = new Set(taken.map(({ ownerName }) => ownerName ?? ''));
  const [taker] = takers;
  const by = takers.size === 1 && taker ? inertLine(taker) : 'others';
  const gone = having('gone').length + missing;
  return [
    said(taken.length, `taken by ${by}`),
    said(having('returned').length, 'back in the inbox'),
    said(gone, 'no longer in the list'),
    said(having('completed').length, 'completed'),
    said(having('fires_once').length, 'from a sender that never repeats alerts'),
    said(since, 'changed since'),
    said(having('not_allowed').length, 'not yours to change'),
  ].filter((label) => label !== '');
}

const said = (count: number, what: string): string =>
  count === 0 ? '' : `${countText(count)} ${count === 1 ? 'was' : 'were'} ${what}`;
