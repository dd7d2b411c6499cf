import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import {
  DEFAULT_SILENCE_MINUTES,
  type SilencingChange,
  senderApiKindSchema,
  senderAuthSchema,
} from '#backend/contract/silence.ts';
import { SettingRow, SwitchRow } from '#renderer/features/sources/settings/setting-rows.tsx';
import * as texts from './texts.ts';
import * as settingStyles from '#renderer/features/sources/settings/settings.module.css';
import * as styles from './silencing.module.css';

/** For how long a silence may be asked for, in minutes. */
const MINUTES = [30, 60, 120, DEFAULT_SILENCE_MINUTES, 480, 1440];

/** Kinds that are services, whose address is known. */
const SERVICES: ReadonlySet<SilencingChange['kind']> = new Set(['pagerduty', 'sentry', 'opsgenie']);

/** The address that a kind begins with; empty where everybody has their own. */
export const addressOf = (kind: SilencingChange['kind']): string =>
  SERVICES.has(kind) ? texts.ADDRESS_EXAMPLES[kind] : '';

interface FieldProps {
  title: string;
  hint?: string | undefined;
  value: string;
  maxLength: number;
  placeholder?: string | undefined;
  isSecret?: boolean;
  onChange: (value: string) => void;
}

function Field({ title, hint, value, maxLength, placeholder = '', isSecret = false, onChange }: FieldProps) {
  return (
    <SettingRow title={title} text={hint}>
      {({ id, textId }) => (
        <InputGroup
          id={id}
          {...(hint !== undefined && { 'aria-describedby': textId })}
          {...(isSecret && { type: 'password' })}
          className={styles.field}
          value={value}
          placeholder={placeholder}
          maxLength={maxLength}
          autoComplete={isSecret ? 'new-password' : 'off'}
          spellCheck={false}
          onValueChange={onChange}
        />
      )}
    </SettingRow>
  );
}

interface ChoiceProps {
  title: string;
  hint?: ReactNode;
  options: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

function ChoiceRow({ title, hint, options, value, onChange }: ChoiceProps) {
  return (
    <SettingRow title={title} text={hint}>
      {({ id, textId }) => (
        <HTMLSelect
          id={id}
          aria-describedby={textId}
          className={`${settingStyles.settingSelect} ${styles.field}`}
          options={options}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </SettingRow>
  );
}

interface SilencingFieldsProps {
  written: SilencingChange;
  /** The end of the secret that is kept where none is written; null without one. */
  secretHint: string | null;
  onChange: (some: Partial<SilencingChange>) => void;
}

/** What is entered of a sender's API, by its kind. */
export function SilencingFields({ written, secretHint, onChange }: SilencingFieldsProps) {
  const { kind, auth, minutes } = written;
  const isChosen = kind === 'alertmanager';
  const isBasic = isChosen && auth === 'basic';
  const user = (title: string, hint?: string) => (
    <Field
      title={title}
      hint={hint}
      value={written.user ?? ''}
      maxLength={200}
      onChange={(changed) => onChange({ user: changed })}
    />
  );
  return (
    <>
      <ChoiceRow
        title={texts.api}
        hint={texts.apiHint}
        options={senderApiKindSchema.options.map((value) => ({ value, label: texts.KIND_LABELS[value] }))}
        value={kind}
        onChange={(value) => {
          const chosen = senderApiKindSchema.parse(value);
          onChange({ kind: chosen, url: addressOf(chosen), user: '', secret: undefined });
        }}
      />
      <SwitchRow
        title={texts.SWITCH_TITLES[kind]}
        text={texts.SWITCH_HINTS[kind]}
        isOn={written.isOn}
        onChange={(isOn) => onChange({ isOn })}
      />
      <Field
        title={texts.address}
        hint={texts.ADDRESS_HINTS[kind]}
        value={written.url}
        placeholder={texts.ADDRESS_EXAMPLES[kind]}
        maxLength={1_000}
        onChange={(url) => onChange({ url })}
      />
      {isChosen && (
        <ChoiceRow
          title={texts.signIn}
          hint={texts.signInHint}
          options={senderAuthSchema.options.map((value) => ({ value, label: texts.AUTH_LABELS[value] }))}
          value={auth}
          onChange={(value) => onChange({ auth: senderAuthSchema.parse(value) })}
        />
      )}
      {isBasic && user(texts.userName)}
      {kind === 'pagerduty' && user(texts.from, texts.fromHint)}
      {kind === 'sentry' && user(texts.organization, texts.organizationHint)}
      {(!isChosen || auth !== 'none') && (
        <Field
          title={isBasic ? texts.password : texts.TOKEN_TITLES[kind]}
          hint={texts.TOKEN_HINTS[kind]}
          value={written.secret ?? ''}
          placeholder={secretHint === null ? '' : texts.kept(secretHint)}
          maxLength={2_000}
          isSecret
          onChange={(secret) => onChange({ secret: secret === '' ? undefined : secret })}
        />
      )}
      <ChoiceRow
        title={texts.silenceFor}
        hint={texts.silenceForHint}
        options={[...new Set([...MINUTES, minutes])]
          .toSorted((one, other) => one - other)
          .map((value) => ({ value: String(value), label: texts.lasting(value) }))}
        value={String(minutes)}
        onChange={(value) => onChange({ minutes: Number(value) })}
      />
      {kind === 'pagerduty' && (
        <SwitchRow
          title={texts.resolveWhatIsCompleted}
          text={texts.resolveHint}
          isOn={written.resolvesCompleted ?? false}
          onChange={(resolvesCompleted) => onChange({ resolvesCompleted })}
        />
      )}
    </>
  );
}
