/** Longest text that is read, in characters: a headline keeps three hundred. */
const MAX_READ = 2_000;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#34': '"',
};

/** What a text may have that is not plain, anywhere and at its beginning: one expression for both takes ten times as long. */
const MARKED = /[<&*_`~[#\n]/;
const MARKED_BEGINNING = /^[\s\d[(]/;

/**
 * A text without HTML, Markdown, Slack's markup and the time that it begins with: what a headline shows.
 *
 * @param isTitle it is a headline as a whole; of any other text of several lines it is the first that has something
 */
export function plainText(text: string, isTitle = false): string {
  const looked = text.slice(0, MAX_READ);
  if (!MARKED.test(looked) && !MARKED_BEGINNING.test(looked)) return looked.trim();
  const plain = withoutTags(looked);
  const line = (isTitle ? [plain] : plain.split('\n'))
    .map((one) => withoutMarks(one).trim())
    .find((one) => /[\p{L}\p{N}]/u.test(one));
  return (line ?? '').replace(LEADING_TIME, '').trim();
}

/** A time or a date at the beginning of what a program logged. */
const LEADING_TIME =
  /^\[?(?:\d{4}-\d{2}-\d{2}[T ])?\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?\]?\s*[:|-]?\s+(?=\S)/;

function withoutTags(text: string): string {
  return text
    .replaceAll(/<(?:https?:|mailto:)[^|>\s]*\|([^>]*)>/gi, '$1')
    .replaceAll(/<(https?:[^>\s]*)>/gi, '$1')
    .replaceAll(/<(?:script|style)\b[^>]*>[^]*?<\/(?:script|style)>/gi, ' ')
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^>]*>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(#?\w{2,6});/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s{0,3}#{1,6}\s+/, '')
    .replace(/^\s*(?:[*+-]|\d+\.)\s+(?=\S)/, '')
    .replaceAll(/!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*\)/g, '$1')
    .replaceAll(/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2')
    .replaceAll(/(^|[\s(])[*_](?=\S)([^*_]+)[*_](?=$|[\s).,:;!?])/g, '$1$2')
    .replaceAll(/`([^`]+)`/g, '$1');
}
