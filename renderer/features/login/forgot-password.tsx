import { Button } from '@blueprintjs/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiSend } from '#renderer/lib/api-client.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { optionsQuery } from './provider-sign-in.ts';
import * as texts from './texts.tsx';
import * as styles from './login-page.module.css';

/** "Forgot password?", where the server can mail a link: to the e-mail that stands in the form. */
export function ForgotPassword({ email }: { email: string }) {
  const { data: options } = useQuery(optionsQuery);
  const toasts = useToasts();
  const ask = useMutation({
    mutationFn: () => apiSend('POST', '/api/auth/forgot-password', { body: { email: email.trim() } }),
    onSuccess: () =>
      toasts.show({
        intent: 'done',
        title: texts.checkYourEmail,
        description: texts.ifThereIsAccountWith,
      }),
    onError: ({ message }) =>
      toasts.show({ variant: 'destructive', title: texts.failedToRequestLink, description: message }),
  });
  if (!options?.hasMail || options.hasPasswords === false) return null;

  const submit = (): void => {
    const form = document.querySelector<HTMLFormElement>(`.${styles.form}`);
    const field = form?.querySelector<HTMLInputElement>('[name="email"]');
    // The browser itself asks for what is missing.
    if (field?.reportValidity() && !ask.isPending) ask.mutate();
  };
  return (
    <Button
      className={styles.forgot}
      variant="minimal"
      text={texts.forgotPassword}
      aria-disabled={ask.isPending}
      onClick={submit}
    />
  );
}
