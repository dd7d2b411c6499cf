import { type Found, joinFound, traced, tracedToAll } from '#backend/intake/json/found.ts';
import { isKind, wordsOf } from './field-names.ts';
import type { StandingWord } from './standing.ts';
import { type Field, type Survey, isOfWatched } from './survey.ts';
import { plainText } from './plain-text.ts';

/** Fields that cost more speak of something else. */
const NEAR = 19;

/** Ranks from which a sentence is a description or a reason, which does not name what it is about. */
const DESCRIBES_FROM = 4;
const MESSAGE_FROM = 2;

/** A message of so many words says enough by itself. */
const ENOUGH_WORDS = /\S(?:\s+\S+){3}/;

/** A name further away names a part of what the event is about. */
const NEAR_SUBJECT = 6;

/** Longest name that is put before a sentence, in characters. */
const MAX_SUBJECT = 80;

interface Part {
  field: Field;
  text: string;
  /** The names that a subject is put together of, where it is: what is checked, and where. */
  names?: readonly Part[];
}

/**
 * What an alert is called: the best sentence of its body, with what it is about where the sentence does not say it, and with
 * where that stands where neither does; undefined where nothing says anything.
 *
 * @param keepsEvent the name of its kind of event stays as it is written, where nothing else names the alert
 */
export function findHeadline(
  found: Survey,
  standing: StandingWord | undefined,
  keepsEvent: boolean,
): Found | undefined {
  const sentence = sentenceOf(found);
  const subject = subjectOf(found, sentence);
  const event = eventOf(found);
  if (sentence) return ofSentence(sentence, subject, event, standing);
  if (subject) return ofSubject(subject, event, standing);
  if (event) return traced(keepsEvent ? event.text : readable(event.text), event.field.value, 'nothing else names it');
  const title = found.sentence.find(({ name, depth }) => name.rank === 0 && depth === 0);
  return title && traced(title.text, title.value, 'nothing else names it');
}

function ofSentence(
  sentence: Part,
  subject: Part | undefined,
  event: Part | undefined,
  standing?: StandingWord,
): Found {
  const rank = sentence.field.name.rank;
  const found = foundOf(sentence);
  const says = (part: string) => includesWords(sentence.text, part);
  // "Deploy 1a5f89db" of something that failed.
  const isShort = rank >= MESSAGE_FROM && !ENOUGH_WORDS.test(sentence.text);
  const isFailure = standing?.standing === 'failed' || (subject === undefined && standing && isTrouble(standing));
  const state = isShort && standing && isFailure && !says(standing.word) ? phraseOf(standing) : undefined;
  const whole = state === undefined ? found : withText(found, `${sentence.text}${state}`, standing);
  // "Request timed out" of a host that is down.
  const isOfState = rank >= MESSAGE_FROM && standing?.from === 'state' && isWatchedThing(subject);
  if (rank < DESCRIBES_FROM && !isShort && !isOfState) return whole;
  const isNear = subject !== undefined && (subject.field.cost < NEAR_SUBJECT || !event || !saysMore(event.text));
  if (isNear) {
    const missing = (subject.names ?? [subject]).filter(({ text }) => !says(text));
    if (missing.length === 0) return whole;
    return joinFound(': ', missing.length > 1 ? foundOf(subject) : foundOf(missing[0]!), whole) ?? whole;
  }
  if (event && saysMore(event.text) && !says(event.text)) {
    return joinFound(': ', traced(readable(event.text), event.field.value), whole) ?? whole;
  }
  return whole;
}

function ofSubject(subject: Part, event: Part | undefined, standing: StandingWord | undefined): Found {
  const found = foundOf(subject);
  const isLess =
    standing?.from === 'event' && event !== undefined && event.field !== standing.field && saysMore(event.text);
  if (standing && !isLess && !includesWords(subject.text, standing.text)) {
    return withText(found, `${subject.text}${phraseOf(standing)}`, standing);
  }
  if (event && saysMore(event.text)) {
    return joinFound(': ', traced(readable(event.text), event.field.value), found) ?? found;
  }
  return found;
}

const foundOf = ({ field, text, names }: Part): Found =>
  names
    ? tracedToAll(
        text,
        names.map((one) => one.field.value),
        'what is checked, and where',
      )
    : text === field.text
      ? traced(text, field.value)
      : traced(text, field.value, 'as plain text');

