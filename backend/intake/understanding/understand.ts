import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { type Found, find, rule, timeOf, traced, withValue } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { findCustomer, findKey, findLink, isRepeatedRun } from './identity.ts';
import { findHeadline } from './headline.ts';
import { type StandingWord, findSeverity, findStanding, ofThing } from './standing.ts';
import { type Field, type Survey, survey } from './survey.ts';

/** What a body says by the words that senders of all kinds use. */
export interface Understood {
  title: Found | undefined;
  customer: Found | undefined;
  alertType: Found | undefined;
  severity: Found<AlertSeverity> | undefined;
  state: Found<AlertState>;
  dedupKey: Found | undefined;
  link: Found | undefined;
  /** Milliseconds, by the sender's clock. */
  at: Found<number> | undefined;
  /** Why it is no alert: a run that went well without one that failed, or that has only begun. */
  ignored: string | undefined;
}

/** What has no beginning and no end: each is an alert of its own. */
export const NO_LIFECYCLE = rule<AlertState>('event', 'no key names the problem');

/**
 * Reads a body of which nobody knows the sender, by the words that fields and states have everywhere. A word for where
 * something stands only counts with what names the problem: it ends what the same source began under the same key.
 *
 * @param isAddressed the body has a field of this product's own: its author means an alert whatever its state, and only a key
 * that is called so makes a problem of it
 */
export function understand(element: JsonValue, isAddressed: boolean): Understood {
  const found = survey(element);
  const isRun = !isAddressed && isRepeatedRun(found);
  const said = findStanding(found);
  const standing = isRun ? said : ofThing(said);
  const severity = findSeverity(found, standing);
  const dedupKey = isAddressed ? findKey(found, undefined) : findKey(found, standing);
  const lifecycle = lifecycleOf(standing, dedupKey, isRun, isSevere(severity));
  return {
    // First: V8 copies what is spread behind other members by a path that takes ten times as long.
    ...lifecycle,
    // What its author calls the kind of alert is a name of theirs, and stays as it is.
    title: findHeadline(found, standing, isAddressed),
    customer: isAddressed ? undefined : findCustomer(found),
    alertType: typeOf(found),
    severity,
    // What is no problem has no key: the same again is another alert.
    dedupKey: lifecycle.state.value === 'event' ? undefined : dedupKey,
    link: findLink(found),
    at: timeOf(firstOf(found.time)),
  };
}

const firstOf = (fields: readonly Field[]): Found | undefined => fields[0] && find(fields[0].value);

/** Where an element stands whose problem a key names that its source's mapping gives. */
export const stateWithKey = (element: JsonValue, key: Found): Found<AlertState> =>
  stateOf(element.isObject ? findStanding(survey(element)) : undefined, withValue(key, key.value, undefined), true);

const isSevere = (severity: Found<AlertSeverity> | undefined): boolean =>
  severity !== undefined && SEVERE.has(severity.value);
const SEVERE: ReadonlySet<AlertSeverity> = new Set(['critical', 'high', 'warning']);

function lifecycleOf(
  word: StandingWord | undefined,
  key: Found | undefined,
  isRun: boolean,
  isBad: boolean,
): Pick<Understood, 'state' | 'ignored'> {
  const standing = word?.standing;
  const hasBegun = standing === 'unremarkable' || (standing === 'firing' && BEGINNINGS.has(word?.word ?? ''));
  if (word && isRun && hasBegun && !isBad) {
    return { state: NO_LIFECYCLE, ignored: `Nothing to do: ${word.text.slice(0, MAX_WORD)}` };
  }
  if (word && isRun && standing === 'succeeded' && key === undefined && !isBad) {
    return { state: NO_LIFECYCLE, ignored: `It went well: ${word.text.slice(0, MAX_WORD)}` };
  }
  return { state: stateOf(word, key, isRun), ignored: undefined };
}
const MAX_WORD = 80;

/** Words of runs that have not begun, which of a problem say that nobody has it yet. */
const BEGINNINGS = new Set(['pending', 'created']);

function stateOf(word: StandingWord | undefined, key: Found | undefined, isRun: boolean): Found<AlertState> {
  if (key === undefined) return NO_LIFECYCLE;
  const is = (state: AlertState) => traced<AlertState>(state, word!.field.value);
  switch (word?.standing) {
    case 'resolved':
      return is('resolved');
    case 'succeeded':
      return isRun || key.note === undefined ? is('resolved') : NO_LIFECYCLE;
    case 'acknowledged':
      return is('acknowledged');
    default:
      return traced<AlertState>('firing', key, 'a key names the problem');
  }
}

/** What kind of alert it is: the name of its event, else that of the rule that it broke. */
function typeOf({ type }: Survey): Found | undefined {
  const field = type.find(({ value, cost }) => value.isString && cost <= TYPE_WITHIN);
  return field && withValue(traced('', field.value), field.text);
}
/** Types of what is further in are those of other things. */
const TYPE_WITHIN = 3;
