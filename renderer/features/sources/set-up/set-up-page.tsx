import { AnchorButton, Button } from '@blueprintjs/core';
import { RefreshIcon, SendMessageIcon, ShareIcon, TickCircleIcon } from '@blueprintjs/icons';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import type { PlainSecrets, Source } from '#backend/contract/source.ts';
import { sendTest } from '#renderer/features/sources/data/try-source.ts';
import { addSigningSecret, useRotateSecret } from '#renderer/features/sources/data/source-commands.ts';
import { LeaveDialog } from '#renderer/features/sources/new/leave-dialog.tsx';
import { newSigningSecret } from '#renderer/features/sources/new/make-source.ts';
import { formatTook } from '#renderer/features/sources/shown/amounts.ts';
import { deliveryPageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import { SecretField } from '#renderer/features/sources/shown/secret-field.tsx';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import { useUncopied } from '#renderer/features/sources/shown/use-uncopied.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import type { SetUpValues } from './fill-in.ts';
import { SetUpBody, SetUpTabs } from './set-up-body.tsx';
import { setUpOf } from './set-ups.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './set-up.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as createdSourceStyles from '#renderer/features/sources/new/created-source.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';

/** The set-up of a source again: masked, or with new secrets filled in, once. */
export function SetUpTabPage({ source }: { source: Source }) {
  const sender = senderOf(source) ?? 'generic';
  const setUp = setUpOf(sender);
  const [tab, setTab] = useState(0);
  // Nothing but this page has them: they are gone with it.
  const [made, setMade] = useState<PlainSecrets & { signing?: string }>({});
  const { isMasked, unmask } = useMaskWhenAway();
  const { uncopied, onCopied } = useUncopied(
    (['key', 'token', 'signing'] as const).flatMap((kind) => {
      const text = kind === 'token' && made.token !== undefined ? addressOf(made.token) : made[kind];
      return text === undefined ? [] : [{ kind, text }];
    }),
  );
  const guard = useLeaveGuard(uncopied.length > 0);
  const hintOf = (kind: 'key' | 'token' | 'signing'): string =>
    source.secrets.find((secret) => secret.kind === kind && secret.expiresAt === null)?.hint ?? '';
  const values: SetUpValues = {
    origin: window.location.origin,
    secret: isMasked ? undefined : made.key,
    token: isMasked ? undefined : made.token,
    signing: isMasked ? undefined : made.signing,
    mail: source.mailAddress ?? undefined,
    hints: { secret: hintOf('key'), token: hintOf('token'), signing: hintOf('signing') },
  };
  const onMade = (secrets: PlainSecrets & { signing?: string }): void => {
    // The new address of emails is on the page, and can be seen again.
    if (sender === 'email') return;
    setMade((before) => ({ ...before, ...secrets }));
    if (isMasked) unmask();
  };
  return (
    <div className={styles.page}>
      <section className={panelStyles.panel} aria-labelledby="ad-set-up-title">
        <div className={createdSourceStyles.head}>
          <h2 id="ad-set-up-title" className={createdSourceStyles.title}>
            {texts.setUpSender(SENDERS[sender].name)}
          </h2>
          <SetUpTabs tabs={setUp.tabs} shown={tab} onShow={setTab} />
          {setUp.docs !== undefined && (
            <AnchorButton
              className={styles.docs}
              icon={<ShareIcon />}
              text={texts.sDocumentation(SENDERS[sender].name)}
              href={setUp.docs}
              target="_blank"
              rel="noopener noreferrer"
            />
          )}
        </div>
        <SetUpBody setUp={setUp} tab={tab} values={values} source={source} onCopied={onCopied} hasLegend />
        {isMasked && (
          <div className={styles.masked}>
            <Button text={texts.showNewCredentialsAgain} onClick={unmask} />
          </div>
        )}
      </section>
      <div className={styles.side}>
        {sender !== 'email' && source.mailAddress !== null && <MailPanel address={source.mailAddress} />}
        <LostPanel isMail={sender === 'email'} source={source} isOurs={setUp.signing === 'ours'} onMade={onMade} />
        <CheckPanel source={source} product={SENDERS[sender].name} />
      </div>
      <LeaveDialog
        isOpen={guard.isAsked}
        secrets={uncopied}
        onStay={guard.stay}
        onCopied={onCopied}
        onLeave={guard.leave}
      />
    </div>
  );
}

const addressOf = (token: string): string => `${window.location.origin}/in/${token}`;

/** The address for what can send emails alone. */
function MailPanel({ address }: { address: string }) {
  return (
    <section className={`${panelStyles.panel} ${styles.box}`} aria-labelledby="ad-mail-title">
      <h2 id="ad-mail-title">{pageTexts.email}</h2>
      <p>{texts.emailsToThisAddressBecome}</p>
      <div className={styles.mail}>
        <SecretField copyLabel={sourceTexts.copyEmailAddress} text={address} />
      </div>
    </section>
  );
}

interface LostPanelProps {
  source: Source;
  /** It is used by its email address alone. */
  isMail: boolean;
  /** We make the secret that the sender signs with. */
  isOurs: boolean;
  onMade: (secrets: PlainSecrets & { signing?: string }) => void;
}

function LostPanel({ source, isMail, isOurs, onMade }: LostPanelProps) {
  const rotate = useRotateSecret(source.id);
  const sign = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const signing = newSigningSecret();
      await addSigningSecret(source.id, signing);
      return signing;
    },
    onSuccess: (signing) => onMade({ signing }),
  });
  const error = rotate.error ?? sign.error;
  const isBusy = rotate.isPending || sign.isPending;
  return (
    <section className={`${panelStyles.panel} ${styles.box}`} aria-labelledby="ad-lost-title">
      <h2 id="ad-lost-title">{isMail ? texts.changeAddress : texts.lostCredentials}</h2>
      <p>{isMail ? texts.createNewAddressIfOthers : texts.theyCannotBeShownAgain}</p>
      <div className={styles.actions}>
        <LastingButton
          text={sourceTexts.newAddress}
          isOff={isBusy}
          onClick={() => rotate.mutate('token', { onSuccess: ({ plain }) => onMade(plain) })}
        />
        {!isMail && (
          <LastingButton
            icon={<RefreshIcon />}
            text={isOurs ? texts.newSigningSecret : texts.newApiKey}
            isOff={isBusy}
            onClick={() => {
              if (isOurs) sign.mutate();
              else rotate.mutate('key', { onSuccess: ({ plain }) => onMade(plain) });
            }}
          />
        )}
      </div>
      <HoldWhile isPending={isBusy && !isMail} />
      {error && (
        <p className={sourcesStyles.sourceError} role="alert">
          {error.message}
        </p>
      )}
    </section>
  );
}

function CheckPanel({ source, product }: { source: Source; product: string }) {
  const toasts = useToasts();
  const test = useMutation({
    mutationFn: async () => {
      const sentAt = performance.now();
      const { id } = await sendTest(source.id);
      return { id, afterMs: performance.now() - sentAt };
    },
    onError: ({ message }) =>
      toasts.show({ variant: 'destructive', title: texts.testDidNotArrive, description: message }),
  });
  return (
    <section className={`${panelStyles.panel} ${styles.box}`} aria-labelledby="ad-check-title">
      <h2 id="ad-check-title">{texts.checkIt}</h2>
      <p>{texts.sendsTestAlertInFormat(product)}</p>
      <div className={styles.actions}>
        <LastingButton
          icon={<SendMessageIcon />}
          text={pageTexts.sendTest}
          isOff={test.isPending}
          onClick={() => test.mutate()}
        />
      </div>
      <output className={styles.arrived}>
        {test.data && (
          <>
            <TickCircleIcon />
            <span>{texts.arrivedAfter(formatTook(test.data.afterMs))}</span>{' '}
            <Link className="ad-link" to={deliveryPageOf(source.id, test.data.id)}>
              {texts.openDelivery}
            </Link>
          </>
        )}
      </output>
    </section>
  );
}
