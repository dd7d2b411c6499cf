import { useMemo } from 'react';
import { Hits } from '#renderer/alerts/search/hits.tsx';
import type { AlertField } from './card-fields.ts';
import type { CardLayout } from './card-layout.ts';
import { type FieldPlace, estimateWidth, layoutFields, splitMiddle } from './field-layout.ts';
import { type FormattedValue, formatValue } from './format-value.ts';
import classNames from 'classnames';
import * as styles from './fields-zone.module.css';

interface FieldsZoneProps {
  fields: readonly AlertField[];
  layout: CardLayout;
  /** All of them stand in one line, under a headline. */
  isLine?: boolean;
}

/** The chosen fields of an alert, laid out for the space there is. */
export function FieldsZone({ fields, layout, isLine = false }: FieldsZoneProps) {
  const placed = useMemo(() => place(fields, layout, isLine), [fields, layout, isLine]);
  if (placed.length === 0) return <div className={styles.cardFields} />;
  return (
    <dl className={classNames(styles.cardFields, isLine && styles.cardFields_line)}>
      {placed.map(({ field: { id, name, value }, place: where }) => (
        <div key={id} className={classNames(styles.field, styles[`field_${where}`])}>
          <dt className={styles.fieldName} dir="auto" data-tip={name}>
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

interface ShownField {
  id: string;
  name: string;
  value: FormattedValue;
}

function place(
  fields: readonly AlertField[],
  layout: CardLayout,
  isLine: boolean,
): { field: ShownField; place: FieldPlace }[] {
  const now = new Date();
  const shown = fields.map(({ id, key, name, value }) => ({ id, name, value: formatValue(key, value, now) }));
  if (isLine) return shown.map((field) => ({ field, place: 'column' }));
  if (layout.kind === 'stacked' && shown.length > 1) {
    return shown.map((field) => ({ field, place: layout.isComfortable ? 'row' : 'column' }));
  }
  return layoutFields(shown, ({ value }) => estimateWidth(value.line) > layout.valueWidth);
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
