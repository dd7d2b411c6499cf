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
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './second-step.module.css';

/** Two-step sign-in and passkeys: what the member has set up, and what they add and remove. */
export function SecondStepPanel() {
  const state = useQuery(secondStepQuery);
  return (
    <Panel
      title="Two-step sign-in and passkeys"
      hint="With a second step, your password alone is not enough to sign in. A passkey signs you in without a password."
    >
      <WhenLoaded what="Two-step sign-in" queries={[state]}>
        {state.data && <SecondSteps state={state.data} />}
      </WhenLoaded>
    </Panel>
  );
}

function SecondSteps({ state }: { state: SecondStepState }) {
  const { totpSince, passkeys, recoveryCodesLeft, browsers, isRequired } = state;
  const setUp = useSetUp();
  const trouble = usePasskeyTrouble();
  const removeOne = useRemove();
  const hasOne = totpSince !== null || passkeys.length > 0;
  const isLast = (totpSince === null ? 0 : 1) + passkeys.length === 1;
  const isKept = isRequired && isLast;
  return (
    <>
      {isRequired && !hasOne && (
        <p className={styles.secondStepNote}>Your administrator requires a second step for your account.</p>
      )}
      <ul className={panelStyles.rows} aria-label="Second steps">
        <Row
          name="Authenticator app"
          detail={totpSince === null ? 'Not set up' : `Set up on ${formatDate(new Date(totpSince))}`}
        >
          {(nameId) => (
            <>
              <Button
                text={totpSince === null ? 'Set up' : 'Replace'}
                aria-describedby={nameId}
                onClick={setUp.addTotp}
              />
              {totpSince !== null && !isKept && (
                <Button
                  text="Remove"
                  aria-describedby={nameId}
                  onClick={() => removeOne('totp', 'Authenticator app removed')}
                />
              )}
            </>
          )}
        </Row>
        {passkeys.map((passkey) => (
          <Row key={passkey.id} name={inertLine(passkey.name)} badge="Passkey" detail={timesOf(passkey)}>
            {(nameId) => (
              <>
                <Button
                  text="Rename"
                  aria-describedby={nameId}
                  aria-haspopup="dialog"
                  onClick={() => setUp.renamePasskey(passkey)}
                />
                {!isKept && (
                  <Button
                    text="Remove"
                    aria-describedby={nameId}
                    onClick={() => removeOne('passkeys', 'Passkey removed', passkey.id)}
                  />
                )}
              </>
            )}
          </Row>
        ))}
        <Row
          name="Passkeys"
          detail={trouble ? `${trouble} Use an authenticator app.` : 'Your fingerprint, face, PIN, or security key'}
        >
          {() => !trouble && <Button text="Add a passkey" aria-haspopup="dialog" onClick={setUp.addPasskey} />}
        </Row>
        {hasOne && (
          <Row name="Recovery codes" detail={`${recoveryCodesLeft} left, each works once`}>
            {(nameId) => <Button text="New codes" aria-describedby={nameId} onClick={setUp.renewCodes} />}
          </Row>
        )}
      </ul>
      {browsers.length > 0 && (
        <>
          <div className={styles.secondStepHead}>
            <h3>Remembered browsers</h3>
            {browsers.length > 1 && (
              <Button variant="minimal" text="Forget all" onClick={() => removeOne('browsers', 'Browsers forgotten')} />
            )}
          </div>
          <ul className={panelStyles.rows} aria-label="Remembered browsers">
            {browsers.map((browser) => (
              <Row
                key={browser.id}
                name={browser.browser}
                badge={browser.isThisBrowser ? 'This browser' : undefined}
                detail={placeOf(browser)}
              >
                {(nameId) => (
                  <Button
                    text="Forget"
                    aria-describedby={nameId}
                    onClick={() => removeOne('browsers', 'Browser forgotten', browser.id)}
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
  `Added ${formatDate(new Date(createdAt))}, ${lastUsedAt === null ? 'never used' : `last used ${formatDate(new Date(lastUsedAt))}`}`;

const placeOf = ({ ip, expiresAt }: RememberedBrowser): string =>
  `From ${ip}, until ${formatDate(new Date(expiresAt))}`;

interface RowProps {
  name: string;
  badge?: string | undefined;
  detail: string;
  /** What can be done with it; `nameId` describes the buttons. */
  children: (nameId: string) => ReactNode;
}

function Row({ name, badge, detail, children }: RowProps) {
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
      <span className={styles.secondStepActions}>{children(nameId)}</span>
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
        toasts.show({ variant: 'destructive', title: 'Failed to remove it', description: message }),
    });
  };
}
