import { Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { AccountLink, NewAccountLink } from '#backend/contract/account-link.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatExactTime, formatMoment } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { ROLE_LABELS } from '#renderer/session/role-labels.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { useToasts } from '#renderer/toasts/toast.ts';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { placeOnPage } from '#renderer/ui/use-dialog.ts';
import { linksQuery, optionsQuery, useMakeLink, useRevokeLink } from './links.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as usersPageStyles from './users-page.module.css';
import * as styles from './pending-links.module.css';

const KINDS: Record<AccountLink['kind'], string> = { invitation: texts.invitation, reset: texts.resetLinkInText };

/** The last one goes with its panel. */
const leaveFocus = passFocus(placeOnPage);

/** Invitations and reset links that nobody has used yet. Nothing while there is none. */
export function PendingLinks({ onMade }: { onMade: (made: NewAccountLink) => void }) {
  const { data: links, error, refetch } = useQuery(linksQuery);
  if (error && !links) return <LoadError what={texts.pendingLinks} error={error} onRetry={() => void refetch()} />;
  if (!links || links.length === 0) return null;
  return (
    <Panel title={texts.pendingLinksPanel} hint={texts.invitationsAndResetLinksThat}>
      <ul ref={leaveFocus} className={panelStyles.rows} aria-label={texts.pendingLinks}>
        {links.map((link) => (
          <PendingLink key={link.id} link={link} onMade={onMade} />
        ))}
      </ul>
    </Panel>
  );
}

/** One link: for whom, what for, until when, and what became of its mail. */
function PendingLink({ link, onMade }: { link: AccountLink; onMade: (made: NewAccountLink) => void }) {
  const { id, kind, email, displayName, role, expiresAt, mail, mailError } = link;
  const nameId = useId();
  const { data: options } = useQuery(optionsQuery);
  const make = useMakeLink();
  const revoke = useRevokeLink();
  const toasts = useToasts();
  const until = useNow((now) => untilOf(new Date(expiresAt), now));
  const isBusy = make.isPending || revoke.isPending;

  const renew = (): void =>
    make.mutate(
      // As it was before, so that nobody is mailed who was not to be.
      { to: 'renew', id, isMailed: mail !== 'none' && options?.hasMail === true },
      {
        onSuccess: (made) => onMade(made),
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: texts.failedToRenewLink, description: message }),
      },
    );
  const end = (): void =>
    revoke.mutate(id, {
      onSuccess: () => toasts.show({ intent: 'done', title: texts.kindsRevoked(KINDS[kind]) }),
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToRevokeLink, description: message }),
    });

  return (
    <li className={`${panelStyles.row} ${styles.pendingLink}`} aria-labelledby={nameId}>
      <span className={styles.words}>
        <span className={styles.name}>
          <bdi id={nameId}>{inertLine(displayName)}</bdi>
          <Tag minimal className={usersPageStyles.role}>
            {KINDS[kind]}
          </Tag>
          <Tag minimal className={usersPageStyles.role}>
            {ROLE_LABELS[role]}
          </Tag>
        </span>
        <span className={styles.note}>
          <bdi>{inertLine(email)}</bdi>
          {' · '}
          <time dateTime={expiresAt} data-tip={formatExactTime(new Date(expiresAt))} data-tip-always>
            {until}
          </time>
          {mail === 'sent' && texts.emailed}
          {mail === 'queued' && texts.beingEmailed}
        </span>
        {mailError !== null && (
          <span className={styles.error}>
            {mail === 'failed' ? texts.emailCouldNotBeSent : texts.sendingEmailAgain}
            {inertLine(mailError)}
          </span>
        )}
        <HoldWhile isPending={make.isPending} />
      </span>
      <span className={styles.actions}>
        <LastingButton text={texts.renew} aria-describedby={nameId} isOff={isBusy} onClick={() => renew()} />
        <LastingButton text={texts.revoke} aria-describedby={nameId} isOff={isBusy} onClick={() => end()} />
      </span>
    </li>
  );
}

const untilOf = (end: Date, now: Date): string => (end <= now ? texts.ranOut : texts.untilTime(formatMoment(end, now)));
