import { Button } from '@blueprintjs/core';
import { useSignOut } from '#renderer/session/sign-out.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { usePasskeyTrouble } from './passkey-browser.ts';
import { useSetUp } from './use-set-up.tsx';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './second-step.module.css';

/** The only screen of who has to set up a second step. What the page was refused meanwhile is asked for by loading again. */
export function SetUpScreen() {
  const setUp = useSetUp(() => window.location.reload());
  const trouble = usePasskeyTrouble();
  const signOut = useSignOut();
  return (
    <main className={styles.setUpScreen}>
      <BrandMark size={40} />
      <h1>{texts.setUpSecondStep}</h1>
      <p>{texts.setUpHint}</p>
      <Button intent="primary" fill text={texts.withAuthenticatorApp} onClick={setUp.addTotp} />
      <Button fill text={pageTexts.withPasskey} disabled={trouble !== undefined} onClick={setUp.addPasskey} />
      {trouble && <p className={styles.setUpHint}>{trouble}</p>}
      <Button
        variant="minimal"
        text={signOut.isPending ? texts.signingOut : pageTexts.signOut}
        onClick={() => !signOut.isPending && signOut.mutate()}
      />
      {setUp.dialogs}
    </main>
  );
}
