import { Button } from '@blueprintjs/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { type OidcAnswer, oidcAnswerSchema, signInLink } from '#backend/contract/oidc.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { goToProvider, takePage } from '#renderer/session/go-to-provider.ts';
import { reportProof } from '#renderer/session/proof-tab.ts';
import { optionsQuery } from './provider-sign-in.ts';
import { SecondStepForm } from './second-step-form.tsx';
import { useEnd } from './sign-in.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as styles from './login-page.module.css';

/** Path of a provider's page below the sign-in page: `/login/{id}`, and `/login/{id}/callback`. */
const PROVIDER_PATH = /^\/login\/([a-z0-9-]{1,32})(\/callback)?\/?$/;

/** Begins a sign-in at a provider, and ends it when the provider sends the browser back. */
export function ProviderPage() {
  const { pathname } = useLocation();
  const [, id = '', callback] = PROVIDER_PATH.exec(pathname) ?? [];
  const { data: options } = useQuery(optionsQuery);
  const provider = options?.providers?.find((one) => one.id === id);
  const name = inertLine(provider?.name ?? texts.yourProvider);
  return (
    <main className={styles.login}>
      <header className={styles.brand}>
        <BrandMark size={40} />
        <h1 className={styles.name}>{provider ? texts.signInWith(name) : texts.signInLower}</h1>
      </header>
      {callback === undefined ? <Start id={id} name={name} /> : <End id={id} name={name} />}
    </main>
  );
}

/** Goes to the provider at once: the desktop app opens this page, and so may a company's list of its programs. */
function Start({ id, name }: { id: string; name: string }) {
  const app = useLocation().hash.slice(1);
  const { mutate, error } = useMutation({ mutationFn: () => goToProvider(id, app === '' ? {} : { app }) });
  useEffect(() => mutate(), [mutate]);
  if (error) return <Trouble error={error} signInAgain={() => mutate()} />;
  return <Notice text={texts.redirectingTo(name)} />;
}

function End({ id, name }: { id: string; name: string }) {
  const { search } = useLocation();
  const navigate = useNavigate();

  const toasts = useToasts();
  const { succeed } = useEnd();
  const [answer, setAnswer] = useState<OidcAnswer>();
  // Read once: it is used once.
  const query = useRef(search.slice(1));
  const [isForOther, setForOther] = useState(false);
  const goOn = async (done: 'linked' | 'proved'): Promise<void> => {
    if (done === 'proved' && (await reportProof())) {
      setForOther(true);
      window.close();
      return;
    }
    const title = done === 'linked' ? texts.isLinkedToYourAccount(name) : texts.identityConfirmed;
    toasts.show({ intent: 'done', title });
    void navigate(takePage(), { replace: true });
  };
  const { mutate, error } = useMutation({
    mutationFn: () =>
      apiSend('POST', `/api/auth/oidc/${id}/callback`, { body: { query: query.current }, schema: oidcAnswerSchema }),
    gcTime: 0,
    onSuccess: async (given) => {
      if ('id' in given) {
        await succeed(given);
        void navigate(takePage(), { replace: true });
      } else if ('done' in given) {
        void goOn(given.done);
      } else setAnswer(given);
    },
  });
  useEffect(() => {
    // Neither the history nor a copied address keeps the code.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    mutate();
  }, [mutate]);
  const { data: session } = useQuery({ ...sessionQuery, enabled: answer !== undefined && 'secondStep' in answer });
  useEffect(() => {
    if (session && answer && 'secondStep' in answer) void navigate(takePage(), { replace: true });
  }, [session, answer, navigate]);

  if (error) return <Trouble error={error} signInAgain={() => void navigate(`/login/${id}`, { replace: true })} />;
  if (answer && 'secondStep' in answer)
    return <SecondStepForm methods={answer.secondStep} onBack={() => void navigate(PATHS.login, { replace: true })} />;
  if (answer && 'appCode' in answer) return <HandOver code={answer.appCode} email={answer.email} />;
  // Where the browser does not let a page close its tab.
  if (isForOther) return <Notice text={texts.identityConfirmedYouCanClose} />;
  return <Notice text={texts.signingIn} />;
}

/** Asks before the desktop app gets the session: another program may have opened this page. */
function HandOver({ code, email }: { code: string; email: string }) {
  const [isOpened, setOpened] = useState(false);
  return (
    <section className={`${styles.form} ${styles.notice}`}>
      <p>
        {texts.signInToDesktopApp(
          PRODUCT_NAME,
          <strong>
            <bdi>{inertLine(email)}</bdi>
          </strong>,
        )}
      </p>
      <a
        className={`bp6-button bp6-intent-primary bp6-fill ${styles.submit}`}
        href={signInLink(code)}
        onClick={() => setOpened(true)}
      >
        {texts.openApp}
      </a>
      {isOpened && <output>{texts.youCanCloseThisPage}</output>}
    </section>
  );
}

const Notice = ({ text }: { text: string }) => (
  <section className={`${styles.form} ${styles.notice}`}>
    <output>{text}</output>
  </section>
);

/**
 * What went wrong, in the server's words; the other ways in are one step away. Who is signed in came to link an account or to
 * prove who they are: to sign in instead would end their session, perhaps with that of another account.
 */
function Trouble({ error, signInAgain }: { error: Error; signInAgain: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <section className={`${styles.form} ${styles.notice}`}>
      <p role="alert">{error instanceof ApiError ? error.body : error.message}</p>
      {session === null && <Button text={common.tryAgain} onClick={signInAgain} />}
      {session ? (
        <Link to={PATHS.account}>{texts.backToMyAccount}</Link>
      ) : (
        <Link to={PATHS.login}>{texts.otherWaysToSignIn}</Link>
      )}
    </section>
  );
}
