import type { Alert } from '#backend/contract/alert.ts';
import { cardFieldsOf } from '#renderer/alerts/card/card-fields.ts';
import { isEmptyValue, isNested } from '#renderer/alerts/data/summarise-value.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { layOut, linesOf, readJson } from '#renderer/lib/json-lines.ts';
import * as texts from './texts.ts';

/** One value of an alert, at its path in what was received: `labels.instance`. */
export interface PanelField {
  /** Unlike the name, the same for no other field. */
  id: string;
  name: string;
  /** The last step of the path, by which times are recognised. */
  key: string;
  value: unknown;
}

/** Deepest object whose values are fields of their own; deeper ones are shown as JSON. */
const DEEPEST = 4;

const known = new WeakMap<Alert, PanelField[]>();

/** A text of so many words is a sentence: what happened, in the sender's words. */
const SENTENCE_WORDS = 5;

const isSentence = (value: unknown): boolean =>
  typeof value === 'string' && value.trim().split(/\s+/, SENTENCE_WORDS).length >= SENTENCE_WORDS;

/** Every value of the payload and the extra data: those of the card first, then sentences, such as the text of an email. */
export function panelFieldsOf(alert: Alert): PanelField[] {
  const found = known.get(alert);
  if (found) return found;
  const all = [
    ...valuesIn(alert.latestPayload ?? alert.payload, 'payload.', '', 1),
    ...valuesIn(alert.extraData, 'extraData.', '', 1),
  ];
  const onCard = cardFieldsOf(alert).shown.map(({ id }) => id);
  const rankOf = ({ id, value }: PanelField): number => {
    const rank = onCard.findIndex((shown) => id === shown || id.startsWith(`${shown}.`));
    if (rank !== -1) return rank;
    return isSentence(value) ? onCard.length : onCard.length + 1;
  };
  const fields = all.map((field) => ({ field, rank: rankOf(field) })).sort((one, other) => one.rank - other.rank);
  const sorted = fields.map(({ field }) => field);
  known.set(alert, sorted);
  return sorted;
}

function valuesIn(object: object, source: string, prefix: string, depth: number): PanelField[] {
  return Object.entries(object).flatMap(([key, value]: [string, unknown]) => {
    const path = `${prefix}${key}`;
    return isNested(value) && !Array.isArray(value) && !isEmptyValue(value) && depth < DEEPEST
      ? valuesIn(value, source, `${path}.`, depth + 1)
      : [{ id: `${source}${path}`, name: inertLine(path) || path, key, value }];
  });
}

/** A field's value as it is copied and searched: text as it came, everything else as JSON. */
export const plainValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** All fields as lines of text, `host: db-7`. */
export const fieldsAsText = (fields: readonly PanelField[]): string =>
  fields.map(({ name, value }) => `${name}: ${plainValue(value)}`).join('\n');

/** The fields whose name or value contains what is looked for, in whatever case. */
export function findFields(fields: readonly PanelField[], search: string): readonly PanelField[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return fields;
  return fields.filter(
    ({ name, value }) => name.toLowerCase().includes(wanted) || plainValue(value).toLowerCase().includes(wanted),
  );
}

/** A payload as text. */
export interface RawPayload {
  label: string;
  text: string;
}

/** The payloads of `GET /api/alerts/{id}` from its text, laid out with every digit, key and notation as received. */
export function rawPayloadsIn(answer: string): RawPayload[] {
  const root = readJson(answer);
  if (root?.kind !== 'object') return [];
  const textOf = (name: string): string | undefined => {
    const found = root.members.find(({ key }) => key === name);
    return found && layOut(linesOf(found.node, false));
  };
  const [first = '', latest] = [textOf('payload'), textOf('latestPayload')];
  return latest === undefined
    ? [{ label: texts.payload, text: first }]
    : [
        { label: texts.latestDelivery, text: latest },
        { label: texts.firstDelivery, text: first },
      ];
}
