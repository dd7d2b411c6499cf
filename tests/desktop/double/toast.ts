/** A toast as Windows shows it. */
export interface ShownToast {
  title: string;
  body: string;
  /** The attribution text. */
  sender: string;
  /** What a click on the body hands back; empty without a `launch` attribute. */
  launch: string;
  buttons: { content: string; arguments: string }[];
  isSilent: boolean;
  /** `reminder`, `alarm`, `urgent`: breaks through focus assist. */
  scenario: string | undefined;
}

interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Windows refuses a toast that is larger ("The size of the notification content is too large"). */
const MOST_BYTES = 5 * 1024;

/** Reads a toast's XML as strictly as Windows' parser: what is not well-formed is no toast. */
export function readToast(xml: string): ShownToast {
  if (Buffer.byteLength(xml) > MOST_BYTES) throw new Error('The size of the notification content is too large.');
  const elements = elementsOf(xml);
  const [toast] = elements;
  if (toast?.name !== 'toast') throw new Error('XML: Invalid XML');
  const texts = elements.filter(({ name }) => name === 'text');
  const plain = texts.filter(({ attributes }) => attributes['placement'] === undefined);
  return {
    title: plain[0]?.text ?? '',
    body: plain[1]?.text ?? '',
    sender: texts.find(({ attributes }) => attributes['placement'] === 'attribution')?.text ?? '',
    launch: toast.attributes['launch'] ?? '',
    buttons: elements
      .filter(({ name }) => name === 'action')
      .map(({ attributes }) => ({
        content: attributes['content'] ?? '',
        arguments: attributes['arguments'] ?? '',
      })),
    isSilent: elements.some(({ name, attributes }) => name === 'audio' && attributes['silent'] === 'true'),
    scenario: toast.attributes['scenario'],
  };
}

/** What XML 1.0 allows in a document at all. */
const WRITABLE = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const TOKEN = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([A-Za-z-]+)="([^"]*)"/g;

/** Every element in the order of their starts, with the text that stands right in it. */
function elementsOf(xml: string): Element[] {
  if (!WRITABLE.test(xml)) throw new Error('XML: Invalid XML');
  const all: Element[] = [];
  const open: Element[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const [, slash, name, attributes = '', end, text] = TOKEN.exec(xml) ?? [];
    const inner = open.at(-1);
    if (text !== undefined && inner) inner.text += unescape(text);
    else if (name === undefined) throw new Error('XML: Invalid XML');
    else if (slash === '/') {
      if (open.pop()?.name !== name) throw new Error('XML: Invalid XML');
    } else {
      if (!inner && all.length > 0) throw new Error('XML: Invalid XML');
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, unescape(value)]);
      const element: Element = { name, attributes: Object.fromEntries(pairs) as Record<string, string>, text: '' };
      all.push(element);
      if (end !== '/') open.push(element);
    }
  }
  if (open.length > 0) throw new Error('XML: Invalid XML');
  return all;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string): string =>
  text.replaceAll(/&(?:(amp|lt|gt|quot|apos);)?/g, (_, name?: string) => {
    const character = name === undefined ? undefined : CHARACTERS[name];
    if (character === undefined) throw new Error('XML: Invalid XML');
    return character;
  });
