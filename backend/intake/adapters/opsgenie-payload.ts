import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import { readString, scanMembers } from '#backend/intake/json/scan-json.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';

/** An object's members by name, each as the text that it stands as: numbers keep their digits. */
function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  if (!text.startsWith('{')) return members;
  scanMembers(text, 0, (keyStart, keyEnd, start, end) => {
    members.set(readString(text, keyStart, keyEnd), text.slice(start, end));
  });
  return members;
}

const objectOf = (members: ReadonlyMap<string, string>): JsonText =>
  jsonText(`{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);

/** The texts of an array without space around them, as tags are; what is no text or number is left out. */
const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .filter((one) => typeof one === 'string' || typeof one === 'number')
        .map((one) => String(one).trim())
        .filter((one) => one !== '')
    : [];

const tagsIn = (members: ReadonlyMap<string, string>): string[] => textsIn(JSON.parse(members.get('tags') ?? '[]'));

/** How a payload is changed. The members of what is changed are the payload's own, by their texts. */
type Change = (members: Map<string, string>) => void;

/** What is too large to be one alert stays as it is. */
const changed = (newest: JsonText, change: Change): JsonText => {
  const members = membersOf(newest);
  change(members);
  const payload = objectOf(members);
  return payload.length > WEBHOOK_MAX_BYTES || payload === objectOf(membersOf(newest)) ? newest : payload;
};

const setTags = (members: Map<string, string>, tags: readonly string[]): void => {
  if (tags.length > 0 || members.has('tags')) members.set('tags', JSON.stringify([...new Set(tags)]));
};

/** Nothing of the payload changes. */
export const keep = (newest: JsonText): JsonText => newest;

/** The same alert created again: what it says now counts, and tags and details that were added since stay. */
export const mergeCreated =
  (created: JsonText) =>
  (newest: JsonText): JsonText => {
    const now = membersOf(created);
    const merged = changed(newest, (members) => {
      const [tags, details] = [tagsIn(members), membersOf(members.get('details') ?? '')];
      for (const [name, text] of now) members.set(name, text);
      setTags(members, [...tags, ...tagsIn(now)]);
      for (const [name, text] of membersOf(now.get('details') ?? '')) details.set(name, text);
      if (details.size > 0) members.set('details', objectOf(details));
    });
    return merged;
  };

export const addTags = (tags: readonly string[]) => (newest: JsonText) =>
  changed(newest, (members) => setTags(members, [...tagsIn(members), ...tags]));

export const removeTags = (tags: readonly string[]) => (newest: JsonText) =>
  changed(newest, (members) =>
    setTags(
      members,
      tagsIn(members).filter((tag) => !tags.includes(tag)),
    ),
  );

/** @param added the object of the request, as its text */
export const addDetails = (added: string) => (newest: JsonText) =>
  changed(newest, (members) => {
    const details = membersOf(members.get('details') ?? '');
    for (const [name, text] of membersOf(added)) details.set(name, text);
    members.set('details', objectOf(details));
  });

export const removeDetails = (names: readonly string[]) => (newest: JsonText) =>
  changed(newest, (members) => {
    const details = membersOf(members.get('details') ?? '');
    for (const name of names) details.delete(name);
    if (members.has('details')) members.set('details', objectOf(details));
  });

/** Sets one field, such as the message. */
export const setField = (name: string, value: string) => (newest: JsonText) =>
  changed(newest, (members) => members.set(name, JSON.stringify(value)));

/** The text of a member of a body, as it was sent. */
export const memberText = (body: string, name: string): string => membersOf(body.trim()).get(name) ?? '';

/** What of an alert Opsgenie has fields for, as its payload says it. */
export interface AlertFields {
  alias: string;
  message: string;
  description: string;
  entity: string;
  source: string;
  tags: string[];
  actions: string[];
  details: Record<string, string>;
  responders: unknown[];
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Reads the fields of a payload: of a created or imported alert, or of Opsgenie's webhook, which has them in `alert`. */
export function readFields(payload: string): AlertFields {
  const root: unknown = JSON.parse(payload);
  const own = isFields(root) ? root : {};
  const fields = isFields(own['alert']) ? { ...own['alert'], ...own } : own;
  const details = isFields(fields['details']) ? fields['details'] : {};
  return {
    alias: textOf(fields['alias']),
    message: textOf(fields['message']),
    description: textOf(fields['description']),
    entity: textOf(fields['entity']),
    source: textOf(fields['source']),
    tags: textsIn(fields['tags']),
    actions: textsIn(fields['actions']),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
    responders: Array.isArray(fields['responders']) ? fields['responders'] : [],
  };
}
