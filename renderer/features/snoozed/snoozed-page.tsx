import { AnchorButton } from '@blueprintjs/core';
import { TimeIcon } from '@blueprintjs/icons';
import { useCallback, useMemo } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import type { CardLayout } from '#renderer/alerts/card/card-layout.ts';
import { SnoozedCard } from '#renderer/alerts/card/snoozed-card.tsx';
import { useAlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useAlertDialogs } from '#renderer/alerts/dialogs/use-alert-dialogs.ts';
import type { AlertKeys } from '#renderer/alerts/keys/use-list-keys.ts';
import { AlertListPage } from '#renderer/alerts/list/alert-list-page.tsx';
import { PATHS } from '#renderer/lib/paths.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';

const LIST = { list: 'snoozed' } as const;
const SORTS = ['newest', 'severity'] as const;
const countLabel = (): string => 'for later';

/** Snoozed: what is snoozed of the inbox, by whomever, and of the member's own alerts. */
export function SnoozedPage() {
  const { wake, snooze } = useAlertActions();
  const { openExtra, openHistory } = useAlertDialogs();
  const keys = useMemo((): AlertKeys => ({ wake, history: openHistory }), [wake, openHistory]);
  const renderCard = useCallback(
    (alert: Alert, layout: CardLayout, labelId: string) => (
      <SnoozedCard
        alert={alert}
        layout={layout}
        labelId={labelId}
        onWake={wake}
        onSnooze={snooze}
        onMore={openExtra}
        onHistory={openHistory}
      />
    ),
    [wake, snooze, openExtra, openHistory],
  );
  return (
    <>
      <AlertListPage
        title="Snoozed"
        list={LIST}
        sorts={SORTS}
        countLabel={countLabel}
        variant="inbox"
        renderCard={renderCard}
        keys={keys}
        canDelete={false}
        empty={<SnoozedEmpty />}
      />
    </>
  );
}

function SnoozedEmpty() {
  const href = useHref(PATHS.inbox);
  const open = useLinkClickHandler<HTMLElement>(PATHS.inbox);
  return (
    <EmptyState
      icon={<TimeIcon size={40} />}
      title="Nothing is snoozed"
      text="Snooze an alert that can wait. It leaves its list and comes back by itself."
      action={<AnchorButton href={href} onClick={open} text="New Alerts" />}
    />
  );
}
