import type { AlertSeverity } from '#backend/contract/alert.ts';
import { type Found, traced } from '#backend/intake/json/found.ts';
import { FLAGS, wordsOf } from './field-names.ts';
import { LEVELS, OVER, PRIORITIES, severityOf, severityOfColor } from './severity-scales.ts';
import type { Field, Survey } from './survey.ts';

/**
 * Where something stands by a sender's word: there is a problem, somebody has it, it is over, a run of something failed or
 * went well, or something has merely begun or was left out.
 */
export type Standing = 'firing' | 'acknowledged' | 'resolved' | 'failed' | 'succeeded' | 'unremarkable';

/** A word for where something stands, with where it was found. */
export interface StandingWord {
  standing: Standing;
  /** As the sender wrote it. */
  text: string;
  /** The one word of it that decided, in lower case. */
  word: string;
  field: Field;
  /** Whether a field is there to say it, the name of an event says it, or only how bad it is. */
  from: 'state' | 'event' | 'level';
}

const entries = (standing: Standing, words: string) => words.split(' ').map((word) => [word, standing] as const);

/** Words of states, in lower case and without anything between their parts. */
const WORDS: ReadonlyMap<string, Standing> = new Map([
  ...entries(
    'firing',
    'firing fired alerting alarm alarming triggered trigger open opened reopened active activated activate reactivated new problem down ' +
      'unreachable unavailable offline degraded unhealthy critical crit warning warn unknown nodata insufficientdata ' +
      'breached exceeded violated violation outage disrupted impaired flapping lost missing late overdue unresponsive ' +
      'notresponding timeout timedout emergency emerg alert major minor fatal disaster created ' +
      'partialoutage majoroutage majorsystemoutage investigating identified monitoring onhold waitingoncustomer pending ' +
      'outofsync outofsyncing unready ping_down suspended stale regressed unresolved trouble met',
  ),
  ...entries('acknowledged', 'acknowledged acknowledge acknowledgement acknowledgment ack acked assigned'),
  ...entries(
    'resolved',
    'resolved resolve resolves recovered recovery recover closed close cleared clear fixed ok okay up normal healthy ' +
      'reachable available online restored deactivated deactivate inactive solved dismissed operational ' +
      'backtonormal ended end expired synced good auto_resolved autoresolved backonline resumed reporting responding',
  ),
  ...entries(
    'failed',
    'failed fail fails failure failing failures error errored errors broken crashed aborted rejected unsuccessful faulted ' +
      'partiallysucceeded unstable declined denied backoff crashloopbackoff evicted oomkilled stalled invalid',
  ),
  ...entries(
    'succeeded',
    'success successful successfully succeeded succeed succeeds passed pass passing completed complete',
  ),
  ...entries('succeeded', 'completion finished finish done deployed merged approved applied ready'),
  ...entries(
    'unremarkable',
    'started starting start begin began inprogress progressing running queued enqueued requested waiting building ' +
      'provisioning initiated skipped cancelled canceled cancelling neutral scheduled superseded stopped stopping accepted',
  ),
]);

/** Words that say it even as a part of the name of an event, such as `check.down` and `ALERT_RECOVERY`. */
const EVENT_WORDS = new Set([
  ...'firing triggered trigger opened reopened activated reactivated down unreachable offline degraded recovered recovery'.split(
    ' ',
  ),
  ...'resolved resolve closed close cleared fixed up restored deactivated failed failure fail error crashed'.split(' '),
  ...'succeeded success successful passed completed finished started skipped cancelled canceled acknowledged'.split(
    ' ',
  ),
  ...'acknowledgement acknowledgment trouble clear errored'.split(' '),
  ...'exceeded exceed breached problem new created ok alarm outage dismissed solved running queued expired'.split(' '),
]);

/** Further spellings of parts of the names of events. */
const ALSO: ReadonlyMap<string, Standing> = new Map([['exceed', 'firing']]);

const standingOf = (word: string): Standing | undefined => WORDS.get(word) ?? ALSO.get(word);

/** Where something stands by a word that a mapping found; undefined for a word that nobody uses. */
export const standingOfText = (text: string): Standing | undefined => readWord(text)?.standing;

/** What a text says as a whole, or what the part behind its arrow says: `DOWN -> UP`. */
function readWord(text: string): { standing: Standing; word: string } | undefined {
  if (text.length > MAX_STATE) return undefined;
  const known = WORDS.get(text.toLowerCase());
  if (known) return { standing: known, word: text.toLowerCase() };
  const last = (text.split(/\s*(?:->|=>|→|➜)\s*/).at(-1) ?? '').replace(BEFORE, '');
  if (last.length > MAX_WORD) return undefined;
  const parts = wordsOf(last);
  const joined = parts.join('');
  const whole = WORDS.get(joined);
  if (whole) return { standing: whole, word: joined };
  // "Reporting Error", "Not available", "Major outage": the negation turns it round.
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const standing = WORDS.get(parts[at]!);
    if (standing === undefined) continue;
    const isNegated = parts.slice(0, at).some((part) => NEGATIONS.has(part));
    if (!isNegated) return { standing, word: parts[at]! };
    const isGood = standing === 'resolved' || standing === 'succeeded' || OF_THINGS.has(parts[at]!);
    return { standing: isGood ? 'firing' : 'resolved', word: joined };
  }
  return undefined;
}

