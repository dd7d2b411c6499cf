import { useMemo } from 'react';
import type { AlertField } from './card-fields.ts';
import type { CardLayout } from './card-layout.ts';
import { type FieldPlace, estimateWidth, layoutFields } from './field-layout.ts';
import { FieldValue } from './field-value.tsx';
import { type FormattedValue, formatValue } from './format-value.ts';
import './fields-zone.css';

/** The chosen fields of an alert, laid out for the room there is. */
export function FieldsZone({ fields, layout }: { fields: readonly AlertField[]; layout: CardLayout }) {
  const placed = useMemo(() => place(fields, layout), [fields, layout]);
  if (placed.length === 0) return <div className="ad-card-fields" />;
  return (
    <dl className="ad-card-fields">
      {placed.map(({ field: { id, name, value }, place: where }) => (
        <div key={id} className={`ad-field ad-field--${where}`}>
          <dt className="ad-field-name" dir="auto" data-tip={name}>
            {name}
          </dt>
          <dd
            className="ad-field-value"
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

function place(fields: readonly AlertField[], layout: CardLayout): { field: ShownField; place: FieldPlace }[] {
  const now = new Date();
  const shown = fields.map(({ id, key, name, value }) => ({ id, name, value: formatValue(key, value, now) }));
  if (layout.kind === 'stacked' && shown.length > 1) return shown.map((field) => ({ field, place: 'row' }));
  return layoutFields(shown, ({ value }) => estimateWidth(value.line) > layout.valueWidth);
}

/** Most of a tooltip that can still be read. */
const TIP_LENGTH = 600;

function tipOf(value: FormattedValue): string {
  if (value.kind === 'time') return value.exact;
  if (value.kind === 'link') return value.href.slice(0, TIP_LENGTH);
  return value.line.length > TIP_LENGTH ? `${value.line.slice(0, TIP_LENGTH)}…` : value.line;
}
