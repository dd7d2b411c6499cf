import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, type Path, useLocation } from 'react-router-dom';
import * as z from 'zod/mini';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import type { SecondStepDue } from '#backend/contract/second-step.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { DefaultAdministrator } from './default-administrator.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import './login-page.css';

/** The sign-in page. A signed-in member goes to the screen that they asked for. */
export function LoginPage() {
  const { data: session } = useQuery(sessionQuery);
  const { state } = useLocation();
  const [due, setDue] = useState<SecondStepDue['secondStep']>();
  if (session) return <Navigate to={destinationOf(state)} replace />;
  return (
    <main className="ad-login">
      <header className="ad-login-brand">
        <BrandMark size={40} />
        <h1 className="ad-login-name">{PRODUCT_NAME}</h1>
        <p className="ad-login-subtitle">{PRODUCT_SUBTITLE}</p>
      </header>
      {due ? (
        <SecondStepForm methods={due} onBack={() => setDue(undefined)} />
      ) : (
        <>
          <PasswordForm onSecondStep={setDue} />
          <DefaultAdministrator />
        </>
      )}
    </main>
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
