import { Button, InputGroup } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import { useId } from 'react';
import { flushSync } from 'react-dom';
import type { ReadEvent } from '#backend/contract/delivery.ts';
import { MAX_MAPPING_PATH, type MappedField, type ValueTable } from '#backend/contract/mapping.ts';
import { shortPath } from '#renderer/features/sources/shown/json-paths.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { STATE_LABELS } from '#renderer/features/sources/shown/outcome-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { type FieldResult, PART_LABELS } from './mapping-draft.ts';
import { ValueTableRows } from './value-table-rows.tsx';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as styles from './field-row.module.css';

interface FieldRowProps {
  field: MappedField;
  /** The path of its own; undefined where the sender's rule holds. */
  path: string | undefined;
  event: ReadEvent | undefined;
  /** What a mapping has to say to read what the sender's rule reads. */
  rulePath: string;
  result: FieldResult;
  /** A sender's rule holds until it is changed. */
  isBuiltIn: boolean;
  /** What the values that the path finds become. */
  table: ValueTable | undefined;
  onChange: (path: string | undefined) => void;
  onTable: (table: ValueTable | undefined) => void;
}

const EMPTY_TABLE: ValueTable = { rows: [{ from: '', to: '' }] };

/** Where the rule that holds took a field from; empty where nothing did. */
export const ruleOf = (event: ReadEvent | undefined, field: MappedField): string =>
  event?.origins.find((origin) => origin.field === field)?.path ?? '';

/** A field of the alert: the path that it is read from, and what that finds. */
export function FieldRow({ field, path, event, rulePath, result, isBuiltIn, table, onChange, onTable }: FieldRowProps) {
  const id = useId();
  const label = PART_LABELS[field];
  const rule = ruleOf(event, field);
  const isRule = isBuiltIn && path === undefined;
  /** The field takes the place of the button that asks for it, or the other way round, and the focus with it. */
  const replace = (by: string | undefined): void => {
    flushSync(() => onChange(by));
    document.getElementById(`${id}-path`)?.focus();
  };
  return (
    <div className={classNames(styles.row, result.kind === 'error' && styles.row_error)}>
      <label className={styles.field} htmlFor={`${id}-path`}>
        {label}
      </label>
      <div className={styles.path}>
        {isRule ? (
          <>
            <code className={styles.rule} data-tip={rule}>
              {rule === '' ? texts.none : shortPath(rule)}
            </code>
            <Button
              id={`${id}-path`}
              variant="minimal"
              className={styles.change}
              text={texts.change}
              aria-label={texts.changeField(label)}
              onClick={() => replace(rulePath)}
            />
          </>
        ) : (
          <>
            <InputGroup
              id={`${id}-path`}
              className={styles.input}
              autoComplete="off"
              spellCheck={false}
              maxLength={MAX_MAPPING_PATH}
              placeholder={rule === '' ? texts.detectedAutomatically : shortPath(rule)}
              aria-describedby={`${id}-result`}
              aria-invalid={result.kind === 'error' || undefined}
              value={path ?? ''}
              onValueChange={onChange}
            />
            {table === undefined && (path ?? '').trim() !== '' && (
              <Button
                variant="minimal"
                className={styles.change}
                text={texts.addValueTable}
                aria-label={texts.addValueTableTo(label)}
                onClick={() => onTable(EMPTY_TABLE)}
              />
            )}
            {isBuiltIn && (
              <Button
                variant="minimal"
                className={styles.change}
                text={texts.sendersRule}
                onClick={() => replace(undefined)}
              />
            )}
          </>
        )}
      </div>
      <div id={`${id}-result`} className={classNames(styles.result, styles[`result_${result.kind}`])}>
        {result.kind === 'error' && <ErrorIcon />}
        <ResultText field={field} result={result} event={event} />
      </div>
      {table && <ValueTableRows field={field} table={table} onChange={onTable} />}
    </div>
  );
}

function ResultText({ field, result, event }: Pick<FieldRowProps, 'field' | 'result' | 'event'>) {
  if (result.kind !== 'value' || !event) return <span>{result.text}</span>;
  if (field === 'severity') {
    const from = event.origins.find((origin) => origin.field === field)?.value ?? '';
    return (
      <span className={sourcesStyles.whySeverity}>
        <SeverityMark severity={event.severity} state={event.state} /> {SEVERITY_LABELS[event.severity]}
        {from !== '' && from.toLowerCase() !== event.severity && (
          <span className={styles.from}>{texts.from(inertLine(from))}</span>
        )}
      </span>
    );
  }
  if (field === 'state') return <span>{STATE_LABELS[event.state]}</span>;
  return (
    <span className={styles.value} dir="auto" data-tip={inertLine(result.text)}>
      {inertLine(result.text)}
    </span>
  );
}
