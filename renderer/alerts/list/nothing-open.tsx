import { AnchorButton } from '@blueprintjs/core';
import { TickIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useQueueProgress } from '#renderer/alerts/data/queue-progress.ts';
import { useSeverityCounts } from '#renderer/alerts/data/severity-counts.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { KeyCap } from '#renderer/ui/key-cap.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './nothing-texts.ts';
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
      title={texts.nothingOpen}
      text={
        <>
          {done > 0 && <span className={styles.sentence}>{texts.completedToday(alertsText(done), done)}</span>}{' '}
          {critical && <span className={styles.sentence}>{waitingText(critical.alerts, critical.isAtLeast)}</span>}
        </>
      }
      action={
        <AnchorButton href={href} onClick={open} {...(areKeysOn && { 'aria-keyshortcuts': 'G I' })}>
          {common.newAlerts} {areKeysOn && <KeyCap label="G I" className={styles.key} />}
        </AnchorButton>
      }
    />
  );
}

const alertsText = (count: number): string => `${countText(count)} ${count === 1 ? 'alert' : 'alerts'}`;

const waitingText = (count: number, isAtLeast = false): string =>
  texts.criticalWait(countText(count), isAtLeast ? '+' : '', count, isAtLeast);
