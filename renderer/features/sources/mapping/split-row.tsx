import { InputGroup } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { useId } from 'react';
import { MAX_MAPPING_PATH } from '#backend/contract/mapping.ts';
import { type FieldResult, PART_LABELS } from './mapping-draft.ts';
import * as texts from './texts.ts';
import * as styles from './field-row.module.css';

interface SplitRowProps {
  path: string | undefined;
  result: FieldResult;
  onChange: (path: string) => void;
}

/** The list of which each item is an alert. */
export function SplitRow({ path = '', result, onChange }: SplitRowProps) {
  const id = useId();
  return (
    <div className={classNames(styles.row, result.kind === 'error' && styles.row_error)}>
      <label className={styles.field} htmlFor={`${id}-path`}>
        {PART_LABELS.split}
      </label>
      <div className={styles.path}>
        <InputGroup
          id={`${id}-path`}
          className={styles.input}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_MAPPING_PATH}
          placeholder={texts.pathToListOfObjects}
          aria-describedby={`${id}-result`}
          aria-invalid={result.kind === 'error' || undefined}
          value={path}
          onValueChange={onChange}
        />
      </div>
      <div id={`${id}-result`} className={classNames(styles.result, styles[`result_${result.kind}`])}>
        {result.kind === 'error' && <ErrorIcon />}
        <span>{result.text}</span>
      </div>
    </div>
  );
}
