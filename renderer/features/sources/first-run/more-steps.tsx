import { AnchorButton, Button } from '@blueprintjs/core';
import { NotificationsIcon, PeopleIcon, SmallTickIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { firstRunQuery } from '#renderer/alerts/data/first-run.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { useNotificationSwitch } from '#renderer/notifications/use-notification-switch.ts';
import classNames from 'classnames';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './first-run.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as newSourceStyles from '#renderer/features/sources/new/new-source.module.css';

/** Opens the form for an invitation. */
const INVITE = `${PATHS.users}?invite`;

/** What can be done at any time: inviting people, and notifications. `isInside` a panel it has no frame of its own. */
export function MoreSteps({ isInside = false }: { isInside?: boolean }) {
  const { data } = useQuery(firstRunQuery);
  const href = useHref(INVITE);
  const open = useLinkClickHandler<HTMLElement>(INVITE);
  return (
    <div className={isInside ? styles.more : `${panelStyles.panel} ${styles.more}`}>
      <MoreRow
        icon={<PeopleIcon />}
        isDone={data?.isAlone === false}
        title={texts.invitePeople}
        text={texts.alertdeskIsMadeForTeams}
        action={<AnchorButton href={href} text={texts.invite} onClick={open} />}
      />
      <NotificationsRow text={texts.yourBrowserAsksForPermission} />
    </div>
  );
}

/** Notifications of this browser, and a tick once they are on. */
export function NotificationsRow({ text }: { text: string }) {
  const { isOn, turnOn } = useNotificationSwitch();
  return (
    <MoreRow
      icon={<NotificationsIcon />}
      isDone={isOn}
      title={texts.turnOnNotifications}
      text={text}
      action={
        !isOn && <Button text={texts.enable} aria-label={texts.enableNotifications} onClick={() => void turnOn()} />
      }
    />
  );
}

interface MoreRowProps {
  icon: ReactNode;
  isDone: boolean;
  title: string;
  text: string;
  action: ReactNode;
}

function MoreRow({ icon, isDone, title, text, action }: MoreRowProps) {
  return (
    <div className={styles.row}>
      <span className={classNames(styles.rowIcon, isDone && `${newSourceStyles.step} ${newSourceStyles.step_done}`)}>
        {isDone ? <SmallTickIcon title={pageTexts.done} /> : icon}
      </span>
      <div className={styles.rowWords}>
        <div className={styles.rowTitle}>{title}</div>
        <div className={styles.rowText}>{text}</div>
      </div>
      {action}
    </div>
  );
}
