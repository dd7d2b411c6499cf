import { type ReactNode, useCallback, useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { CardLayout } from '#renderer/alerts/card/card-layout.ts';
import { InboxCard } from '#renderer/alerts/card/inbox-card.tsx';
import { useAlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useAlertDialogs } from '#renderer/alerts/dialogs/use-alert-dialogs.ts';
import type { AlertKeys } from '#renderer/alerts/keys/use-list-keys.ts';
import { AlertListPage, type AlertListPageProps } from './alert-list-page.tsx';

const LIST = { list: 'inbox' } as const;
const SORTS = ['newest', 'severity'] as const;

interface InboxListPageProps extends Pick<
  AlertListPageProps,
  'title' | 'icon' | 'countLabel' | 'total' | 'searchHead' | 'isNarrowed' | 'empty' | 'after' | 'children'
> {
  children?: ReactNode;
}

/** A list of the inbox, in which alerts are accepted: all of it, or one of its views. */
export function InboxListPage(page: InboxListPageProps) {
  const { accept, remove, snooze } = useAlertActions();
  const { openExtra, openHistory } = useAlertDialogs();
  const keys = useMemo(
    (): AlertKeys => ({ accept, delete: remove, history: openHistory }),
    [accept, remove, openHistory],
  );
  const renderCard = useCallback(
    (alert: Alert, layout: CardLayout, labelId: string) => (
      <InboxCard
        alert={alert}
        layout={layout}
        labelId={labelId}
        onAccept={accept}
        onDelete={remove}
        onSnooze={snooze}
        onMore={openExtra}
        onHistory={openHistory}
      />
    ),
    [accept, remove, snooze, openExtra, openHistory],
  );
  return (
    <>
      <AlertListPage
        {...page}
        list={LIST}
        sorts={SORTS}
        variant="inbox"
        renderCard={renderCard}
        keys={keys}
        canDelete
      />
    </>
  );
}
