import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { cutText } from '#backend/contract/cut-text.ts';
import { shortLine } from '#backend/contract/notices.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { PROBLEM_KEY, SEVERITY_WORDS, STATE_WORDS, TECHNICAL_KEY } from '#backend/contract/problem-words.ts';
import { type JsonValue, readJson } from '#backend/intake/json/json-value.ts';

/** Fields of an alert's payload in a message, and how long each may be, in characters. */
const MAX_FIELDS = 20;
const MAX_FIELD_NAME = 60;
const MAX_FIELD_VALUE = 500;

/** How deep objects are looked into for fields. */
const MAX_DEPTH = 3;

/** Keys that a message says elsewhere, in lower case. */
const SAID_ELSEWHERE = new Set([
  'customer',
  'customername',
  'alerttype',
  'alert type',
  'alert_type',
  'type',
  'pk',
  'title',
  'severity',
]);

/** What people see of a message's fields, and of a value, in characters. */
const SHOWN_FIELDS = 4;
const SHOWN_VALUE = 200;

/** A field as a message has it: its name as people read it, and its value as it was received. */
export interface MessageField {
  name: string;
  value: string;
}

/** What the field with this key of a payload is called in messages. */
export const fieldNameOf = (key: string): string => shortLine(key.replaceAll('_', ' '), MAX_FIELD_NAME);

/**
 * The fields of a payload that people read: plain values, those inside objects by their own name. Numbers keep the digits
 * with which they were received.
 */
export function fieldsOf(payload: string): MessageField[] {
  const fields: MessageField[] = [];
  const add = (object: JsonValue, depth: number): void => {
    // Of several members with one name the last one counts.
    const last = new Map<string, number>();
    for (let at = 0; at < object.size; at += 1) last.set(object.nameAt(at), at);
    for (const [key, at] of last) {
      if (fields.length >= MAX_FIELDS) return;
      if (key.startsWith('_') || SAID_ELSEWHERE.has(key.toLowerCase())) continue;
      const member = object.memberAt(at, key);
      if (member.isObject && depth < MAX_DEPTH) add(member, depth + 1);
      const [name, text] = [fieldNameOf(key), textOf(member)];
      if (text === undefined || name === '' || fields.some((field) => field.name === name)) continue;
      fields.push({ name, value: shortLine(text, MAX_FIELD_VALUE) });
    }
  };
  const read = readJson(payload, WEBHOOK_MAX_DEPTH);
  if (typeof read !== 'string') add(read, 1);
  return fields;
}

/** A plain value as text; undefined for what is empty, an object or an array. */
const textOf = (value: JsonValue): string | undefined => value.boolean?.toString() ?? value.string;

/** What a message says beside the fields of its alert. */
interface SaidOfAlert {
  /** The title, which may be cut. */
  headline: string;
  saysSeverity: boolean;
}

/**
 * The fields that people are shown: first those that say something, last what only machines read. None repeats what the
 * message says otherwise as a whole, in the sender's words or the product's.
 */
export function shownFieldsOf(
  { customer, alertType, source, severity, state, fields }: OutgoingPayload['data']['alert'],
  { headline, saysSeverity }: SaidOfAlert,
): MessageField[] {
  const said = new Set([headline, customer, alertType, source].map((text) => text?.toLowerCase()));
  // That somebody else is at it already, by the sender, no message says otherwise.
  const isStateSaid = state === 'firing' || state === 'resolved';
  const words: ReadonlySet<string> = new Set([
    ...(saysSeverity && severity !== 'none' ? [severity, ...SEVERITY_WORDS[severity]] : []),
    ...(isStateSaid ? [state, ...STATE_WORDS[state]] : []),
  ]);
  const isRepeat = ({ name, value }: MessageField): boolean =>
    said.has(value.toLowerCase()) || (PROBLEM_KEY.test(name.toLowerCase()) && words.has(value.toLowerCase()));
  const [technical, others] = [true, false].map((isTechnical) =>
    fields.filter((field) => !isRepeat(field) && TECHNICAL_KEY.test(field.name.replaceAll(' ', '_')) === isTechnical),
  );
  return [...(others ?? []), ...(technical ?? [])]
    .slice(0, SHOWN_FIELDS)
    .map(({ name, value }) => ({ name, value: cutText(value, SHOWN_VALUE) }));
}
