import { Button, InputGroup } from '@blueprintjs/core';
import { EyeOffIcon, EyeOpenIcon } from '@blueprintjs/icons';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { SecondStepDue } from '#backend/contract/second-step.ts';
import { usePasskeyTrouble } from '#renderer/second-step/passkey-browser.ts';
import { ForgotPassword } from './forgot-password.tsx';
import { usePasskeySignIn, useSignIn } from './sign-in.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './login-page.module.css';

/** E-mail, password, Sign In; or a passkey. The browser itself asks for what is missing. */
export function PasswordForm({ onSecondStep }: { onSecondStep: (methods: SecondStepDue['secondStep']) => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const emailRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const emailId = useId();
  const passwordId = useId();
  const signIn = useSignIn(onSecondStep);

  useEffect(() => emailRef.current?.focus(), []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (signIn.isPending) return;
    signIn.mutate({ email, password }, { onError: () => passwordRef.current?.select() });
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <label className={styles.label} htmlFor={emailId}>
        {pageTexts.email}
      </label>
      <InputGroup
        id={emailId}
        inputRef={emailRef}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onValueChange={setEmail}
      />
      <label className={styles.label} htmlFor={passwordId}>
        {pageTexts.password}
      </label>
      <InputGroup
        id={passwordId}
        inputRef={passwordRef}
        type={shown ? 'text' : 'password'}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onValueChange={setPassword}
        rightElement={
          <Button
            variant="minimal"
            icon={shown ? <EyeOffIcon /> : <EyeOpenIcon />}
            aria-label={shown ? texts.hidePassword : texts.showPassword}
            onClick={() => setShown(!shown)}
          />
        }
      />
      <Button
        className={styles.submit}
        type="submit"
        intent="primary"
        fill
        aria-disabled={signIn.isPending}
        text={signIn.isPending ? texts.signingIn : texts.signIn}
      />
      <PasskeyButton />
      <ForgotPassword email={email} />
    </form>
  );
}

/** Signs in with a passkey, on pages where there are any. */
function PasskeyButton() {
  const trouble = usePasskeyTrouble();
  const signIn = usePasskeySignIn();
  if (trouble !== undefined) return null;
  return (
    <Button
      className={styles.passkey}
      fill
      aria-disabled={signIn.isPending}
      text={signIn.isPending ? texts.waitingForYourPasskey : texts.signInWithPasskey}
      onClick={() => !signIn.isPending && signIn.mutate()}
    />
  );
}
