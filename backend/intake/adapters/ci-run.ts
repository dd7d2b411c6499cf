import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { type Found, joinFound, rule, withValue } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { wordsOf } from '#backend/intake/understanding/field-names.ts';
import type { Draft } from './adapter.ts';

/** A run of something that runs again and again: a workflow, a build, a deployment. */
export interface Run {
  element: JsonValue;
  /** What runs, such as the name of a workflow. */
  name: Found | undefined;
  branch?: Found | undefined;
  /** The sender's word for how it ended; undefined where it has not. */
  outcome: Found | undefined;
  /** Whose it is: the repository. */
  customer: Found | undefined;
  alertType: Found | undefined;
  /** Names what runs and its branch, never the run: its next success is the end of its failure. */
  dedupKey: Found | undefined;
  /** A headline of the sender's own. */
  title?: Found | undefined;
  deliveryId?: Found | undefined;
  link: Found | undefined;
  at: Found<number> | undefined;
}

/** How senders call the end of a run, in lower case and without anything between the words. */
const FAILURES: ReadonlyMap<string, AlertSeverity> = new Map([
  ...'failure failed failing error errored timedout startupfailure rejected broken unauthorized degraded stalled'
    .split(' ')
    .map((word) => [word, 'high'] as const),
  ...['unstable', 'partiallysucceeded'].map((word) => [word, 'warning'] as const),
]);
const SUCCESSES = new Set(['success', 'successful', 'succeeded', 'passed', 'healthy']);

const NO_LIFECYCLE = rule<AlertState>('event', 'nothing names what runs');
const MAX_WORD = 80;

/** A run that failed opens a problem, one that went well ends it, and what has only begun or was left out is no alert. */
export function readRun({ outcome, name, branch, title, ...fields }: Run): Draft {
  const words = wordsOf(outcome?.value ?? '');
  const severity = FAILURES.get(words.join(''));
  const isSuccess = SUCCESSES.has(words.join(''));
  const draft: Draft = {
    ...fields,
    title: title ?? titleOf(name, words.join(' '), branch),
    severity: severity && outcome && withValue(outcome, severity, `${outcome.value} is ${severity}`),
    state: NO_LIFECYCLE,
  };
  if (outcome && fields.dedupKey && (severity || isSuccess)) {
    draft.state = withValue(
      outcome,
      severity ? 'firing' : 'resolved',
      `${outcome.value} ${severity ? 'opens' : 'ends'} it`,
    );
  } else if (!severity) {
    const word = (outcome?.value ?? 'no result').slice(0, MAX_WORD);
    return { ...draft, dedupKey: undefined, ignored: isSuccess ? `It went well: ${word}` : `Nothing to do: ${word}` };
  }
  return draft;
}

function titleOf(name: Found | undefined, outcome: string, branch: Found | undefined): Found | undefined {
  const said = joinFound(': ', name, rule(outcome, ''));
  const place = branch && withValue(branch, branch.value.replace(/^refs\/(?:heads|tags)\//, ''));
  return said && joinFound(' on ', said, place);
}
