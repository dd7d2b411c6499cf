import { Button } from '@blueprintjs/core';
import { useSignOut } from '#renderer/session/sign-out.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { usePasskeyTrouble } from './passkey-browser.ts';
import { useSetUp } from './use-set-up.tsx';
import * as styles from './second-step.module.css';

/** The only screen of who has to set up a second step. What the page was refused meanwhile is asked for by loading again. */
export function SetUpScreen() {
  const setUp = useSetUp(() => window.location.reload());
  const trouble = usePasskeyTrouble();
  const signOut = useSignOut();
  return (
    <main className={styles.setUpScreen}>
      <BrandMark size={40} />
      <h1>Set up a second step</h1>
      <p>
        Your administrator asks for a second step at sign-in, so that your password alone lets nobody in. Choose one to
        go on; you can add others later.
      </p>
      <Button intent="primary" fill text="Use an authenticator app" onClick={setUp.addTotp} />
      <Button fill text="Use a passkey" disabled={trouble !== undefined} onClick={setUp.addPasskey} />
      {trouble && <p className={styles.setUpHint}>{trouble}</p>}
      <Button
        variant="minimal"
        text={signOut.isPending ? 'Signing out...' : 'Sign out'}
        onClick={() => !signOut.isPending && signOut.mutate()}
      />
      {setUp.dialogs}
    </main>
  );
}
