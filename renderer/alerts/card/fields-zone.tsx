import { useMemo } from 'react';
import { Hits } from '#renderer/alerts/search/hits.tsx';
import type { AlertField } from './card-fields.ts';
import { splitMiddle } from './field-layout.ts';
import { type FormattedValue, formatValue } from './format-value.ts';
import * as styles from './fields-zone.module.css';

/** The chosen fields of an alert, names and values side by side. */
export function FieldsZone({ fields }: { fields: readonly AlertField[] }) {
  const formatted = useMemo(() => format(fields), [fields]);
  if (formatted.length === 0) return null;
  return (
    <dl className={styles.cardFields}>
      {formatted.map(({ id, name, value }) => (
        <div key={id} className={styles.field}>
          <dt className={styles.fieldName} dir="auto">
            <Hits text={name} />
          </dt>
          <dd
            className={styles.fieldValue}
            dir="auto"
            data-tip={tipOf(value)}
            data-tip-always={value.kind === 'time' || undefined}
          >
            <FieldValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function format(fields: readonly AlertField[]): { id: string; name: string; value: FormattedValue }[] {
  const now = new Date();
  return fields.map(({ id, key, name, value }) => ({ id, name, value: formatValue(key, value, now) }));
}

/** Most of a tooltip that can still be read. */
const TIP_LENGTH = 600;

function tipOf(value: FormattedValue): string {
  if (value.kind === 'time') return value.exact;
  if (value.kind === 'link') return value.href.slice(0, TIP_LENGTH);
  return value.line.length > TIP_LENGTH ? `${value.line.slice(0, TIP_LENGTH)}…` : value.line;
}

/** More than any card can show; the rest would only burden the page. */
const LINE_LENGTH = 400;

/** A value on one line, as a card shows it, in a place that takes its direction from its text. */
function FieldValue({ value }: { value: FormattedValue }) {
  const line = value.line.length > LINE_LENGTH ? `${value.line.slice(0, LINE_LENGTH)}…` : value.line;
  switch (value.kind) {
    case 'link':
      return (
        <a className={styles.valueLink} href={value.href} target="_blank" rel="noopener noreferrer">
          <Address text={line} />
        </a>
      );
    case 'host':
      return <Address text={line} />;
    case 'time':
      return (
        <time dateTime={value.dateTime}>
          <Hits text={line} />
        </time>
      );
    case 'empty':
      return <span className={styles.valueEmpty}>{line}</span>;
    default:
      return <Hits text={line} />;
  }
}

/** An address, which reads from left to right whatever is around it, and loses its middle where space is short. */
function Address({ text }: { text: string }) {
  const [head, tail] = splitMiddle(text);
  if (tail === '')
    return (
      <bdi dir="ltr">
        <Hits text={head} />
      </bdi>
    );
  return (
    <bdi className={styles.valueSplit} dir="ltr">
      <span>
        <Hits text={head} />
      </span>
      <span>
        <Hits text={tail} />
      </span>
    </bdi>
  );
}
