import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { SEVERITY_WORDS } from '#backend/contract/problem-words.ts';
import { wordsOf } from './field-names.ts';
import { LEVELS, OVER } from './severity-scales.ts';
import { severityOfWord, standingOfText } from './standing.ts';

/** What the subject of an email says. */
export interface MailSubject {
  /** Without reply prefixes, tags of lists and gateways, and marks of state in brackets. */
  headline: string;
  /** What the subject is about: the same for every mail of one problem. Empty for a subject without words. */
  key: string;
  /** `firing` unless a mark says otherwise. */
  state: AlertState;
  /** The mark that decided the state, as it was written; undefined when there is none. */
  mark: string | undefined;
  severity: AlertSeverity | undefined;
}

/** Longest subject that is read, in characters; RFC 5322 limits lines to 998. */
const MAX_SUBJECT = 1_000;

/** Prefixes of replies and forwards in several languages: `Re:`, `Fwd:`, `AW[2]:`. */
const REPLY =
  /^(?:re|fwd?|fw|aw|wg|sv|vs|vb|antw|tr|rv|ref|res|enc|odp|回复|答复|转发)\s*(?:\[\d+\]|\(\d+\))?\s*[:：]\s*/iu;

/** Tags that mail gateways put before a subject. */
const GATEWAY_TAG = /^\[(?:external|extern|ext|caution|warning: external|spam|suspected spam|\*+spam\*+)\]\s*/i;

/** Words that join a mark to the rest and say nothing by themselves. */
const GLUE = new Set(['is', 'are', 'was', 'were', 'has', 'have', 'been', 'now', 'again', 'state', 'status', 'still']);

/** Parts of a subject that change from one report of a problem to the next: shares, times, durations and counters. */
const CHANGING = [
  /\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
  /\b\d{1,2}:\d{2}(?::\d{2})?\s*(?:am|pm|utc|gmt)?\b/gi,
  /\b\d+(?:[.,]\d+)?\s*%/g,
  /\b(?:in|after|for|since)\s+(?:\d+\s*(?:d|h|m|s|ms|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?)\b[\s,]*)+/gi,
  /\(\s*[x×]?\s*\d+\s*[x×]?\s*\)|[x×]\s?\d+$|\b\d+\s?[x×]\b/g,
];

/**
 * Reads a decoded subject. A word counts as a mark of the state only where it stands as one: in brackets, before a
 * separator, in capitals at the beginning, or at the end. "Recovery plan changed" is not a recovery: a mail that closes
 * a problem by mistake is seen by nobody.
 *
 * @param listTag the tag that a mailing list puts before its subjects, without brackets
 */
export function readMailSubject(subject: string, listTag?: string): MailSubject {
  const plain = withoutPrefixes(oneLine(subject), listTag);
  const { rest, marks } = takeMarks(plain);
  const decided = decide(marks);
  const key = keyOf(rest) || keyOf(plain);
  const headline = headlineOf(plain);
  return {
    headline,
    key,
    state: decided?.state ?? 'firing',
    mark: decided?.mark,
    severity: decided === undefined || decided.state === 'resolved' ? undefined : severityIn(marks),
  };
}

const oneLine = (text: string): string =>
  text
    .slice(0, MAX_SUBJECT)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();

/** Nothing but this many prefixes is taken off: replies to replies. */
const MAX_PREFIXES = 20;

function withoutPrefixes(subject: string, listTag: string | undefined): string {
  let rest = subject;
  const list = listTag === undefined ? undefined : `[${listTag.toLowerCase()}]`;
  for (let count = 0; count < MAX_PREFIXES; count += 1) {
    const before = rest;
    rest = rest.replace(REPLY, '').replace(GATEWAY_TAG, '');
    if (list !== undefined && rest.toLowerCase().startsWith(list)) rest = rest.slice(list.length).trimStart();
    if (rest === before) break;
  }
  // A subject that is nothing but prefixes stays as it is.
  return rest === '' ? subject : rest;
}

/** What stands in brackets: `[FIRING:2]`, `(RESOLVED)`; bounded, so that it takes no longer for any subject. */
const BRACKETS = /[[(]([^[\]()]{1,60})[\])]/g;

/** A first part before a separator: `RESOLVED: …`, `Problem - …`, `Monitor is DOWN: …`. */
const FIRST_PART = /^\**\s*([^:|–—-]{1,40}?)\s*(?::|\||–|—|\s-)\s+(?=\S)/u;

/** Words in capitals at the beginning: `RECOVERY Service Alert`. */
const CAPITALS = /^\**\s*(\p{Lu}{2,20})(?=\s)/u;

