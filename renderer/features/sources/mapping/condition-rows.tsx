import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { CrossIcon, ErrorIcon, PlusIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { useId } from 'react';
import type { DryRunResult } from '#backend/contract/delivery.ts';
import {
  type ConditionTest,
  MAX_CONDITIONS,
  MAX_CONDITION_NAME,
  MAX_MAPPING_PATH,
  MAX_SENDER_VALUE,
  type MappingCondition,
  conditionTestSchema,
} from '#backend/contract/mapping.ts';
import { keyed } from '#renderer/features/sources/shown/keyed.ts';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { TEST_LABELS, isBlank } from './mapping-draft.ts';
import * as texts from './texts.ts';
import * as fieldRowStyles from './field-row.module.css';
import * as styles from './mapping-rows.module.css';

interface ConditionRowsProps {
  conditions: readonly MappingCondition[];
  errors: readonly { index?: number | undefined; message: string }[];
  result: DryRunResult | undefined;
  onChange: (conditions: MappingCondition[]) => void;
}

const TESTS = conditionTestSchema.options.map((value) => ({ value, label: TEST_LABELS[value] }));
const NEW: MappingCondition = { name: '', path: '', test: 'is', value: '' };

/** What is no alert: rows of a path, a test and a value, each with the name that the delivery log shows. */
export function ConditionRows({ conditions, errors, result, onChange }: ConditionRowsProps) {
  const set = (index: number, change: Partial<MappingCondition>): void =>
    onChange(conditions.map((condition, at) => (at === index ? Object.assign({}, condition, change) : condition)));
  return (
    <section ref={keepFocus} className={styles.conditions} aria-label={texts.noAlertWhen}>
      <div className={styles.conditionsHead}>
        <h3>{texts.noAlertWhen}</h3>
        <span>{texts.missingValuesAreEmptyMatches}</span>
        <Button
          variant="minimal"
          icon={<PlusIcon />}
          text={texts.addCondition}
          disabled={conditions.length >= MAX_CONDITIONS}
          onClick={() => onChange([...conditions, NEW])}
        />
      </div>
      {keyed(conditions).map(({ key, item }, index) => {
        // Blank rows are not sent: what comes back counts without them.
        const place = isBlank(item) ? -1 : conditions.slice(0, index).filter((one) => !isBlank(one)).length;
        return (
          <ConditionRow
            key={key}
            number={index + 1}
            condition={item}
            error={errors.find((error) => error.index === place)?.message}
            leftOut={result?.leftOut[place]}
            onChange={(change) => set(index, change)}
            onRemove={() => onChange(conditions.filter((_, at) => at !== index))}
          />
        );
      })}
    </section>
  );
}

interface ConditionRowProps {
  number: number;
  condition: MappingCondition;
  error: string | undefined;
  /** Alerts of the delivery that it leaves out. */
  leftOut: number | undefined;
  onChange: (change: Partial<MappingCondition>) => void;
  onRemove: () => void;
}

function ConditionRow({ number, condition, error, leftOut, onChange, onRemove }: ConditionRowProps) {
  const resultId = useId();
  const { name, path, test, value } = condition;
  const label = (part: string): string => texts.conditionPart(number, part);
  return (
    <div className={classNames(styles.condition, error !== undefined && styles.condition_error)}>
      <InputGroup
        aria-label={label('name')}
        placeholder={texts.nameInLog}
        maxLength={MAX_CONDITION_NAME}
        value={name}
        onValueChange={(typed) => onChange({ name: typed })}
      />
      <InputGroup
        className={fieldRowStyles.input}
        aria-label={label('path')}
        aria-describedby={resultId}
        aria-invalid={error !== undefined || undefined}
        placeholder={texts.path}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_MAPPING_PATH}
        value={path}
        onValueChange={(typed) => onChange({ path: typed })}
      />
      <HTMLSelect
        aria-label={label('test')}
        options={TESTS}
        value={test}
        onChange={({ target }) => onChange({ test: target.value as ConditionTest })}
      />
      <InputGroup
        className={fieldRowStyles.input}
        aria-label={label('value')}
        placeholder={texts.empty}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_SENDER_VALUE}
        value={value}
        onValueChange={(typed) => onChange({ value: typed })}
      />
      <Button variant="minimal" icon={<CrossIcon />} aria-label={texts.removeCondition(number)} onClick={onRemove} />
      <div
        id={resultId}
        className={classNames(
          styles.conditionResult,
          fieldRowStyles.result,
          error === undefined ? styles.muted : fieldRowStyles.result_error,
        )}
      >
        {error !== undefined && <ErrorIcon />}
        <span>{error ?? leftOutText(leftOut)}</span>
      </div>
    </div>
  );
}

function leftOutText(leftOut: number | undefined): string {
  if (leftOut === undefined) return '';
  if (leftOut === 0) return texts.leavesNothingOutOfThis;
  return texts.leavesOutOfThisDelivery(leftOut);
}