/** What it was before: "Down (was: Up)". */
const BEFORE = /\s*\((?:was|from|previously|before)\b[^)]*\)/i;

const NEGATIONS = new Set(['not', 'no', 'un', 'non']);
/** Longer texts are sentences; with an arrow there are two. */
const MAX_WORD = 40;
const MAX_STATE = 200;

/** What the name of an event says: the last of its words that counts. */
function readEventName(text: string): { standing: Standing; word: string } | undefined {
  if (text.length > MAX_EVENT_NAME) return undefined;
  const parts = wordsOf(text);
  const [only] = parts;
  if (parts.length === 1 && BY_LEVEL.has(only!)) return { standing: 'firing', word: only! };
  const lasts = parts.some(isLasting);
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const word = parts[at]!;
    const standing = (lasts && OF_LASTING.get(word)) || (EVENT_WORDS.has(word) ? standingOf(word) : undefined);
    if (standing) return { standing, word };
  }
  return undefined;
}

const MAX_EVENT_NAME = 80;

/** Names of events that are as bad as it is, beside another for the end: `CRITICAL` and `RECOVERY`. */
const BY_LEVEL = new Set(['critical', 'crit', 'warning', 'warn', 'emergency', 'alert']);

/** What lasts from its beginning to its end: a run that began is nothing to do, an incident that began is. */
const LASTING = new Set(['incident', 'alert', 'alarm', 'problem', 'outage', 'issue', 'disruption']);
const isLasting = (word: string): boolean => LASTING.has(word);
const OF_LASTING: ReadonlyMap<string, Standing> = new Map([
  ...entries('firing', 'start started begin began starting'),
  ...entries('resolved', 'end ended finish finished stop stopped complete completed done'),
]);

/** A state's word as that of something that lasts, if the object that has it is called so or its type is. */
function ofLasting(word: StandingWord, { type }: Survey): StandingWord {
  const standing = OF_LASTING.get(word.word);
  if (standing === undefined || standing === word.standing) return word;
  const { name, within, cost } = word.field;
  const isOne =
    name.words.some(isLasting) ||
    isLasting(within.at(-1) ?? '') ||
    type.some((one) => one.cost <= cost && wordsOf(one.text).some(isLasting));
  return isOne ? { ...word, standing } : word;
}

/** Words of runs that, of a thing which does not run again and again, say that it is as it is to be: its end of "not ready". */
const OF_THINGS = new Set(['ready', 'passing', 'running']);

/** The state of a thing that is no run: what is ready is over, whatever was wrong with it. */
export const ofThing = (word: StandingWord | undefined): StandingWord | undefined =>
  word?.from === 'state' && OF_THINGS.has(word.word) ? { ...word, standing: 'resolved' } : word;

/** How much further away a word may stand and still count before the name of an event. */
const NEAR = 12;

/** Where the alert of this body stands, by the best word for it; undefined where nothing says. */
export function findStanding(found: Survey): StandingWord | undefined {
  const flag = flagOf(found);
  const saysEnd = flag !== undefined && OF_ENDS.has(flag.field.name.words.at(-1)!);
  const states = found.state.filter((field) => isNear(field) && !(saysEnd && isInnerAction(field)));
  const written = firstOf(states, readWord, 'state');
  const word = written && ofLasting(written, found);
  if (word && word.standing !== 'firing' && !VAGUE.has(word.word)) return word;
  const event = firstOf(found.type, readEventName, 'event');
  // Somebody has it, and it still is as bad as it was.
  if (word && !VAGUE.has(word.word))
    return event?.standing === 'acknowledged' ? { ...word, standing: 'acknowledged' } : word;
  // An event that is called by what is down says more than a flag that something failed: what is down is up again.
  if (flag?.standing === 'failed' && event?.standing === 'firing' && BY_STATE.has(event.word)) return event;
  return flag ?? (word && isClearer(event, word) ? event : (word ?? event)) ?? byLevel(found);
}

const isNear = ({ cost }: Field): boolean => cost < NEAR;

/** The action of a program in which an error happened, such as `close`, beside a flag that says whether it is resolved. */
const isInnerAction = ({ depth, name: { words } }: Field): boolean => depth > 0 && words.at(-1) === 'action';

/** Words that an event's name says better: a ticket that is pending was solved, an item that is new was resolved. */
const VAGUE = new Set([
  'new',
  'created',
  'pending',
  'active',
  'assigned',
  'accepted',
  'trigger',
  'open',
  'completed',
  'running',
]);

