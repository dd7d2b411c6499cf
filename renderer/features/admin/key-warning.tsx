import { Callout } from '@blueprintjs/core';
import { useLatency } from './latency-panel.tsx';
import * as styles from './admin-page.module.css';

/** What administrators are to know while the key that seals secrets lies in the database that it seals. */
export function KeyWarning() {
  const { data } = useLatency();
  if (data?.isKeyInDatabase !== true) return null;
  return (
    <Callout className={styles.adminWarning} intent="warning">
      <h2>The encryption key is stored in the database</h2>
      <p>
        Signing secrets, authenticator app keys, and queued emails are stored encrypted, but anyone who can read the
        database or a dump of it can read the encryption key, too.
      </p>
      <p>To keep the encryption key elsewhere, on the server:</p>
      <ol>
        <li>
          Create a key with <code>npm run -s secrets-key -- new</code>.
        </li>
        <li>
          Pass it to every server as <code>SECRETS_KEY</code>, or in a file as <code>SECRETS_KEY_FILE</code>, and
          restart the servers one after the other.
        </li>
        <li>
          Run <code>npm run secrets-key -- rotate</code>, which encrypts everything with the new key and removes the old
          one from the database.
        </li>
      </ol>
    </Callout>
  );
}
