import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { MAX_LABEL_LENGTH } from '#backend/contract/rule.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useLabelViews, useViewOfLabel } from '#renderer/views/view-labels.ts';
import { useViews } from '#renderer/views/views.ts';
import { isViewMade } from './file-under-data.ts';
import { Row } from './setting-row.tsx';
import * as texts from './incoming-rules-texts.ts';
import * as styles from './incoming-rules.module.css';

const NEW = 'new';
const OTHER = 'other';

/**
 * What is being written: the name of a view that is made when the rule is saved, or any label. Undefined: neither, and the label is
 * that of a view, of none, or as the rule has had it.
 */
export type WrittenLabel = typeof NEW | typeof OTHER | undefined;

interface FileUnderProps {
  label: string | undefined;
  writes: WrittenLabel;
  onChange: (label: string | undefined, writes: WrittenLabel) => void;
}

/** What stands before a label, so that none is one of the words above. */
const OF_VIEW = 'view:';

/** The label that a rule gives: that of a view, of a new one, or any other. */
export function FileUnder({ label, writes, onChange }: FileUnderProps) {
  const { views: all, error } = useViews();
  const views = useLabelViews();
  const view = useViewOfLabel(label);
  // What is written stays so, whatever it is meanwhile: nothing, or the label of a view.
  const written = writes ?? (label !== undefined && all && !view ? OTHER : undefined);
  const ofView = label === undefined ? '' : `${OF_VIEW}${view?.label ?? label}`;
  const choose = (value: string): void => {
    const isWritten = value === NEW || value === OTHER;
    onChange(value.startsWith(OF_VIEW) ? value.slice(OF_VIEW.length) : undefined, isWritten ? value : undefined);
  };
  const hint =
    !all && error
      ? texts.viewsNotRead
      : written !== NEW
        ? texts.labelHint
        : view && isViewMade(view, view.label)
          ? texts.viewThereHint(inertLine(view.name))
          : texts.newViewHint;
  return (
    <Row label={texts.fileUnder} hint={hint}>
      {(id) => (
        <div className={styles.under}>
          <HTMLSelect id={id} value={written ?? ofView} onChange={({ currentTarget: { value } }) => choose(value)}>
            <option value="">{texts.noView}</option>
            {!all && ofView !== '' && <option value={ofView}>{inertLine(label ?? '')}</option>}
            {views.map((one) => (
              <option key={one.label} value={`${OF_VIEW}${one.label}`}>
                {inertLine(one.name)}
              </option>
            ))}
            <option value={NEW}>{texts.newView}</option>
            <option value={OTHER}>{texts.anotherLabel}</option>
          </HTMLSelect>
          {written && (
            <InputGroup
              aria-label={written === NEW ? texts.newViewName : texts.label}
              placeholder={written === NEW ? texts.newViewName : texts.label}
              maxLength={MAX_LABEL_LENGTH}
              value={label ?? ''}
              onValueChange={(value) => onChange(value === '' ? undefined : value, written)}
            />
          )}
        </div>
      )}
    </Row>
  );
}
