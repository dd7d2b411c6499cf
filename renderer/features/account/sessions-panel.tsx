import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { OwnSession } from '#backend/contract/account.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { formatExactTime, formatLastSeen } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { ownSessionsQuery, useEndSessions } from './account.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

/** Where I am signed in, with a way to end each session but this one. */
export function SessionsPanel() {
  const sessions = useQuery(ownSessionsQuery);
  const end = useEndSessions();
  const toasts = useToasts();
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;

  const endOne = (which: OwnSession | 'others'): void => {
    if (end.isPending) return;
    end.mutate(which, {
      onSuccess: () =>
        toasts.show({
          intent: 'done',
          title: which === 'others' ? texts.signedOutEverywhereElse : texts.signedOutOf(which.device),
        }),
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToSignOut, description: message }),
    });
  };

  return (
    <Panel
      title={texts.sessions}
      hint={
        <>
          {texts.sessionsHint((text) => (
            <Link to={PATHS.settings}>{text}</Link>
          ))}
        </>
      }
      actions={
        <LastingButton text={texts.signOutEverywhereElse} isOff={others === 0} onClick={() => endOne('others')} />
      }
    >
      <WhenLoaded what={texts.sessions} queries={[sessions]}>
        <ul className={panelStyles.rows} aria-label={texts.sessions}>
          {sessions.data?.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={endOne} />
          ))}
        </ul>
      </WhenLoaded>
    </Panel>
  );
}

/** One browser: what it is, and from where and when it signed in and was last used. */
function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: (session: OwnSession) => void }) {
  const nameId = useId();
  const { device, ip, createdAt, lastSeenAt, lastIp, isCurrent } = session;
  return (
    <li className={`${panelStyles.row} ${styles.session}`} aria-labelledby={nameId}>
      <span className={styles.sessionWords}>
        <span className={styles.sessionName}>
          <span id={nameId}>{device}</span>
          {isCurrent && <span className={panelStyles.badge}>{pageTexts.thisBrowser}</span>}
        </span>
        <span className={styles.sessionUse}>
          {texts.signedIn} <Moment time={createdAt} />
          <Address ip={ip} />
        </span>
        {!isCurrent && (
          <span className={styles.sessionUse}>
            {texts.lastUsed} <Moment time={lastSeenAt} />
            <Address ip={lastIp} />
          </span>
        )}
      </span>
      {!isCurrent && <Button text={pageTexts.signOut} aria-describedby={nameId} onClick={() => onEnd(session)} />}
    </li>
  );
}

/** Where a browser was then, if that is known. */
function Address({ ip }: { ip: string | null }) {
  if (ip === null) return null;
  return <> {texts.fromAddress(<bdi>{ip}</bdi>)}</>;
}

function Moment({ time }: { time: string }) {
  const moment = new Date(time);
  return (
    <time dateTime={time} data-tip={formatExactTime(moment)} data-tip-always>
      {formatLastSeen(moment)}
    </time>
  );
}
