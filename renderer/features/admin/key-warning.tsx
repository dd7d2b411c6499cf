import { Callout } from '@blueprintjs/core';
import { useLatency } from './latency-panel.tsx';
import * as styles from './admin-page.module.css';

/** What administrators are to know while the key that seals secrets lies in the database that it seals. */
export function KeyWarning() {
  const { data } = useLatency();
  if (data?.isKeyInDatabase !== true) return null;
  return (
    <Callout className={styles.adminWarning} intent="warning">
      <h2>The key of the secrets is in the database</h2>
      <p>
        Signing secrets of sources, keys of authenticator apps and queued mails are stored encrypted, but whoever reads
        the database or a dump of it has the key as well.
      </p>
      <p>To keep the key elsewhere, whoever runs the server</p>
      <ol>
        <li>
          makes one with <code>npm run -s secrets-key -- new</code>,
        </li>
        <li>
          gives it to every server as <code>SECRETS_KEY</code> or in a file as <code>SECRETS_KEY_FILE</code>, and
          restarts them in turn,
        </li>
        <li>
          runs <code>npm run secrets-key -- rotate</code>, which seals everything under it and removes this one.
        </li>
      </ol>
    </Callout>
  );
}
