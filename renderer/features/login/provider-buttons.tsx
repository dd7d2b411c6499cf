import { Button } from '@blueprintjs/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Provider } from '#backend/contract/oidc.ts';
import { type SecondStepDue, signInAnswerSchema } from '#backend/contract/second-step.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { goToProvider, rememberPage } from '#renderer/session/go-to-provider.ts';
import { appSecret, forgetAppSecret, openInBrowser } from './provider-sign-in.ts';
import { destinationOf, useEnd } from './sign-in.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './login-page.module.css';

interface ProviderButtonsProps {
  providers: readonly Provider[];
  onSecondStep: (methods: SecondStepDue['secondStep']) => void;
}

/** Ways in by providers, below those of this server. In the desktop app the system's browser goes there. */
export function ProviderButtons({ providers, onSecondStep }: ProviderButtonsProps) {
  const { state } = useLocation();
  const toasts = useToasts();
  const [waitsFor, setWaitsFor] = useState<Provider>();
  const start = useMutation({
    mutationFn: async (provider: Provider) => {
      if (window.alertdesk) {
        // An app of a release before does not know the links that come back.
        onSignInLink(() => undefined)();
        await openInBrowser(provider.id);
        return setWaitsFor(provider);
      }
      const { pathname, search, hash } = destinationOf(state);
      rememberPage(pathname + search + hash);
      return goToProvider(provider.id);
    },
    onError: (error) =>
      toasts.show({
        variant: 'destructive',
        title: texts.loginFailed,
        description: error instanceof ApiError ? error.body : error.message,
      }),
  });
  if (waitsFor)
    return (
      <WaitForBrowser
        provider={waitsFor}
        onAgain={() => start.mutate(waitsFor)}
        onCancel={() => setWaitsFor(undefined)}
        onSecondStep={onSecondStep}
      />
    );
  return (
    <section className={styles.providers} aria-label={texts.otherWaysToSignIn}>
      {providers.map((provider) => (
        <Button
          key={provider.id}
          className={styles.provider}
          fill
          // The page leaves: the button stays as it is until then.
          aria-disabled={start.isPending || (start.isSuccess && !window.alertdesk) || undefined}
          text={texts.signInWith(inertLine(provider.name))}
          onClick={() => !start.isPending && start.mutate(provider)}
        />
      ))}
    </section>
  );
}

interface WaitForBrowserProps extends Pick<ProviderButtonsProps, 'onSecondStep'> {
  provider: Provider;
  onAgain: () => void;
  onCancel: () => void;
}

/** Listens for the links by which browsers end a sign-in. @throws in an app that does not know them */
function onSignInLink(listener: (code: string) => void): () => void {
  try {
    return window.alertdesk?.on('signIn', ({ code }) => listener(code)) ?? (() => undefined);
  } catch (error) {
    throw new Error(texts.updateDesktopAppToSign, { cause: error });
  }
}

/** What the desktop app shows while the browser signs in. */
function WaitForBrowser({ provider, onAgain, onCancel, onSecondStep }: WaitForBrowserProps) {
  const { succeed, fail } = useEnd();
  const { mutate, isPending } = useMutation({
    mutationFn: (body: { code: string; verifier: string }) =>
      apiSend('POST', '/api/auth/oidc/app', { body, schema: signInAnswerSchema }),
    gcTime: 0,
    onSuccess: (answer) => {
      forgetAppSecret();
      return 'secondStep' in answer ? onSecondStep(answer.secondStep) : succeed(answer);
    },
    onError: (error) => fail(error instanceof ApiError ? error.body : error.message),
  });

  useEffect(() => {
    return onSignInLink((code) => {
      const verifier = appSecret();
      if (verifier !== null) mutate({ code, verifier });
    });
  }, [mutate]);

  return (
    <section className={`${styles.form} ${styles.notice}`} aria-label={texts.signInWith(inertLine(provider.name))}>
      <output>{isPending ? texts.signingIn : texts.continueInYourBrowserIt}</output>
      <Button text={texts.openBrowserAgain} onClick={onAgain} />
      <Button
        variant="minimal"
        text={pageTexts.cancel}
        onClick={() => {
          forgetAppSecret();
          onCancel();
        }}
      />
    </section>
  );
}