/** A last part: `… is CRITICAL`, `… - RESOLVED`, `… recovered`, `… back to normal`. */
const LAST_PART =
  /(?:\s(?:is|are|was|has|have|been|now|returned to|changed to|went|back)\s+|\s*(?:[:|–—]|\s-|->|=>|→)\s*)([\p{L} ]{2,30}?)[\s.!*]*$/iu;
const LAST_WORD = /\s([\p{L}]{2,20})[\s.!*]*$/u;

/** Last words that are clear without anything before them; `Service is up` has its `is`. */
const CLEAR_LAST = new Set(
  'resolved recovered cleared restored closed fixed failed succeeded acknowledged firing triggered crashed down ok'.split(
    ' ',
  ),
);

interface Mark {
  text: string;
  state: AlertState;
}

/** First parts that are marks: `RESOLVED: HIGH: …` has two. */
const MAX_FIRST_PARTS = 3;

/** Whether something in square brackets has only others before it: `[RESOLVED] [P1] …`. `Pump (P2)` is a name. */
const isAtBeginning = (subject: string, whole: string, at: number): boolean =>
  whole.startsWith('[') && subject.slice(0, at).replaceAll(BRACKETS, '').trim() === '';

/** Takes the marks out of a subject, the most significant first. */
function takeMarks(subject: string): { rest: string; marks: Mark[] } {
  const marks: Mark[] = [];
  const note = (text: string, state: AlertState | undefined): boolean => {
    if (state === undefined) return false;
    marks.push({ text: text.trim(), state });
    return true;
  };
  let rest = withoutBracketMarks(subject, (mark) => marks.push(mark)).trim();
  let parts = 0;
  for (; parts < MAX_FIRST_PARTS; parts += 1) {
    const first = FIRST_PART.exec(rest);
    const said = first?.[1] ?? '';
    const mark = lastWordsOf(said);
    if (!first || !isMarkOfFirstPart(said) || !note(mark, stateOfMark(mark) ?? stateOfLevel(mark))) break;
    rest = `${subjectOfFirstPart(said)} ${rest.slice(first[0].length)}`.trim();
  }
  // A word such as LOW in capitals may belong to what follows it.
  const capitals = parts === 0 ? CAPITALS.exec(rest) : null;
  if (capitals && note(capitals[1] ?? '', stateOfMark(capitals[1] ?? ''))) rest = rest.slice(capitals[0].length).trim();
  const last = LAST_PART.exec(rest) ?? LAST_WORD.exec(rest);
  const said = last?.[1] ?? '';
  const isLastMark = last !== null && (last[0].trim() !== said || CLEAR_LAST.has(said.toLowerCase()));
  if (isLastMark && note(said, stateOfMark(said))) rest = rest.slice(0, last.index);
  return { rest, marks };
}

/** `Resolved in 5m 3s` is one, and so is `Monitor is DOWN`; `New disk` is not. */
function isMarkOfFirstPart(text: string): boolean {
  const words = wordsOf(text.replace(CHANGING[3] ?? '', ''));
  return (
    words.length > 0 &&
    (words.length === 1 || words.some((word) => GLUE.has(word)) || /^\p{Lu}[\p{Lu}\s]+$/u.test(text))
  );
}

/** Takes the marks in brackets out of a subject. What one is about stays: `[web-1]` of `[web-1 OK]`. */
const withoutBracketMarks = (subject: string, onMark?: (mark: Mark) => void): string =>
  subject.replaceAll(BRACKETS, (whole, inside: string, at: number) => {
    const found = readBracket(inside, isAtBeginning(subject, whole, at));
    if (!found) return isCounter(inside) ? ' ' : whole;
    onMark?.(found);
    return found.about === '' ? ' ' : `[${found.about}]`;
  });

/**
 * What something in brackets says where it is a mark: `[RESOLVED]`, `[Alert resolved]`, `(back to normal)`, and at the
 * beginning also `[web-1 OK]`. `[Online Shop]` and `(End of Life)` are names, and `Deployment failed (tests OK)` failed.
 */
function readBracket(inside: string, isFirst: boolean): (Mark & { about: string }) | undefined {
  const words = wordsOf(lastWordsOf(inside)).filter((word) => !/^x?\d*x?$/.test(word));
  const isMark = isWordOfState(words.join('')) || words.every((word) => isWordOfState(word) || OF_MARKS.has(word));
  const state = (isMark ? stateOfMark(inside) : undefined) ?? (isFirst ? stateOfLevel(inside) : undefined);
  if (state !== undefined) return { text: inside.trim(), state, about: nameIn(subjectOfFirstPart(inside)) };
  const [, name = '', last = ''] = (isFirst && /^(.*\S)\s+(\p{L}{2,20})\s*$/u.exec(inside)) || [];
  // `[web-1 UP]` is a mark, `[Back Up]` and `[SIGN UP]` are names.
  const isLastWord = LAST_IN_BRACKETS.has(last.toLowerCase()) || (last === 'UP' && /[\p{Ll}\d]/u.test(name));
  const isLastMark = isLastWord && !wordsOf(name).some((word) => LESSENING.has(word));
  const said = isLastMark ? (stateOfMark(last) ?? stateOfLevel(last)) : undefined;
  return said && { text: last, state: said, about: nameIn(name) };
}

