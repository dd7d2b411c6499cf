import { AnchorButton } from '@blueprintjs/core';
import { TickIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useQueueProgress } from '#renderer/alerts/data/queue-progress.ts';
import { useSeverityCounts } from '#renderer/alerts/data/severity-counts.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { KeyCap } from '#renderer/ui/key-cap.tsx';
import * as styles from './completed-group.module.css';

const INBOX = { list: 'inbox' } as const;

/** A list of which everything is completed: what was done today, and where to go on. */
export function NothingOpen({ list }: { list: Pick<AlertListView, 'list' | 'folderId'> }) {
  const done = useQueueProgress(list, true)?.ownCompletedSince ?? 0;
  const critical = useSeverityCounts(INBOX)?.find(({ severity }) => severity === 'critical');
  const href = useHref(PATHS.inbox);
  const open = useLinkClickHandler<HTMLElement>(PATHS.inbox);
  const [areKeysOn] = useSingleKeys();
  return (
    <EmptyState
      icon={
        <span className={styles.tick}>
          <TickIcon size={28} />
        </span>
      }
      title="Nothing open"
      text={
        <>
          {done > 0 && <span className={styles.sentence}>You completed {alertsText(done)} today.</span>}{' '}
          {critical && <span className={styles.sentence}>{waitingText(critical.alerts, critical.isAtLeast)}</span>}
        </>
      }
      action={
        <AnchorButton href={href} onClick={open} {...(areKeysOn && { 'aria-keyshortcuts': 'G I' })}>
          New Alerts {areKeysOn && <KeyCap label="G I" className={styles.key} />}
        </AnchorButton>
      }
    />
  );
}

const alertsText = (count: number): string => `${countText(count)} ${count === 1 ? 'alert' : 'alerts'}`;

const waitingText = (count: number, isAtLeast = false): string =>
  `${countText(count)}${isAtLeast ? '+' : ''} critical ${count === 1 && !isAtLeast ? 'one waits' : 'ones wait'} in New Alerts.`;
