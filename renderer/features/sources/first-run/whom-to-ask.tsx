import { InboxIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { firstRunQuery } from '#renderer/alerts/data/first-run.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Initials } from '#renderer/ui/initials.tsx';
import { NotificationsRow } from './more-steps.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './first-run.module.css';

/** The empty inbox of a member, while no sender is connected: whom to ask, and notifications. */
export function WhomToAsk() {
  const { data } = useQuery(firstRunQuery);
  const administrators = data?.administrators ?? [];
  return (
    <EmptyState
      icon={<InboxIcon size={40} />}
      title={common.allCaughtUp}
      text={common.caughtUpHint}
      action={
        <section className={`${panelStyles.panel} ${styles.ask}`} aria-labelledby="ad-first-ask">
          <div className={styles.askHead}>
            <h3 id="ad-first-ask">{texts.noSenderIsConnectedYet}</h3>
            <p>{texts.administratorHasToConnect(administrators.length)}</p>
          </div>
          <ul>
            {administrators.map(({ id, displayName }) => (
              <li key={id} className={styles.row}>
                <Initials name={displayName} />
                <div className={styles.rowWords}>
                  <bdi className={styles.rowTitle}>{inertLine(displayName)}</bdi>
                </div>
              </li>
            ))}
          </ul>
          <NotificationsRow text={texts.yourFirstAlertThenAppears} />
        </section>
      }
    />
  );
}
