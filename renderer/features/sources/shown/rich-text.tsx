import { keyed } from './keyed.ts';

/** Text in which `**bold**` and back quotes mark names and code. */
export function RichText({ text }: { text: string }) {
  return keyed(text.split(/(\*\*[^*]+\*\*|`[^`]+`)/)).map(({ key, item: part }) =>
    part.startsWith('**') ? (
      <strong key={key}>{part.slice(2, -2)}</strong>
    ) : part.startsWith('`') ? (
      <code key={key} className="ad-code">
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  );
}
