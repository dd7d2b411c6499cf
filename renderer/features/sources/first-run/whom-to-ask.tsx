import { AnchorButton } from '@blueprintjs/core';
import { EnvelopeIcon, InboxIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { firstRunQuery } from '#renderer/alerts/data/first-run.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Initials } from '#renderer/ui/initials.tsx';
import { NotificationsRow } from './more-steps.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './first-run.module.css';

/** The empty inbox of a member, while no sender is connected: whom to ask, and notifications. */
export function WhomToAsk() {
  const { data } = useQuery(firstRunQuery);
  const administrators = data?.administrators ?? [];
  return (
    <EmptyState
      icon={<InboxIcon size={40} />}
      title="All caught up!"
      text="No new alerts waiting for you. When webhooks arrive, they'll appear here."
      action={
        <section className={`${panelStyles.panel} ${styles.ask}`} aria-labelledby="ad-first-ask">
          <div className={styles.askHead}>
            <h3 id="ad-first-ask">No sender is connected yet</h3>
            <p>
              An administrator has to connect one.
              {administrators.length > 0 &&
                ` Ask ${administrators.length === 1 ? 'this person' : 'one of these people'}:`}
            </p>
          </div>
          <ul>
            {administrators.map(({ displayName, email }) => (
              <li key={email} className={styles.row}>
                <Initials name={displayName} />
                <div className={styles.rowWords}>
                  <bdi className={styles.rowTitle}>{inertLine(displayName)}</bdi>
                  <div className={styles.rowText}>{email}</div>
                </div>
                <AnchorButton
                  href={`mailto:${encodeURIComponent(email)}`}
                  icon={<EnvelopeIcon />}
                  text="Write"
                  aria-label={`Write to ${inertLine(displayName)}`}
                />
              </li>
            ))}
          </ul>
          <NotificationsRow text="Your first alert then appears here." />
        </section>
      }
    />
  );
}
