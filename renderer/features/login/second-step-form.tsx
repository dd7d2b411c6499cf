import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { REMEMBERED_DAYS, SIGN_IN_OVER, type SecondStepMethod } from '#backend/contract/second-step.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { usePasskeyTrouble } from '#renderer/second-step/passkey-browser.ts';
import { useSecondStep } from './sign-in.ts';
import * as styles from './login-page.module.css';

/** How another method is offered. */
const OFFERS: Record<SecondStepMethod, string> = {
  totp: 'Use a code from the app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
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
        Second step
      </h2>
      {method === 'passkey' ? (
        <p className={styles.stepHint}>Your device asks for your fingerprint, face, PIN, or security key.</p>
      ) : (
        <>
          <label className={styles.label} htmlFor={codeId}>
            {method === 'totp' ? 'Code from your authenticator app' : 'Recovery code'}
          </label>
          <InputGroup
            key={method}
            id={codeId}
            inputRef={field}
            autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
            inputMode={method === 'totp' ? 'numeric' : 'text'}
            spellCheck={false}
            {...(method === 'totp' && { pattern: '(?:\\s?\\d){6}\\s?', title: 'Six digits' })}
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
        label={`Remember this browser for ${REMEMBERED_DAYS} days`}
        onChange={() => setRemembered(!isRemembered)}
      />
      <Button
        className={styles.submit}
        ref={passkey}
        type="submit"
        intent="primary"
        fill
        aria-disabled={step.isPending}
        text={step.isPending ? 'Signing in...' : method === 'passkey' ? 'Use a passkey' : 'Continue'}
      />
      <div className={styles.others}>
        {usable
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} variant="minimal" text={OFFERS[other]} onClick={() => choose(other)} />
          ))}
        <Button variant="minimal" text="Back to password" onClick={onBack} />
      </div>
    </form>
  );
}
