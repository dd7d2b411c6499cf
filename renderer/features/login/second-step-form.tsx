import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { REMEMBERED_DAYS, SIGN_IN_OVER, type SecondStepMethod } from '#backend/contract/second-step.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { usePasskeyTrouble } from '#renderer/second-step/passkey-browser.ts';
import { useSecondStep } from './sign-in.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './login-page.module.css';

/** How another method is offered. */
const OFFERS: Record<SecondStepMethod, string> = {
  totp: texts.withCodeFromApp,
  passkey: pageTexts.withPasskey,
  recovery_code: texts.withRecoveryCode,
};

interface SecondStepFormProps {
  /** What the account has. */
  methods: readonly SecondStepMethod[];
  /** Back to password. */
  onBack: () => void;
}

/** The second step of a sign-in, by any method that the account has. */
export function SecondStepForm({ methods, onBack }: SecondStepFormProps) {
  const trouble = usePasskeyTrouble();
  const usable = methods.filter((method) => method !== 'passkey' || !trouble);
  const [chosen, setChosen] = useState<SecondStepMethod>();
  const method = chosen ?? usable[0] ?? 'recovery_code';
  const [code, setCode] = useState('');
  const [isRemembered, setRemembered] = useState(false);
  const titleId = useId();
  const codeId = useId();
  const field = useRef<HTMLInputElement>(null);
  const passkey = useRef<HTMLButtonElement>(null);
  const step = useSecondStep();

  useEffect(() => (method === 'passkey' ? passkey.current : field.current)?.focus(), [method]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (step.isPending) return;
    step.mutate(method === 'passkey' ? { method, remember: isRemembered } : { method, code, remember: isRemembered }, {
      onError: (error) => {
        if (error instanceof ApiError && error.body === SIGN_IN_OVER) onBack();
        else field.current?.select();
      },
    });
  };
  const choose = (other: SecondStepMethod): void => {
    setChosen(other);
    setCode('');
  };

  return (
    <form className={styles.form} aria-labelledby={titleId} onSubmit={submit}>
      <h2 className={styles.step} id={titleId}>
        {texts.secondStep}
      </h2>
      {method === 'passkey' ? (
        <p className={styles.stepHint}>{texts.yourDeviceAsksForYour}</p>
      ) : (
        <>
          <label className={styles.label} htmlFor={codeId}>
            {method === 'totp' ? texts.codeFromYourAuthenticatorApp : texts.recoveryCode}
          </label>
          <InputGroup
            key={method}
            id={codeId}
            inputRef={field}
            autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
            inputMode={method === 'totp' ? 'numeric' : 'text'}
            spellCheck={false}
            {...(method === 'totp' && { pattern: '(?:\\s?\\d){6}\\s?', title: texts.sixDigits })}
            required
            maxLength={method === 'totp' ? 13 : 64}
            value={code}
            onValueChange={setCode}
          />
        </>
      )}
      {methods.includes('passkey') && trouble && <p className={styles.stepHint}>{trouble}</p>}
      <Checkbox
        className={styles.remember}
        checked={isRemembered}
        label={texts.rememberThisBrowserForDays(REMEMBERED_DAYS)}
        onChange={() => setRemembered(!isRemembered)}
      />
      <Button
        className={styles.submit}
        ref={passkey}
        type="submit"
        intent="primary"
        fill
        aria-disabled={step.isPending}
        text={step.isPending ? texts.signingIn : method === 'passkey' ? pageTexts.withPasskey : texts.continueLabel}
      />
      <div className={styles.others}>
        {usable
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} variant="minimal" text={OFFERS[other]} onClick={() => choose(other)} />
          ))}
        <Button variant="minimal" text={texts.backToPassword} onClick={onBack} />
      </div>
    </form>
  );
}
