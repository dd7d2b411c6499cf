import { queryOptions, useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { type DefaultCredentials, defaultCredentialsSchema, setupTokenOf } from '#backend/contract/session.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import * as texts from './texts.tsx';
import * as styles from './login-page.module.css';

/**
 * The default administrator's credentials for who opened the address that the first start printed, else where to find
 * that. Says nothing while it does not know.
 */
export function DefaultAdministrator() {
  const setupToken = setupTokenOf(useLocation().hash);
  const { data = null, isPending } = useQuery({ ...defaultCredentialsQuery(setupToken), enabled: setupToken !== '' });
  if (setupToken !== '' && isPending) return null;
  if (data === null) return <p className={styles.hint}>{texts.firstTimeHereServerPrinted}</p>;
  return (
    <section className={styles.panel} aria-label={texts.defaultAdministrator}>
      <h2 className={styles.panelTitle}>{texts.defaultAdministrator}</h2>
      <dl>
        <Credential name="Email" value={data.email} copyLabel={texts.copyEmail} />
        <Credential name="Password" value={data.password} copyLabel={texts.copyPassword} />
      </dl>
    </section>
  );
}

function Credential({ name, value, copyLabel }: { name: string; value: string; copyLabel: string }) {
  return (
    <div className={styles.credential}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd>
        <CopyButton text={value} label={copyLabel} />
      </dd>
    </div>
  );
}

/**
 * `GET /api/auth/default-credentials`: `null` when the server does not show them (404).
 *
 * @param setupToken the token of the address that the first start printed
 */
const defaultCredentialsQuery = (setupToken: string) =>
  queryOptions<DefaultCredentials | null>({
    queryKey: ['/api/auth/default-credentials', setupToken],
    queryFn: ({ signal }) =>
      apiGet('/api/auth/default-credentials', defaultCredentialsSchema, { signal, bearerToken: setupToken }).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return null;
          throw error;
        },
      ),
  });
