import { Button } from '@blueprintjs/core';
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { type LinkSubject, type LinkUse, linkSubjectSchema } from '#backend/contract/account-link.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { formatExactTime, formatMoment } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { forgetSentPush } from '#renderer/push/sent-push.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { goToProvider } from '#renderer/session/go-to-provider.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { PasswordField } from '#renderer/ui/password-field/password-field.tsx';
import { optionsQuery } from './provider-sign-in.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './login-page.module.css';

/** Whom the link is for. Its token is sent in a body, never in an address. Read once: it is used once. */
const subjectQuery = (token: string) =>
  queryOptions<LinkSubject>({
    queryKey: ['/api/auth/links/look', token],
    queryFn: () => apiSend('POST', '/api/auth/links/look', { body: { token }, schema: linkSubjectSchema }),
    gcTime: 0,
    placeholderData: keepPreviousData,
  });

/** `POST /api/auth/join` or `/api/auth/reset-password`. Nothing of it is kept. */
const useLink = ({ kind }: LinkSubject) =>
  useMutation({
    mutationFn: (use: LinkUse) =>
      apiSend('POST', kind === 'invitation' ? '/api/auth/join' : '/api/auth/reset-password', { body: use }),
    gcTime: 0,
  });

/** Where the links of invitations and resets lead: a person chooses their password. */
export function LinkPage() {
  const token = useLocation().hash.slice(1);
  const { data: subject, error, isPending } = useQuery(subjectQuery(token));
  return (
    <main className={styles.login}>
      <header className={styles.brand}>
        <BrandMark size={40} />
        <h1 className={styles.name}>{subject?.kind === 'reset' ? texts.newPassword : texts.join(PRODUCT_NAME)}</h1>
      </header>
      {subject ? (
        <LinkForm subject={subject} token={token} />
      ) : isPending ? (
        <output className={styles.hint}>{texts.loading}</output>
      ) : (
        <LinkNotice isError text={error.message} />
      )}
    </main>
  );
}

/** Says how the link ended, and leads to the sign-in. A whole page load: what was there is of another session. */
function LinkNotice({ text, isError = false }: { text: string; isError?: boolean }) {
  return (
    <section className={`${styles.form} ${styles.notice}`}>
      <p role={isError ? 'alert' : 'status'}>{text}</p>
      <a href={PATHS.login}>{texts.goToSignInPage}</a>
    </section>
  );
}

function LinkForm({ subject, token }: { subject: LinkSubject; token: string }) {
  const { kind, email, displayName, expiresAt } = subject;
  const isInvitation = kind === 'invitation';
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const use = useLink(subject);
  const toasts = useToasts();
  const { data: session } = useQuery(sessionQuery);
  const end = new Date(expiresAt);
  const until = useNow((now) => formatMoment(end, now));
  const { data: options } = useQuery(optionsQuery);
  const providers = (isInvitation && options?.providers) || [];
  const hasPasswords = options?.hasPasswords !== false;
  const go = useMutation({
    mutationFn: (id: string) => goToProvider(id, { invitation: token }),
    onError: ({ message }) => toasts.show({ variant: 'destructive', title: texts.loginFailed, description: message }),
  });
  useEffect(() => field.current?.focus(), []);

  if (use.isSuccess && !isInvitation) return <LinkNotice text={texts.yourPasswordWasChangedSign} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (use.isPending || use.isSuccess) return;
    use.mutate(
      { token, password },
      {
        onSuccess() {
          if (!isInvitation) return;
          forgetSentPush();
          // Loaded again as whom this browser belongs to now.
          window.location.replace(PATHS.inbox);
        },
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: texts.failedToSetPassword, description: message }),
      },
    );
  };
  return (
    <form className={`${styles.form} ${styles.link}`} onSubmit={submit}>
      <p>
        {texts.welcome(
          isInvitation,
          <bdi>{inertLine(displayName)}</bdi>,
          hasPasswords,
          <strong>
            <bdi>{inertLine(email)}</bdi>
          </strong>,
        )}
      </p>
      {/* Password managers ask whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      {hasPasswords && (
        <PasswordField label={pageTexts.password} inputRef={field} value={password} onChange={setPassword} />
      )}
      {!isInvitation && <p>{texts.newPasswordSignsYouOut}</p>}
      {isInvitation && session && (
        <p role="note">{texts.youAreSignedInAs(<bdi>{inertLine(session.displayName)}</bdi>)}</p>
      )}
      {hasPasswords && (
        <Button
          className={styles.submit}
          type="submit"
          intent="primary"
          fill
          aria-disabled={use.isPending || use.isSuccess}
          text={
            use.isPending || use.isSuccess ? texts.saving : isInvitation ? texts.createAccount : texts.setNewPassword
          }
        />
      )}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          className={styles.provider}
          fill
          aria-disabled={go.isPending || go.isSuccess || undefined}
          text={texts.signInWith(inertLine(name))}
          onClick={() => go.isPending || go.mutate(id)}
        />
      ))}
      <p className={styles.until}>
        {texts.thisLinkWorksOnceUntil(
          <time dateTime={expiresAt} title={formatExactTime(end)}>
            {until}
          </time>,
        )}
      </p>
    </form>
  );
}
