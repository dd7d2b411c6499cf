import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { defaultCredentialsQuery } from './get-default-credentials.ts';

/**
 * The default administrator's credentials where the server lets this page show them, else where to find them
 * (contract.md section 4). Says nothing while it does not know.
 */
export function DefaultAdministrator() {
  const { data: credentials } = useQuery(defaultCredentialsQuery);
  if (credentials === undefined) return null;
  if (credentials === null)
    return (
      <p className="ad-login-hint">
        First time here? The server printed the administrator’s e-mail and password when it was first started.
      </p>
    );
  return (
    <section className="ad-login-panel" aria-label="Default administrator">
      <h2 className="ad-login-panel-title">Default administrator</h2>
      <dl>
        <Credential name="Email" value={credentials.email} copyLabel="Copy e-mail" />
        <Credential name="Password" value={credentials.password} copyLabel="Copy password" />
      </dl>
    </section>
  );
}

function Credential({ name, value, copyLabel }: { name: string; value: string; copyLabel: string }) {
  return (
    <div className="ad-login-credential">
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd>
        <CopyButton text={value} label={copyLabel} />
      </dd>
    </div>
  );
}
