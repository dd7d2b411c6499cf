import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import type { SecondStepDue } from '#backend/contract/second-step.ts';
import { sessionEndAtom, sessionQuery } from '#renderer/session/session.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { destinationOf } from './sign-in.ts';
import { DefaultAdministrator } from './default-administrator.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { ProviderPage } from './provider-page.tsx';
import { optionsQuery } from './provider-sign-in.ts';
import { SecondStepForm } from './second-step-form.tsx';
import * as texts from './texts.tsx';
import * as styles from './login-page.module.css';

/** The sign-in page, and below it the pages of providers. */
export function LoginPage() {
  const { pathname } = useLocation();
  return /^\/login\/./.test(pathname) ? <ProviderPage /> : <SignInPage />;
}

/** A signed-in member goes to the screen that they asked for. */
function SignInPage() {
  const { data: session } = useQuery(sessionQuery);
  const { state } = useLocation();
  const { data: options } = useQuery(optionsQuery);
  const [isAdministrator, setAdministrator] = useState(false);
  const hasPasswords = isAdministrator || options?.hasPasswords !== false;
  const sessionEnd = useAtomValue(sessionEndAtom);
  const [due, setDue] = useState<SecondStepDue['secondStep']>();
  if (session) return <Navigate to={destinationOf(state)} replace />;
  return (
    <main className={styles.login}>
      <header className={styles.brand}>
        <BrandMark size={40} />
        <h1 className={styles.name}>{PRODUCT_NAME}</h1>
        <p className={styles.subtitle}>{PRODUCT_SUBTITLE}</p>
      </header>
      {sessionEnd === 'administrator' && (
        <output className={styles.notice}>
          <Callout intent="warning">{texts.administratorEndedYourSession}</Callout>
        </output>
      )}
      {due ? (
        <SecondStepForm methods={due} onBack={() => setDue(undefined)} />
      ) : (
        <>
          {hasPasswords && <PasswordForm onSecondStep={setDue} />}
          {options?.providers && options.providers.length > 0 && (
            <ProviderButtons providers={options.providers} onSecondStep={setDue} />
          )}
          {hasPasswords ? (
            <DefaultAdministrator />
          ) : (
            <Button
              className={styles.administrator}
              variant="minimal"
              text={texts.administratorSignIn}
              onClick={() => setAdministrator(true)}
            />
          )}
        </>
      )}
    </main>
  );
}