const isClearer = (event: StandingWord | undefined, word: StandingWord): event is StandingWord =>
  event !== undefined && event.standing !== word.standing && ENDINGS.has(event.standing);
const ENDINGS: ReadonlySet<Standing> = new Set(['resolved', 'failed', 'succeeded']);

function firstOf(
  fields: readonly Field[],
  read: (text: string) => { standing: Standing; word: string } | undefined,
  from: StandingWord['from'],
): StandingWord | undefined {
  for (const field of fields) {
    const text = field.text;
    const word = read(text);
    if (word) return { ...word, text, field, from };
  }
  return undefined;
}

function flagOf({ flag }: Survey): StandingWord | undefined {
  for (const field of flag) {
    const name = field.name.words.at(-1)!;
    const means = FLAGS.get(name);
    const is = field.value.boolean;
    if (means === undefined || is === undefined || !isNear(field)) continue;
    if (!is && OF_RUNS.has(name)) return { standing: 'failed', text: 'failed', word: 'failed', field, from: 'state' };
    const standing = is ? means : means === 'firing' ? 'resolved' : 'firing';
    const word = is ? name : standing === 'resolved' ? 'ok' : OF_ENDS.has(name) ? 'open' : 'down';
    return { standing, text: word, word, field, from: 'state' };
  }
  return undefined;
}

/** Flags of a run that went well, and of a problem's end. */
const OF_RUNS = new Set(['passed', 'success']);
const OF_ENDS = new Set(['resolved', 'recovered', 'closed']);

/** Senders whose severity is "OK" when it is over have no other word for it. */
function byLevel({ severity }: Survey): StandingWord | undefined {
  const field = severity.find((one) => isNear(one) && !one.name.words.some((word) => OF_WORK.has(word)));
  const text = field?.text;
  if (field === undefined || text === undefined) return undefined;
  const word = wordsOf(text).join('');
  if (OVER.has(word)) return { standing: 'resolved', text, word, field, from: 'state' };
  const level = LEVELS.get(word);
  return level !== undefined && level !== 'info' ? { standing: 'firing', text, word, field, from: 'level' } : undefined;
}
/** How soon somebody is to work on it: a normal priority is not the end of it. */
const OF_WORK = new Set(['priority', 'urgency', 'importance', 'impact']);

/** How bad it is, by the first field that says so in any scale; undefined where none does. */
export function findSeverity(found: Survey, standing: StandingWord | undefined): Found<AlertSeverity> | undefined {
  const fields = found.severity.filter(({ cost }) => cost < SEVERITY_FROM);
  let numbered: Found<AlertSeverity> | undefined;
  for (const field of fields) {
    const severity = severityOf(field);
    if (severity === undefined) continue;
    if (!/^\d+$/.test(field.text)) return traced(severity, field.value);
    numbered ??= traced(severity, field.value);
  }
  const byState = standing && severityOfState(standing);
  if (numbered) return byState && isWorse(byState.value, numbered.value) ? byState : numbered;
  if (byState) return byState;
  for (const field of found.color) {
    const severity = severityOfColor(field.text.toLowerCase());
    if (severity) return traced(severity, field.value, 'by its color');
  }
  return undefined;
}

function severityOfState({ word, text, field, from, standing }: StandingWord): Found<AlertSeverity> | undefined {
  const isOpen = standing === 'firing' || standing === 'acknowledged';
  const severity = from !== 'level' && isOpen ? BY_STATE.get(word) : undefined;
  if (severity) return traced(severity, field.value, `${text}: what is ${word} is ${severity}`);
  return standing === 'failed' ? traced('high', field.value, `${text}: a failure is high`) : undefined;
}

/** Whoever counts priorities from 1 up to the highest calls what is down 5: the state counts against a number. */
const isWorse = (one: AlertSeverity, other: AlertSeverity): boolean =>
  PRIORITIES.indexOf(one) < PRIORITIES.indexOf(other);

/** A level of something inside, such as the last occurrence of an error, says how bad the whole is, too. */
const SEVERITY_FROM = 30;

/** How bad the state is that a word names: what is down is high. Undefined for words that do not say. */
export const severityOfWord = (word: string): AlertSeverity | undefined =>
  BY_STATE.get(word) ?? (WORDS.get(word) === 'failed' ? 'high' : undefined);

/** How bad a state is that is no failure of a run. */
const BY_STATE: ReadonlyMap<string, AlertSeverity> = new Map([
  ...'down unreachable unavailable offline outage majoroutage unresponsive error timeout timedout majorsystemoutage'
    .split(' ')
    .map((word) => [word, 'high'] as const),
  ...'critical crit emergency emerg fatal disaster'.split(' ').map((word) => [word, 'critical'] as const),
  ...'warning warn degraded partialoutage impaired minor trouble'.split(' ').map((word) => [word, 'warning'] as const),
  ['major', 'high'],
]);
