import { Button, InputGroup } from '@blueprintjs/core';
import { EyeOffIcon, EyeOpenIcon } from '@blueprintjs/icons';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useSignIn } from '#renderer/lib/session.ts';
import { useToasts } from '#renderer/lib/toast.ts';

/** E-mail, password, Sign In. The browser itself asks for what is missing. */
export function LoginForm() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const emailRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const emailId = useId();
  const passwordId = useId();
  const signIn = useSignIn();
  const toasts = useToasts();

  useEffect(() => emailRef.current?.focus(), []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (signIn.isPending) return;
    signIn.mutate(
      { email, password },
      {
        onSuccess: () => toasts.show({ intent: 'done', title: 'Login successful' }),
        onError: ({ message }) => {
          toasts.show({
            variant: 'destructive',
            title: 'Login failed',
            description: message === '' ? 'Invalid email or password' : message,
          });
          passwordRef.current?.select();
        },
      },
    );
  };

  return (
    <form className="ad-login-form" onSubmit={submit}>
      <label className="ad-login-label" htmlFor={emailId}>
        Email
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
      <label className="ad-login-label" htmlFor={passwordId}>
        Password
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
            aria-label={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
          />
        }
      />
      <Button
        className="ad-login-submit"
        type="submit"
        intent="primary"
        fill
        aria-disabled={signIn.isPending}
        text={signIn.isPending ? 'Signing in...' : 'Sign In'}
      />
    </form>
  );
}
