import type { FormattedValue } from './format-value.ts';
import { splitMiddle } from './split-middle.ts';

/** More than any card can show; the rest would only burden the page. */
const LINE_LENGTH = 400;

/** A value on one line, as a card shows it, in a place that takes its direction from its text. */
export function FieldValue({ value }: { value: FormattedValue }) {
  const line = value.line.length > LINE_LENGTH ? `${value.line.slice(0, LINE_LENGTH)}…` : value.line;
  switch (value.kind) {
    case 'link':
      return (
        <a className="ad-value-link" href={value.href} target="_blank" rel="noopener noreferrer">
          <Address text={line} />
        </a>
      );
    case 'host':
      return <Address text={line} />;
    case 'time':
      return <time dateTime={value.dateTime}>{line}</time>;
    case 'empty':
      return <span className="ad-value-empty">{line}</span>;
    default:
      return line;
  }
}

/** An address, which reads from left to right whatever is around it, and loses its middle where space is short. */
function Address({ text }: { text: string }) {
  const [head, tail] = splitMiddle(text);
  if (tail === '') return <bdi dir="ltr">{head}</bdi>;
  return (
    <bdi className="ad-value-split" dir="ltr">
      <span>{head}</span>
      <span>{tail}</span>
    </bdi>
  );
}
