import { Button } from '@blueprintjs/core';
import { SendMessageIcon, WarningSignIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import type { SecretKind } from '#backend/contract/source.ts';
import { sourceQuery } from '#renderer/features/sources/data/get-sources.ts';
import type { SetUpValues } from '#renderer/features/sources/set-up/fill-in.ts';
import { SetUpBody, SetUpTabs } from '#renderer/features/sources/set-up/set-up-body.tsx';
import { setUpOf } from '#renderer/features/sources/set-up/set-ups.ts';
import { HealthLabel } from '#renderer/features/sources/shown/dot-labels.tsx';
import { SecretField } from '#renderer/features/sources/shown/secret-field.tsx';
import { SenderTile } from '#renderer/features/sources/shown/sender-tile.tsx';
import { pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { TitleRow } from '#renderer/features/sources/shown/source-head.tsx';
import { senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import { mask, useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import { useUncopied } from '#renderer/features/sources/shown/use-uncopied.ts';
import { useSourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import type { MadeSource } from './make-source.ts';
import { StepMark } from './step-mark.tsx';
import { useFirstDelivery } from './use-first-delivery.ts';
import { WaitingPanel } from './waiting-panel.tsx';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as styles from './created-source.module.css';

/** A source that was just created: its address and secret, shown once, its set-up, and its first delivery. */
export function CreatedSource({ made }: { made: MadeSource }) {
  const { data = made.source } = useQuery(sourceQuery(made.source.id));
  const sender = senderOf(made.source) ?? 'generic';
  const setUp = setUpOf(sender);
  const isByMail = setUp.ways === 'Email';
  const [tab, setTab] = useState(0);
  const { isMasked, unmask } = useMaskWhenAway();
  const { actions, dialogs } = useSourceActions();
  const first = useFirstDelivery(made.source.id);
  const page = pageOf(made.source.id);
  const navigate = useNavigate();
  const isArrived = first.delivery !== undefined;

  const { plain } = made;
  const hintOf = (one: SecretKind): string =>
    data.secrets.find((stored) => stored.kind === one && stored.expiresAt === null)?.hint ?? '';
  // Another may have its place by now: a sender that is set up with this one would be refused a day later.
  const currentOf = (one: 'key' | 'signing'): string | undefined =>
    plain[one]?.endsWith(hintOf(one)) === true ? plain[one] : undefined;
  const isByAddress = setUp.ways === 'Address' || setUp.ways === 'Signed';
  const address = `${window.location.origin}${isByAddress ? `/in/${plain.token ?? ''}` : (setUp.path ?? '/webhook')}`;
  const isInHeader = !isByAddress && !isByMail && setUp.path === undefined && !setUp.ways.startsWith('Basic');
  // What the set-up takes. The address of emails can be seen again.
  const kind = plain.signing === undefined ? 'key' : 'signing';
  const secret = isByMail || (isByAddress && kind === 'key') ? undefined : currentOf(kind);
  const { uncopied, onCopied } = useUncopied([
    ...(isByAddress ? [{ kind: 'token' as const, text: address }] : []),
    ...(secret === undefined ? [] : [{ kind, text: secret } as const]),
  ]);
  const isCopied = uncopied.length === 0;
  const guard = useLeaveGuard(!isCopied);
  const hints = { secret: hintOf('key'), token: hintOf('token'), signing: hintOf('signing') };
  const values: SetUpValues = {
    origin: window.location.origin,
    secret: isMasked ? undefined : currentOf('key'),
    token: isMasked ? undefined : plain.token,
    signing: isMasked ? undefined : currentOf('signing'),
    mail: made.source.mailAddress ?? undefined,
    hints,
  };
  const open = useCallback(() => void navigate(page), [navigate, page]);
  useEscape(open);

  return (
    <>
      <TitleRow
        tile={<SenderTile sender={sender} />}
        title={inertLine(made.source.name)}
        actions={
          isArrived ? (
            <Button intent="primary" text={texts.openSource} onClick={open} />
          ) : (
            <>
              <Button
                icon={<SendMessageIcon />}
                text={pageTexts.sendTest}
                onClick={() => actions.sendTest(made.source)}
              />
              <Button intent="primary" text={pageTexts.done} onClick={open} />
            </>
          )
        }
      >
        <HealthLabel source={data} hasReason={false} />
      </TitleRow>
      <div className={styles.created}>
        <section className={`${panelStyles.panel} ${styles.panel}`} aria-labelledby="ad-created-secret">
          <div className={styles.head}>
            <StepMark step={1} isDone={isCopied} />
            <h2 id="ad-created-secret" className={styles.title}>
              {isByMail ? texts.emailAddress : texts.addressAndCredentials}
            </h2>
          </div>
          {isByMail ? (
            <div className={styles.body}>
              <div className={formDialogStyles.label}>{texts.emailAddress}</div>
              {made.source.mailAddress === null ? (
                <p>{texts.noneThisServerReceivesNo}</p>
              ) : (
                <SecretField copyLabel={sourceTexts.copyEmailAddress} text={made.source.mailAddress} />
              )}
            </div>
          ) : (
            <div className={styles.body}>
              <div className={formDialogStyles.label}>{texts.address}</div>
              <SecretField
                copyLabel={sourceTexts.copyAddress}
                text={address}
                masked={isMasked && isByAddress ? `${window.location.origin}/in/${mask(hints.token)}` : undefined}
                onUnmask={unmask}
                onCopied={() => onCopied(['token'])}
              />
              {secret !== undefined && (
                <>
                  <div className={`${formDialogStyles.label} ${styles.label}`}>
                    {kind === 'key' ? sourceTexts.apiKey : sourceTexts.signingSecret}
                  </div>
                  <SecretField
                    copyLabel={kind === 'key' ? pageTexts.copyApiKey : texts.copySigningSecret}
                    text={secret}
                    masked={isMasked ? mask(hintOf(kind)) : undefined}
                    onUnmask={unmask}
                    onCopied={() => onCopied([kind])}
                  />
                </>
              )}
              {(isByAddress || secret !== undefined) && (
                <p className={styles.once}>
                  <WarningSignIcon size={12} />
                  {secret === undefined ? sourceTexts.saveAddressHint : sourceTexts.saveKeyHint}
                </p>
              )}
              {isInHeader && (
                <div className={styles.other}>
                  <div className={formDialogStyles.label}>{texts.cannotSetHeader}</div>
                  <p>
                    {texts.basicAuthenticationHint((text) => (
                      <Link className="ad-link" to={pageOf(made.source.id, 'settings')}>
                        {text}
                      </Link>
                    ))}
                  </p>
                </div>
              )}
            </div>
          )}
        </section>
        <section className={`${panelStyles.panel} ${styles.panel}`} aria-labelledby="ad-created-set-up">
          <div className={styles.head}>
            <StepMark step={2} isDone={isArrived} />
            <h2 id="ad-created-set-up" className={styles.title}>
              {texts.setUpSender(SENDERS[sender].name)}
            </h2>
            <SetUpTabs tabs={setUp.tabs} shown={tab} onShow={setTab} />
          </div>
          <SetUpBody setUp={setUp} tab={tab} values={values} source={data} onCopied={onCopied} hasLegend />
        </section>
      </div>
      <WaitingPanel source={data} sender={sender} first={first} waits={setUp.waits} />
      <LeaveDialog
        isOpen={guard.isAsked}
        secrets={uncopied}
        onStay={guard.stay}
        onCopied={onCopied}
        onLeave={guard.leave}
      />
      {dialogs}
    </>
  );
}

/** Calls `onEscape` for Escape where nothing else takes it. */
function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest('[role="dialog"], dialog, [role="menu"], input, textarea');
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) onEscape();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onEscape]);
}
