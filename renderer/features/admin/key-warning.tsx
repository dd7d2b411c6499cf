import { Callout } from '@blueprintjs/core';
import { useLatency } from './latency-panel.tsx';
import * as texts from './texts.tsx';
import * as styles from './admin-page.module.css';

/** What administrators are to know while the key that seals secrets lies in the database that it seals. */
export function KeyWarning() {
  const { data } = useLatency();
  if (data?.isKeyInDatabase !== true) return null;
  return (
    <Callout className={styles.adminWarning} intent="warning">
      <h2>{texts.keyInDatabase}</h2>
      <p>{texts.keyInDatabaseHint}</p>
      <p>{texts.toKeepEncryptionKeyElsewhere}</p>
      <ol>
        <li>{texts.createKey(<code>npm run -s secrets-key -- new</code>)}</li>
        <li>{texts.passKeyToServers(<code>SECRETS_KEY</code>, <code>SECRETS_KEY_FILE</code>)}</li>
        <li>{texts.rotateKey(<code>npm run secrets-key -- rotate</code>)}</li>
      </ol>
    </Callout>
  );
}
