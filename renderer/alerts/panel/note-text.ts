/** A part of a note: text, a link, or a colleague's name. */
export interface NotePart {
  kind: 'text' | 'link' | 'mention';
  /** Where it begins in the note. */
  at: number;
  text: string;
}

const LINK = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}']/gi;

/** A note cut into links, mentions and the text between. */
export function notePartsOf(text: string, names: readonly string[]): NotePart[] {
  const marked = [
    ...[...text.matchAll(LINK)].map((match): NotePart => ({ kind: 'link', at: match.index, text: match[0] })),
    ...names.flatMap((name) => mentionsOf(text, name)),
  ].sort((one, other) => one.at - other.at || other.text.length - one.text.length);
  const parts: NotePart[] = [];
  let at = 0;
  for (const part of marked) {
    if (part.at < at) continue;
    if (part.at > at) parts.push({ kind: 'text', at, text: text.slice(at, part.at) });
    parts.push(part);
    at = part.at + part.text.length;
  }
  if (at < text.length) parts.push({ kind: 'text', at, text: text.slice(at) });
  return parts;
}

function mentionsOf(text: string, name: string): NotePart[] {
  const mention = `@${name}`;
  const found: NotePart[] = [];
  for (let at = text.indexOf(mention); at !== -1; at = text.indexOf(mention, at + mention.length)) {
    found.push({ kind: 'mention', at, text: mention });
  }
  return found;
}

/** Ids of those whom a note mentions, of these people. A name that only begins a longer one that is mentioned is not mentioned. */
export function mentionedIn(text: string, people: readonly { id: string; name: string }[]): string[] {
  const names = people.map(({ name }) => name);
  const mentions = notePartsOf(text, names).filter(({ kind }) => kind === 'mention');
  const mentioned = new Set(mentions.map((mention) => mention.text));
  return people.filter(({ name }) => mentioned.has(`@${name}`)).map(({ id }) => id);
}

/** What is typed after an `@` that may become a mention: where the `@` is, and what to look for. */
export interface MentionSearch {
  at: number;
  search: string;
}

/** Longest name that is looked for while it is typed. */
const LONGEST = 40;

/** The mention that the text before the caret may end with; undefined when there is none. */
export function mentionAt(text: string, caret: number): MentionSearch | undefined {
  const before = text.slice(0, caret);
  const at = before.lastIndexOf('@');
  if (at === -1 || (at > 0 && !/[\s(]/.test(before.charAt(at - 1)))) return undefined;
  const search = before.slice(at + 1);
  return search.length > LONGEST || /\n|\s\s|^\s/.test(search) ? undefined : { at, search: search.trim() };
}