/** Words at the end of a bracket that say where something stands, or how bad it is, and are no part of a name. */
const LAST_IN_BRACKETS = new Set([
  ...CLEAR_LAST,
  ...'critical warning error high unknown unreachable alert alarm problem'.split(' '),
]);

/** Words before the last one of a bracket with which it says something else: `[Not fully recovered]`. */
const LESSENING = new Set('not no never partially partly almost nearly'.split(' '));

/** What a mark is about, unless that is a word such as "Alert" alone. */
const nameIn = (text: string): string =>
  wordsOf(text).every((word) => OF_MARKS.has(word) || isWordOfState(word)) ? '' : text.trim();

const isWordOfState = (word: string): boolean =>
  standingOfText(word) !== undefined || SEVERITY_MARKS.has(word) || GLUE.has(word);

/** What a mark may name beside the state: what has it, and negations. */
const OF_MARKS = new Set(
  'alert alerts alarm incident incidents problem problems issue outage event monitor check service host server severity sev priority not no'.split(
    ' ',
  ),
);

/** What the mark is of a first part: behind its `is`, or all of it without how long it took. */
const lastWordsOf = (text: string): string =>
  text.replace(/^.*\s(?:is|has|was)\s+/i, '').replace(CHANGING[3] ?? '', '');

/** What a first part is about: `Monitor` of `Monitor is DOWN`. */
const subjectOfFirstPart = (text: string): string => /^(.*?)\s(?:is|has|was)\s/i.exec(text)?.[1] ?? '';

const isCounter = (text: string): boolean => /^\s*[x×]?\s*\d+\s*(?:[x×]|new|alerts?|firing)?\s*$/i.test(text);

/** Where something stands by the words of a mark: with `firing:2` its counter is left out. */
function stateOfMark(text: string): AlertState | undefined {
  const words = text.replaceAll(/[\d:#×]+/g, ' ').trim();
  if (words === '' || wordsOf(words).length > MAX_MARK_WORDS) return undefined;
  switch (standingOfText(words)) {
    case 'resolved':
    case 'succeeded':
      return 'resolved';
    case 'acknowledged':
      return 'acknowledged';
    case 'firing':
    case 'failed':
      return 'firing';
    default:
      return undefined;
  }
}

const MAX_MARK_WORDS = 3;

/** `HIGH: …` and `[P1] …` say how bad it is, and with that where it stands: such a mail reports a problem. */
const stateOfLevel = (text: string): AlertState | undefined =>
  SEVERITY_MARKS.has(text.trim().toLowerCase()) ? 'firing' : undefined;

/** Words of severity that mean nothing else where they stand alone. */
const SEVERITY_MARKS = new Set(
  Object.values(SEVERITY_WORDS)
    .flat()
    .filter((word) => !OVER.has(word) && word !== 'none'),
);

/** `PROBLEM … is OK` does not exist, `RESOLVED … is CRITICAL` does: what is over counts before what it was. */
function decide(marks: readonly Mark[]): { state: AlertState; mark: string } | undefined {
  const found =
    marks.find(({ state }) => state === 'resolved') ?? marks.find(({ state }) => state === 'acknowledged') ?? marks[0];
  return found && { state: found.state, mark: found.text };
}

/** The worst that the marks say. */
function severityIn(marks: readonly Mark[]): AlertSeverity | undefined {
  const found = new Set(
    marks.flatMap(({ text }) => wordsOf(text).map((word) => LEVELS.get(word) ?? severityOfWord(word))),
  );
  return ORDER.find((severity) => found.has(severity));
}
const ORDER: readonly AlertSeverity[] = ['critical', 'high', 'warning', 'low', 'info'];

/** Marks in brackets are not part of what a headline says: a card shows the state by itself. */
function headlineOf(subject: string): string {
  const rest = withoutBracketMarks(subject)
    .replaceAll(/^\*+\s*|\s*\*+$/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : subject;
}

/** What is left of a subject when what changes from report to report is taken out, in lower case. */
function keyOf(text: string): string {
  let rest = text;
  for (const changing of CHANGING) rest = rest.replaceAll(changing, ' ');
  return rest
    .toLowerCase()
    .split(/[^\p{L}\p{N}._/@#-]+/u)
    .map((word) => word.replaceAll(/^[._/-]+|[._/-]+$/g, ''))
    .filter((word) => word !== '' && !GLUE.has(word))
    .join(' ');
}
