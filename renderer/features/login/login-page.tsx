import { Button, InputGroup } from '@blueprintjs/core';
import { EyeOffIcon, EyeOpenIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Navigate, type Path, useLocation } from 'react-router-dom';
import * as z from 'zod/mini';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import { sessionQuery, useSignIn } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { DefaultAdministrator } from './default-administrator.tsx';
import './login-page.css';

/** The sign-in page. A signed-in member goes to the screen that they asked for. */
export function LoginPage() {
  const { data: session } = useQuery(sessionQuery);
  const { state } = useLocation();
  if (session) return <Navigate to={destinationOf(state)} replace />;
  return (
    <main className="ad-login">
      <header className="ad-login-brand">
        <BrandMark size={40} />
        <h1 className="ad-login-name">{PRODUCT_NAME}</h1>
        <p className="ad-login-subtitle">{PRODUCT_SUBTITLE}</p>
      </header>
      <LoginForm />
      <DefaultAdministrator />
    </main>
  );
}

/** E-mail, password, Sign In. The browser itself asks for what is missing. */
function LoginForm() {
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

const arrivalSchema = z.object({
  from: z.object({ pathname: z.string().check(z.startsWith('/')), search: z.string(), hash: z.string() }),
});

/**
 * Where to go after signing in: the page that the guard redirected from, else the inbox. The history state
 * outlives a version of the app, so it is read as what it is: unknown.
 */
export function destinationOf(state: unknown): Path {
  const arrival = arrivalSchema.safeParse(state);
  return arrival.success ? arrival.data.from : { pathname: '/', search: '', hash: '' };
}
