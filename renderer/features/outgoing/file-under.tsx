import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { MAX_LABEL_LENGTH } from '#backend/contract/rule.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useLabelViews, useViewOfLabel } from '#renderer/views/view-labels.ts';
import { Row } from './setting-row.tsx';
import * as texts from './incoming-rules-texts.ts';
import * as styles from './incoming-rules.module.css';

interface FileUnderProps {
  label: string | undefined;
  /** A view of the label is made when the rule is saved. */
  makesView: boolean;
  onChange: (label: string | undefined, makesView: boolean) => void;
}

const NEW = 'new';
const OTHER = 'other';
/** What stands before a label, so that none is one of the words above. */
const OF_VIEW = 'view:';

/** The label that a rule gives: that of a view, of a new one, or any other. */
export function FileUnder({ label, makesView, onChange }: FileUnderProps) {
  const views = useLabelViews();
  const [isWriting, setWriting] = useState(false);
  const view = useViewOfLabel(label);
  const isOther = isWriting || (label !== undefined && !view);
  const chosen = makesView ? NEW : isOther ? OTHER : view ? `${OF_VIEW}${view.label}` : '';
  const choose = (value: string): void => {
    setWriting(value === OTHER);
    const ofView = value.startsWith(OF_VIEW) ? value.slice(OF_VIEW.length) : undefined;
    onChange(ofView, value === NEW);
  };
  const write = (value: string): void => onChange(value === '' ? undefined : value, makesView);
  return (
    <Row label={texts.fileUnder} hint={makesView ? texts.newViewHint : texts.labelHint}>
      {(id) => (
        <div className={styles.under}>
          <HTMLSelect id={id} value={chosen} onChange={({ currentTarget: { value } }) => choose(value)}>
            <option value="">{texts.noView}</option>
            {views.map((one) => (
              <option key={one.label} value={`${OF_VIEW}${one.label}`}>
                {inertLine(one.name)}
              </option>
            ))}
            <option value={NEW}>{texts.newView}</option>
            <option value={OTHER}>{texts.anotherLabel}</option>
          </HTMLSelect>
          {(chosen === NEW || chosen === OTHER) && (
            <InputGroup
              aria-label={chosen === NEW ? texts.newViewName : texts.label}
              placeholder={chosen === NEW ? texts.newViewName : texts.label}
              maxLength={MAX_LABEL_LENGTH}
              value={label ?? ''}
              onValueChange={write}
            />
          )}
        </div>
      )}
    </Row>
  );
}
