import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { isAcknowledged, isClosed, lastOccurredAtOf, aliasOf, messageOf, priorityOf, updatedAtOf } from './present.ts';
import { type ReadAlert, tinyIdOf } from './read-alerts.ts';

/** Whether an alert is searched for. */
export type Matches = (alert: ReadAlert) => boolean;

/** A condition on alerts, and whether none of the closed ones meets it. */
export interface Condition {
  matches: Matches;
  isOpenOnly: boolean;
}

/** Longest query, and most conditions of one. */
const MAX_QUERY = 1_000;
const MAX_CONDITIONS = 50;

type Operator = ':' | '<' | '<=' | '>' | '>=';

/** How values of a field are compared. */
type Field =
  | { kind: 'text'; read: (alert: ReadAlert) => string | readonly string[]; isWhole: boolean }
  | { kind: 'choice'; read: (alert: ReadAlert) => string; values: readonly string[] }
  | { kind: 'number'; read: (alert: ReadAlert) => number; isTime: boolean };

const yesOrNo = (read: (alert: ReadAlert) => boolean): Field => ({
  kind: 'choice',
  read: (alert) => String(read(alert)),
  values: ['true', 'false'],
});
const text = (read: (alert: ReadAlert) => string | readonly string[], isWhole = false): Field => ({
  kind: 'text',
  read,
  isWhole,
});
const TAGS = text(({ fields }) => fields.tags, true);

/** The fields that are searched, in small letters. */
const FIELDS: Readonly<Record<string, Field>> = {
  status: { kind: 'choice', read: (alert) => (isClosed(alert) ? 'closed' : 'open'), values: ['open', 'closed'] },
  acknowledged: yesOrNo(isAcknowledged),
  snoozed: yesOrNo(({ snoozedUntil }) => snoozedUntil !== null),
  priority: { kind: 'choice', read: priorityOf, values: ['P1', 'P2', 'P3', 'P4', 'P5'] },
  alias: text(aliasOf, true),
  alertid: text(({ id }) => id, true),
  tinyid: text(({ id }) => tinyIdOf(id), true),
  message: text(messageOf),
  description: text(({ fields }) => fields.description),
  entity: text(({ fields }) => fields.entity, true),
  source: text(({ fields }) => fields.source, true),
  tag: TAGS,
  tags: TAGS,
  count: { kind: 'number', read: ({ occurrences }) => occurrences, isTime: false },
  createdat: { kind: 'number', read: ({ receivedAt }) => receivedAt, isTime: true },
  updatedat: { kind: 'number', read: updatedAtOf, isTime: true },
  lastoccurredat: { kind: 'number', read: lastOccurredAtOf, isTime: true },
};

/** What words without a field are looked for in. */
const ANYWHERE = text((alert) => [messageOf(alert), aliasOf(alert), ...alert.fields.tags]);

const SUPPORTED =
  'status, acknowledged, snoozed, priority, alias, alertId, tinyId, message, description, entity, source, tag, details.NAME, ' +
  'count, createdAt, updatedAt and lastOccurredAt';

const isDetail = /^details\.(.+)$/i;

/** A piece of a query: a word or a quoted text, or a mark. */
interface Token {
  kind: 'word' | 'mark';
  text: string;
  isQuoted: boolean;
}

const TOKEN = /\s+|"((?:[^"\\]|\\.)*)"|([()]|[<>]=?|[:=])|([^\s"()<>:=]+)/gy;

function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { 0: whole, 1: quoted, 2: mark, 3: word, index } of query.matchAll(TOKEN)) {
    at = index + whole.length;
    if (mark !== undefined) tokens.push({ kind: 'mark', text: mark === '=' ? ':' : mark, isQuoted: false });
    else if (quoted !== undefined) {
      tokens.push({ kind: 'word', text: quoted.replaceAll(/\\(.)/g, '$1'), isQuoted: true });
    } else if (word !== undefined) tokens.push({ kind: 'word', text: word, isQuoted: false });
  }
  if (at !== query.length) throw unacceptable('The query has a quote that does not end.');
  return tokens;
}

/**
 * Reads a query in the language of Opsgenie: conditions such as `status: open`, `priority: (P1 OR P2)`, `createdAt > 1700000000000`
 * and `tag: db*`, joined by AND, OR, NOT and brackets; words by themselves are looked for in message, alias and tags.
 *
 * @throws {ProblemError} 422 for what is not supported, with a sentence
 */
export function readQuery(query: string): Condition {
  if (query.length > MAX_QUERY) throw unacceptable(`The query is longer than ${MAX_QUERY} characters.`);
  return new QueryReader(tokensOf(query)).read();
}

class QueryReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #conditions = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): Condition {
    if (this.#tokens.length === 0) return { matches: () => true, isOpenOnly: false };
    const condition = this.#either();
    if (this.#next) throw unacceptable(`The query has a ${this.#next.text} too many.`);
    return condition;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #isMark(mark: string): boolean {
    return this.#next?.kind === 'mark' && this.#next.text === mark;
  }

  #isWord(word: string): boolean {
    return this.#next?.kind === 'word' && !this.#next.isQuoted && this.#next.text.toUpperCase() === word;
  }

  #skipWord(word: string): boolean {
    if (!this.#isWord(word)) return false;
    this.#at += 1;
    return true;
  }

  #either(): Condition {
    const parts = [this.#both()];
    while (this.#skipWord('OR')) parts.push(this.#both());
    return anyOf(parts);
  }

  #both(): Condition {
    const parts = [this.#one()];
    while (this.#next && !this.#isWord('OR') && !this.#isMark(')')) {
      this.#skipWord('AND');
      parts.push(this.#one());
    }
    return allOf(parts);
  }

  #one(): Condition {
    this.#count();
    if (this.#skipWord('NOT')) return not(this.#one());
    if (this.#isMark('(')) return this.#inBrackets(() => this.#either());
    const name = this.#takeWord().text;
    const operator = this.#next;
    if (operator?.kind !== 'mark' || operator.text === '(' || operator.text === ')') {
      return conditionOf(ANYWHERE, 'text', ':', name);
    }
    this.#at += 1;
    const field = fieldOf(name);
    const value = (): Condition => conditionOf(field, name, operator.text as Operator, this.#takeWord().text);
    return this.#isMark('(') ? this.#inBrackets(() => this.#values(value)) : value();
  }

  /** Values of one field: `(P1 OR P2)`. */
  #values(value: () => Condition): Condition {
    const part = (): Condition => {
      this.#count();
      return this.#skipWord('NOT') ? not(value()) : value();
    };
    const parts = [part()];
    const isEvery = this.#isWord('AND');
    while (this.#skipWord(isEvery ? 'AND' : 'OR')) parts.push(part());
    return isEvery ? allOf(parts) : anyOf(parts);
  }

  #count(): void {
    this.#conditions += 1;
    if (this.#conditions > MAX_CONDITIONS) {
      throw unacceptable(`The query has more than ${MAX_CONDITIONS} conditions.`);
    }
  }

  #inBrackets(read: () => Condition): Condition {
    this.#at += 1;
    const condition = read();
    if (!this.#isMark(')')) throw unacceptable('The query has a bracket that does not end.');
    this.#at += 1;
    return condition;
  }

  #takeWord(): Token {
    const token = this.#next;
    if (token?.kind !== 'word')
      throw unacceptable(`The query ends or has ${token?.text ?? 'nothing'} where a word is expected.`);
    this.#at += 1;
    return token;
  }
}

const anyOf = (parts: readonly Condition[]): Condition => ({
  matches: (alert) => parts.some(({ matches }) => matches(alert)),
  isOpenOnly: parts.every(({ isOpenOnly }) => isOpenOnly),
});

const allOf = (parts: readonly Condition[]): Condition => ({
  matches: (alert) => parts.every(({ matches }) => matches(alert)),
  isOpenOnly: parts.some(({ isOpenOnly }) => isOpenOnly),
});

const not = ({ matches }: Condition): Condition => ({ matches: (alert) => !matches(alert), isOpenOnly: false });

function fieldOf(name: string): Field {
  const [, detail] = isDetail.exec(name) ?? [];
  if (detail !== undefined)
    return text(({ fields }) => (Object.hasOwn(fields.details, detail) ? fields.details[detail]! : ''));
  const known = name.toLowerCase();
  if (!Object.hasOwn(FIELDS, known)) {
    throw unacceptable(`The field ${name.slice(0, 40)} cannot be searched. Fields are ${SUPPORTED}.`);
  }
  return FIELDS[known]!;
}

function conditionOf(field: Field, name: string, operator: Operator, value: string): Condition {
  const isOpenOnly = field === FIELDS['status'] && operator === ':' && value.toLowerCase() === 'open';
  return { matches: matchesOf(field, name, operator, value), isOpenOnly };
}

function matchesOf(field: Field, name: string, operator: Operator, value: string): Matches {
  if (field.kind === 'number') {
    const number = field.isTime ? timeOf(name, value) : Number(value);
    if (!Number.isFinite(number)) throw unacceptable(`${value.slice(0, 40)} is no number for ${name}.`);
    return (alert) => compare(field.read(alert), operator, number);
  }
  if (field.kind === 'choice') {
    const at = field.values.findIndex((one) => one.toLowerCase() === value.toLowerCase());
    if (at < 0) throw unacceptable(`${name} is one of ${field.values.join(', ')}.`);
    // P1 is the highest priority.
    return (alert) => compare(-field.values.indexOf(field.read(alert)), operator, -at);
  }
  if (operator !== ':') throw unacceptable(`${name} cannot be compared with ${operator}.`);
  const isMatch = textMatch(value, field.isWhole);
  return (alert) => {
    const read = field.read(alert);
    return typeof read === 'string' ? isMatch(read) : read.some((one) => isMatch(one));
  };
}

/** Without regard to case; `*` stands for anything. A field of words has the text anywhere in it. */
function textMatch(value: string, isWhole: boolean): (text: string) => boolean {
  const parts = value.toLowerCase().split('*');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1)
    return (read) => (isWhole ? read.toLowerCase() === first : read.toLowerCase().includes(first));
  return (read) => {
    const low = read.toLowerCase();
    let at = 0;
    for (const [index, part] of parts.entries()) {
      const foundAt = low.indexOf(part, at);
      if (foundAt < 0 || (isWhole && index === 0 && foundAt > 0)) return false;
      at = foundAt + part.length;
    }
    return !isWhole || low.endsWith(last);
  };
}

function compare(read: number, operator: Operator, value: number): boolean {
  switch (operator) {
    case '<':
      return read < value;
    case '<=':
      return read <= value;
    case '>':
      return read > value;
    case '>=':
      return read >= value;
    default:
      return read === value;
  }
}

/** Milliseconds, a day as Opsgenie writes it (`31-12-2026`), or a time of ISO 8601. */
function timeOf(name: string, value: string): number {
  if (/^\d{5,15}$/.test(value)) return Number(value);
  const time = Date.parse(value.replace(/^(\d\d)-(\d\d)-(\d{4})$/, '$3-$2-$1'));
  if (Number.isNaN(time))
    throw unacceptable(`${value.slice(0, 40)} is no time for ${name}: give milliseconds or a date.`);
  return time;
}
