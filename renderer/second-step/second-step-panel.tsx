import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Passkey, RememberedBrowser, SecondStepState } from '#backend/contract/second-step.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatDate } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { usePasskeyTrouble } from './passkey-browser.ts';
import { remove, secondStepQuery, useSecondStepChange } from './second-step.ts';
import { useSetUp } from './use-set-up.tsx';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './second-step.module.css';

/** Two-step sign-in and passkeys: what the member has set up, and what they add and remove. */
export function SecondStepPanel() {
  const state = useQuery(secondStepQuery);
  return (
    <Panel title={texts.twoStepSignInAnd} hint={texts.withSecondStepYourPassword}>
      <WhenLoaded what={texts.twoStepSignIn} queries={[state]}>
        {state.data && <SecondSteps state={state.data} />}
      </WhenLoaded>
    </Panel>
  );
}

function SecondSteps({ state }: { state: SecondStepState }) {
  const { totpSince, passkeys, recoveryCodesLeft, browsers, isRequired, lockedBecause } = state;
  const setUp = useSetUp();
  const trouble = usePasskeyTrouble();
  const removeOne = useRemove();
  const hasOne = totpSince !== null || passkeys.length > 0;
  const isLast = (totpSince === null ? 0 : 1) + passkeys.length === 1;
  const isKept = isRequired && isLast;
  const isLocked = lockedBecause !== undefined && hasOne;
  return (
    <>
      {isRequired && !hasOne && <p className={styles.secondStepNote}>{texts.yourAdministratorRequiresSecondStep}</p>}
      {isLocked && <p className={styles.secondStepNote}>{lockedBecause}</p>}
      <ul className={panelStyles.rows} aria-label={texts.secondSteps}>
        <Row
          isLocked={isLocked}
          name={texts.authenticatorApp}
          detail={totpSince === null ? texts.notSetUp : texts.setUpOn(formatDate(new Date(totpSince)))}
        >
          {(nameId) => (
            <>
              <Button
                text={totpSince === null ? texts.setUp : texts.replace}
                aria-describedby={nameId}
                onClick={setUp.addTotp}
              />
              {totpSince !== null && !isKept && (
                <Button
                  text={pageTexts.remove}
                  aria-describedby={nameId}
                  onClick={() => removeOne('totp', texts.authenticatorAppRemoved)}
                />
              )}
            </>
          )}
        </Row>
        {passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            isLocked={isLocked}
            name={inertLine(passkey.name)}
            badge={texts.passkey}
            detail={timesOf(passkey)}
          >
            {(nameId) => (
              <>
                <Button
                  text={texts.rename}
                  aria-describedby={nameId}
                  aria-haspopup="dialog"
                  onClick={() => setUp.renamePasskey(passkey)}
                />
                {!isKept && (
                  <Button
                    text={pageTexts.remove}
                    aria-describedby={nameId}
                    onClick={() => removeOne('passkeys', texts.passkeyRemoved, passkey.id)}
                  />
                )}
              </>
            )}
          </Row>
        ))}
        {!isLocked && (
          <Row
            name="Passkeys"
            detail={trouble ? texts.authenticatorAppInstead(trouble) : texts.yourFingerprintFacePinOr}
          >
            {() => !trouble && <Button text={texts.addPasskey} aria-haspopup="dialog" onClick={setUp.addPasskey} />}
          </Row>
        )}
        {hasOne && (
          <Row isLocked={isLocked} name={texts.recoveryCodes} detail={texts.leftEachWorksOnce(recoveryCodesLeft)}>
            {(nameId) => <Button text={texts.newCodes} aria-describedby={nameId} onClick={setUp.renewCodes} />}
          </Row>
        )}
      </ul>
      {browsers.length > 0 && (
        <>
          <div className={styles.secondStepHead}>
            <h3>{texts.rememberedBrowsers}</h3>
            {browsers.length > 1 && (
              <Button
                variant="minimal"
                text={texts.forgetAll}
                onClick={() => removeOne('browsers', texts.browsersForgotten)}
              />
            )}
          </div>
          <ul className={panelStyles.rows} aria-label={texts.rememberedBrowsers}>
            {browsers.map((browser) => (
              <Row
                key={browser.id}
                name={browser.browser}
                badge={browser.isThisBrowser ? pageTexts.thisBrowser : undefined}
                detail={placeOf(browser)}
              >
                {(nameId) => (
                  <Button
                    text={texts.forget}
                    aria-describedby={nameId}
                    onClick={() => removeOne('browsers', texts.browserForgotten, browser.id)}
                  />
                )}
              </Row>
            ))}
          </ul>
        </>
      )}
      {setUp.dialogs}
    </>
  );
}

const timesOf = ({ createdAt, lastUsedAt }: Passkey): string =>
  `Added ${formatDate(new Date(createdAt))}, ${lastUsedAt === null ? texts.neverUsed : texts.lastUsedAgo(formatDate(new Date(lastUsedAt)))}`;

const placeOf = ({ ip, expiresAt }: RememberedBrowser): string => texts.fromUntil(ip, formatDate(new Date(expiresAt)));

interface RowProps {
  name: string;
  badge?: string | undefined;
  detail: string;
  /** Nothing can be done with it here. */
  isLocked?: boolean;
  /** What can be done with it; `nameId` describes the buttons. */
  children: (nameId: string) => ReactNode;
}

function Row({ name, badge, detail, isLocked = false, children }: RowProps) {
  const nameId = useId();
  return (
    <li className={`${panelStyles.row} ${styles.secondStep}`} aria-labelledby={nameId}>
      <span className={styles.secondStepWords}>
        <span className={styles.secondStepName}>
          <bdi id={nameId}>{name}</bdi>
          {badge !== undefined && <span className={panelStyles.badge}>{badge}</span>}
        </span>
        <span className={styles.secondStepDetail}>{detail}</span>
      </span>
      <span className={styles.secondStepActions}>{!isLocked && children(nameId)}</span>
    </li>
  );
}

/** Removes something, and says so. */
function useRemove() {
  const { mutate, isPending } = useSecondStepChange((input: Parameters<typeof remove>) => remove(...input));
  const toasts = useToasts();
  return (what: Parameters<typeof remove>[0], title: string, id?: string): void => {
    if (isPending) return;
    mutate(id === undefined ? [what] : [what, id], {
      onSuccess: () => toasts.show({ intent: 'done', title }),
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToRemoveIt, description: message }),
    });
  };
}