const withText = (found: Found, text: string, standing: StandingWord | undefined): Found =>
  tracedToAll(
    text,
    standing ? [found, standing.field.value] : [found],
    `with where it stands: ${standing?.text ?? ''}`,
  );

/** The first sentence that says something. */
function sentenceOf(found: Survey): Part | undefined {
  let best: (Part & { cost: number }) | undefined;
  const phrases = found.type.filter(isPhrase);
  for (const field of phrases.length > 0 ? [...found.sentence, ...phrases] : found.sentence) {
    const isEvent = field.name.role === 'type';
    const cost = field.cost + (isEvent ? 1 : 0);
    if (cost >= NEAR || (best && cost >= best.cost)) continue;
    const isTitle = !isEvent && field.name.rank === 0;
    const text = plainText(field.text, isTitle);
    const isEnough =
      isTitle && field.depth === 0 ? text !== '' && !isUnfilled(text) && !isIdentifier(text) : saysSomething(text);
    if (isEnough) best = { field, text, cost };
  }
  return best;
}

/** Some senders put a sentence where others name the kind of the event. */
const isPhrase = ({ text }: Field): boolean => /\S\s+\S+\s+\S/.test(text);

/** The thing that it is about: the first name that is not a person's, an id or an address. */
function subjectOf(found: Survey, sentence: Part | undefined): Part | undefined {
  for (const field of found.name) {
    if (field.cost >= NEAR) break;
    const text = plainText(field.text);
    if (text === '' || text.length > MAX_SUBJECT || isIdentifier(text) || isUnfilled(text) || isKind(text)) continue;
    if (field === sentence?.field) continue;
    return withPlace(found, { field, text });
  }
  return addressOf(found);
}

const HOSTS = new Set(['host', 'hostname', 'fqdn', 'server', 'node', 'device', 'machine']);
const CHECKS = new Set(['check', 'monitor', 'sensor', 'test', 'service', 'servicedesc', 'metric']);

/** What the noun of a name is: `host_name` and `host` are the same. */
const nounOf = ({ name: { words } }: Field): string => (words.at(-1) === 'name' ? words.at(-2) : words.at(-1)) ?? '';

const isWatchedThing = (subject: Part | undefined): boolean =>
  subject !== undefined && (HOSTS.has(nounOf(subject.field)) || CHECKS.has(nounOf(subject.field)));

/** A check with the host that it is of, and a host with what is checked on it: "HTTP on web-1". */
function withPlace({ name: names }: Survey, subject: Part): Part {
  const noun = nounOf(subject.field);
  const others = HOSTS.has(noun) ? CHECKS : CHECKS.has(noun) ? HOSTS : undefined;
  if (others === undefined) return subject;
  const { depth, within, text } = subject.field;
  const other = names.find(
    (field) => others.has(nounOf(field)) && field.depth === depth && field.within.join() === within.join(),
  );
  if (!other || other.text.length + text.length > MAX_SUBJECT || isIdentifier(other.text)) return subject;
  const part = { field: other, text: other.text };
  const [check, host] = others === HOSTS ? [subject, part] : [part, subject];
  if (includesWords(check.text, host.text) || includesWords(host.text, check.text)) return subject;
  return { field: subject.field, text: `${check.text} on ${host.text}`, names: [check, host] };
}

