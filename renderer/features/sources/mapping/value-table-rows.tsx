import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { CrossIcon, PlusIcon } from '@blueprintjs/icons';
import { alertSeveritySchema, alertStateSchema } from '#backend/contract/alert.ts';
import {
  MAX_SENDER_VALUE,
  MAX_TABLE_ROWS,
  MAX_TABLE_VALUE,
  type MappedField,
  type ValueTable,
} from '#backend/contract/mapping.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { STATE_LABELS } from '#renderer/features/sources/shown/outcome-labels.ts';
import { keyed } from '#renderer/features/sources/shown/keyed.ts';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { PART_LABELS } from './mapping-draft.ts';
import * as texts from './texts.ts';
import * as styles from './mapping-rows.module.css';

interface ValueTableRowsProps {
  field: MappedField;
  table: ValueTable;
  onChange: (table: ValueTable | undefined) => void;
}

/** What each value that a field's path finds becomes, and any other value. */
export function ValueTableRows({ field, table, onChange }: ValueTableRowsProps) {
  const { rows, otherwise } = table;
  const label = PART_LABELS[field];
  const setRow = (index: number, change: Partial<ValueTable['rows'][number]>): void =>
    onChange({ ...table, rows: rows.map((row, at) => (at === index ? Object.assign({}, row, change) : row)) });
  const remove = (index: number): void => {
    const kept = rows.filter((_, at) => at !== index);
    onChange(kept.length === 0 && otherwise === undefined ? undefined : { ...table, rows: kept });
  };
  return (
    <fieldset ref={keepFocus} className={styles.table} aria-label={texts.valueTableOf(label)}>
      {keyed(rows).map(({ key, item: { from, to } }, index) => (
        <div key={key} className={styles.tableRow}>
          <InputGroup
            aria-label={texts.rowValueOfSender(label, index + 1)}
            placeholder={texts.valueOfSender}
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_SENDER_VALUE}
            value={from}
            onValueChange={(value) => setRow(index, { from: value })}
          />
          <span aria-hidden>→</span>
          <OwnValue
            field={field}
            label={texts.rowBecomes(label, index + 1)}
            empty={texts.becomes}
            value={to}
            onChange={(value) => setRow(index, { to: value })}
          />
          <Button
            variant="minimal"
            icon={<CrossIcon />}
            aria-label={texts.removeRowOf(index + 1, label)}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      <div className={styles.tableRow}>
        <span className={styles.other}>{texts.anyOtherValue}</span>
        <span aria-hidden>→</span>
        <OwnValue
          field={field}
          label={texts.anyOtherValueBecomes(label)}
          empty={texts.staysAsItIs}
          value={otherwise ?? ''}
          onChange={(value) => onChange({ rows, ...(value !== '' && { otherwise: value }) })}
        />
        <Button
          variant="minimal"
          icon={<PlusIcon />}
          aria-label={texts.addRowTo(label)}
          disabled={rows.length >= MAX_TABLE_ROWS}
          onClick={() => onChange({ ...table, rows: [...rows, { from: '', to: '' }] })}
        />
      </div>
    </fieldset>
  );
}

interface OwnValueProps {
  field: MappedField;
  label: string;
  empty: string;
  value: string;
  onChange: (value: string) => void;
}

/** A value of this product's: one of a few for severities and states, else a text. */
function OwnValue({ field, label, empty, value, onChange }: OwnValueProps) {
  const options = OPTIONS[field];
  if (options) {
    return (
      <HTMLSelect
        aria-label={label}
        fill
        options={[{ label: empty, value: '' }, ...options]}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  return (
    <InputGroup
      aria-label={label}
      placeholder={empty}
      autoComplete="off"
      maxLength={MAX_TABLE_VALUE}
      value={value}
      onValueChange={onChange}
    />
  );
}

const OPTIONS: Partial<Record<MappedField, readonly { label: string; value: string }[]>> = {
  severity: alertSeveritySchema.options.map((value) => ({ label: SEVERITY_LABELS[value] || texts.none, value })),
  state: alertStateSchema.options.map((value) => ({ label: STATE_LABELS[value], value })),
};
