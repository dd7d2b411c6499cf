import { HTMLSelect, InputGroup, Switch } from '@blueprintjs/core';
import { type ReactNode, useId, useState } from 'react';
import { ChangedMeanwhile } from '#renderer/ui/changed-meanwhile/changed-meanwhile.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import type { Choice } from './setting-options.ts';
import * as texts from './texts.ts';
import * as styles from './settings.module.css';

interface SettingRowProps {
  title: string;
  text?: ReactNode;
  /** Draws the control with the id that the title labels, or labelled by the title. */
  children: (ids: { id: string; labelId: string; textId: string }) => ReactNode;
}

/** A setting: what it is, in two lines, and its control at the right. */
export function SettingRow({ title, text, children }: SettingRowProps) {
  const id = useId();
  const labelId = `${id}-label`;
  const textId = `${id}-text`;
  return (
    <div className={styles.setting}>
      <div className={styles.settingWords}>
        <label id={labelId} htmlFor={id} className={styles.settingTitle}>
          {title}
        </label>
        {text !== undefined && (
          <div id={textId} className={styles.settingText}>
            {text}
          </div>
        )}
      </div>
      <div className={styles.settingControl}>{children({ id, labelId, textId })}</div>
    </div>
  );
}

interface SwitchRowProps {
  title: string;
  text: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children?: ReactNode;
}

/** A setting that is on or off; its switch stands before it. */
export function SwitchRow({ title, text, isOn, onChange, children }: SwitchRowProps) {
  const textId = useId();
  return (
    <div className={styles.setting}>
      <Switch
        className={styles.settingSwitch}
        checked={isOn}
        aria-label={title}
        aria-describedby={textId}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <div className={styles.settingWords}>
        <div className={styles.settingTitle}>{title}</div>
        <div id={textId} className={styles.settingText}>
          {text}
        </div>
      </div>
      {children !== undefined && <div className={styles.settingControl}>{children}</div>}
    </div>
  );
}

interface SelectRowProps {
  title: string;
  text: string;
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
}

/** A setting with a few choices. */
export function SelectRow({ title, text, choices, value, onChange }: SelectRowProps) {
  return (
    <SettingRow title={title} text={text}>
      {({ id, textId }) => (
        <HTMLSelect
          className={styles.settingSelect}
          id={id}
          aria-describedby={textId}
          options={[...choices]}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </SettingRow>
  );
}

interface TextRowProps {
  title: string;
  text: string;
  value: string;
  placeholder?: string;
  maxLength: number;
  isRequired?: boolean;
  onSave: (value: string) => void;
}

/** A setting that is a text: saved by Enter or by leaving the field, taken back by Escape. */
export function TextRow({ title, text, value, placeholder, maxLength, isRequired = false, onSave }: TextRowProps) {
  const [edit, setEdit] = useState<{ typed: string; base: string }>();
  const typed = edit?.typed;
  const isChanged = typed !== undefined && typed.trim() !== value;
  const isOutdated = isChanged && edit?.base !== value;
  const guard = useLeaveGuard(isChanged);
  const commit = (): void => {
    if (isOutdated) return;
    const wanted = typed?.trim();
    setEdit(undefined);
    if (wanted === undefined || wanted === value || (isRequired && wanted === '')) return;
    onSave(wanted);
  };
  return (
    <SettingRow title={title} text={text}>
      {({ id, textId }) => (
        <>
          <InputGroup
            className={styles.settingField}
            id={id}
            aria-describedby={textId}
            autoComplete="off"
            maxLength={maxLength}
            {...(placeholder !== undefined && { placeholder })}
            value={typed ?? value}
            onValueChange={(changed) => setEdit((now) => ({ base: now?.base ?? value, typed: changed }))}
            // The question takes the focus, and is about just this text.
            onBlur={() => !guard.isAsked && commit()}
            onKeyDown={({ key }) => {
              if (key === 'Enter') commit();
              if (key === 'Escape') setEdit(undefined);
            }}
          />
          {isOutdated && (
            <ChangedMeanwhile
              text={value === '' ? texts.itWasClearedInMeantime : texts.wasSavedInMeantime(inertLine(value))}
              onShowTheirs={() => setEdit(undefined)}
              onKeepEditing={() => setEdit({ typed, base: value })}
            />
          )}
          <UnsavedDialog guard={guard} text={texts.yourChangesAreNotSaved(title)} />
        </>
      )}
    </SettingRow>
  );
}
