import { mask } from '#renderer/ui/mask-when-away.ts';
import type { SecretKind } from '#backend/contract/source.ts';

/** What a set-up text is filled in with. What cannot be shown any more is a mask. */
export interface SetUpValues {
  /** Origin of the server, such as `https://desk.example`. */
  origin: string;
  /** The key; undefined when it is not known here. */
  secret: string | undefined;
  /** The token of the address. */
  token: string | undefined;
  /** The secret that the sender signs with, where we made it. */
  signing: string | undefined;
  /** The address for emails; undefined while the server receives none. */
  mail?: string | undefined;
  /** Last four characters of what is not known. */
  hints: { secret: string; token: string; signing: string };
}

/** A piece of a set-up text: as it is, the name of a setting, or a value of this source. */
export interface TextPart {
  text: string;
  kind: 'plain' | 'name' | 'filled';
}

const PLACEHOLDER = /\{(o|w|i|h|s|t|g|m)\}/g;

/** Stands for the address of a source where none is known. */
const NO_MAIL = 'address@example.com';

function valueOf(name: string, values: SetUpValues, hidden: (hint: string) => string): string {
  const { origin, secret, token, signing, hints } = values;
  switch (name) {
    case 'o':
      return origin;
    case 'w':
      return `${origin}/webhook`;
    case 'i':
      return `${origin}/in/${token ?? hidden(hints.token)}`;
    case 'h':
      return origin.replace('://', `://alertdesk:${secret ?? hidden(hints.secret)}@`);
    case 's':
      return secret ?? hidden(hints.secret);
    case 'm':
      return values.mail ?? NO_MAIL;
    case 'g':
      return signing ?? hidden(hints.signing);
    default:
      return token ?? hidden(hints.token);
  }
}

/** The text to copy: plain and complete, with `YOUR_SECRET` for what is not known here. */
export const copyText = (template: string, values: SetUpValues): string =>
  template.replace(PLACEHOLDER, (_whole, name: string) => valueOf(name, values, () => 'YOUR_SECRET'));

/** Whether everything in the text is known, so that it can be copied whole. */
export const isComplete = (template: string, values: SetUpValues): boolean =>
  !copyText(template, values).includes('YOUR_SECRET');

/** The secret that a placeholder stands for, or is part of. */
const SECRET_OF: Record<string, SecretKind> = { s: 'key', h: 'key', g: 'signing', t: 'token', i: 'token' };

/** The secrets that the text holds as it can be copied now. */
export function secretsIn(template: string, { secret: key, token, signing }: SetUpValues): SecretKind[] {
  const known = { key, token, signing };
  const kinds = [...template.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => SECRET_OF[name] ?? []);
  return [...new Set(kinds)].filter((kind) => known[kind] !== undefined);
}

/** Names of settings: before the colon of a line of YAML, and quoted before a colon in JSON. */
const YAML_NAME = /^(\s*(?:- )?)([\w.-]+:)/;
const JSON_NAME = /"[\w.-]+":/g;

/** The text to show, in parts. `language` says what is a name in it. */
export function textParts(template: string, values: SetUpValues, language: 'yaml' | 'json' | 'plain'): TextPart[] {
  const lines = template.split('\n').map((line) => lineParts(line, values, language));
  return lines
    .reduce<TextPart[]>((parts, line, index) => parts.concat(index === 0 ? [] : plain('\n'), line), [])
    .filter(({ text }) => text !== '');
}

const plain = (text: string): TextPart => ({ text, kind: 'plain' });

function lineParts(line: string, values: SetUpValues, language: 'yaml' | 'json' | 'plain'): TextPart[] {
  if (language === 'yaml') {
    const [whole = '', before = '', name = ''] = YAML_NAME.exec(line) ?? [];
    const rest = filledParts(line.slice(whole.length), values);
    return whole === '' ? rest : [plain(before), { text: name, kind: 'name' }, ...rest];
  }
  return language === 'json'
    ? splitBy(line, JSON_NAME, (text) => ({ text, kind: 'name' })).flatMap((part) =>
        part.kind === 'name' ? [part] : filledParts(part.text, values),
      )
    : filledParts(line, values);
}

const filledParts = (text: string, values: SetUpValues): TextPart[] =>
  splitBy(text, PLACEHOLDER, (found) => ({ text: valueOf(found.slice(1, -1), values, mask), kind: 'filled' }));

/** Cuts a text at what `pattern` finds, which `made` turns into a part of its own. */
function splitBy(text: string, pattern: RegExp, made: (found: string) => TextPart): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    parts.push(plain(text.slice(from, index)), made(found));
    from = index + found.length;
  }
  return [...parts, plain(text.slice(from))];
}