/** Something that is watched may be called by its address alone. */
function addressOf({ link }: Survey): Part | undefined {
  const field = link.find((one) => one.cost < NEAR && isOfWatched(one));
  const text = field?.text;
  if (field === undefined || text === undefined || text.length > MAX_SUBJECT) return undefined;
  return { field, text: text.replace(/^https?:\/\//i, '').replace(/\/$/, '') };
}

/** What kind of event it is, where it has a name of its own. */
function eventOf({ type }: Survey): Part | undefined {
  let first: Part | undefined;
  for (const field of type) {
    const text = field.text;
    if (field.cost >= NEAR || !field.value.isString || isIdentifier(text) || isUnfilled(text)) continue;
    // "NewErrorOccurred" beside "error_notification".
    if (saysMore(text)) return { field, text };
    first ??= { field, text };
  }
  return first;
}

/** A text that is a headline: not an id, an address, a time, a placeholder that nobody filled in, or one word of state. */
function saysSomething(text: string): boolean {
  // Most headlines: what follows takes ten times as long.
  if (/^[A-Za-z][a-z'-]+ \S/.test(text)) return true;
  if (isIdentifier(text) || isUnfilled(text) || !/\p{L}{2}/u.test(text)) return false;
  const words = wordsOf(text);
  return !(words.length === 1 && EMPTY_WORDS.has(words[0]!)) && !isEventName(text);
}

const EMPTY_WORDS = new Set(
  (
    'ok okay none null undefined unknown true false yes no success error failed failure down up open closed active inactive ' +
    'resolved firing test default n a na empty critical warning info high low medium normal new'
  ).split(' '),
);

/** UUIDs, hashes, numbers, times, addresses of mail. */
const isIdentifier = (text: string): boolean =>
  /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f-]{9,}|\{?[\da-f-]{32,}\}?|[\d.,:+\-/TZ\s]+|\S+@\S+\.\S+|https?:\/\/\S+|arn:\S+|urn:\S+)$/i.test(
    text,
  ) ||
  (/^\S{16,}$/.test(text) && /\d/.test(text) && /^[\da-z]+$/i.test(text) && (text.match(/\d/g)?.length ?? 0) > 4);

/** Placeholders of templates: `$SERVICE`, `{{ name }}`, `%HOST%`, `*insert computer name*`. */
const isUnfilled = (text: string): boolean => /^(?:\$\{?\w+\}?|\{\{.*\}\}|%\w+%|\*insert .*\*|<[\w ]+>)$/i.test(text);

/** The name of a kind of event: `build.complete`, `ALERT_FAILURE`, `deploy-failed`. */
const isEventName = (text: string): boolean =>
  /^[\p{L}\d]+(?:[._:/-][\p{L}\d]+)+$/u.test(text) || /^[\p{Lu}\d_]+$/u.test(text);

/** Whether the name of an event says more than that there was one. */
const saysMore = (text: string): boolean => wordsOf(text).filter((word) => !EMPTY_EVENTS.has(word)).length > 1;
const EMPTY_EVENTS = new Set([
  'event',
  'alert',
  'notification',
  'webhook',
  'message',
  'card',
  'type',
  'change',
  'state',
  'update',
]);

/** The name of an event as words: `QUOTA_EXCEED` is "Quota exceed". */
function readable(text: string): string {
  if (!isEventName(text) && !/^\p{L}+$/u.test(text)) return text;
  const line = wordsOf(text).join(' ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** Whether a text has all words of another. */
function includesWords(text: string, part: string): boolean {
  const lower = text.slice(0, MAX_SEARCHED).toLowerCase();
  return wordsOf(part).every((word) => hasWord(lower, word));
}

function hasWord(lower: string, word: string): boolean {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (!isLetter(lower.charCodeAt(at - 1)) && !isLetter(lower.charCodeAt(at + word.length))) return true;
  }
  return false;
}

/** ASCII letters are enough: other letters are not next to words that are looked for. */
const isLetter = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const MAX_SEARCHED = 1_000;

const isTrouble = ({ standing, from }: StandingWord): boolean =>
  (from !== 'level' && standing === 'firing') || standing === 'failed';

/** Words that follow a name by themselves: "Backup failed". */
const VERBS = new Set(
  (
    'failed started succeeded recovered resolved crashed triggered fired opened reopened closed completed finished passed ' +
    'stopped created activated deactivated acknowledged expired exceeded breached aborted cancelled canceled skipped ' +
    'timedout errored dismissed fixed cleared began ended regressed alerted'
  ).split(' '),
);
/** Words that say how something is: "Backup is down". */
const ADJECTIVES = new Set(
  (
    'down up unreachable unavailable offline online degraded unhealthy healthy critical open active inactive broken late ' +
    'overdue missing firing alerting operational reachable available normal stale unresponsive pending unstable ok ' +
    'running queued failing flapping'
  ).split(' '),
);

/** Words of states as they are said of a name. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['failure', 'failed'],
  ['trigger', 'triggered'],
  ['recovery', 'recovered'],
]);

function phraseOf({ text: written, word, from }: StandingWord): string {
  const text = SPOKEN.get(wordsOf(written).join('')) ?? (from === 'event' ? (SPOKEN.get(word) ?? word) : written);
  const words = wordsOf(text);
  const isOneWord = words.join('') === word || SPOKEN.has(word);
  if (isOneWord && VERBS.has(words.join(''))) return ` ${words.join(' ')}`;
  if (isOneWord && ADJECTIVES.has(word)) return ` is ${word === 'ok' ? 'OK' : words.join(' ')}`;
  return `: ${/^[\p{Lu}\d_\s]+$/u.test(text) || !/\s/.test(text) ? words.join(' ') : text}`;
}
