import { AnchorButton } from '@blueprintjs/core';
import { TimeIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { SNOOZED_CARD } from '#renderer/alerts/card/inbox-card.ts';
import { AlertListPage } from '#renderer/alerts/list/alert-list-page.tsx';
import { PATHS } from '#renderer/lib/paths.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

const LIST = { list: 'snoozed' } as const;
const SORTS = ['newest', 'severity'] as const;
const countLabel = (): string => texts.hiddenForNow;

/** Snoozed: what is snoozed of the inbox, by whomever, and of the member's own alerts. */
export const SnoozedPage = () => (
  <AlertListPage
    title={common.snoozed}
    list={LIST}
    sorts={SORTS}
    countLabel={countLabel}
    card={SNOOZED_CARD}
    empty={<SnoozedEmpty />}
  />
);

function SnoozedEmpty() {
  const href = useHref(PATHS.inbox);
  const open = useLinkClickHandler<HTMLElement>(PATHS.inbox);
  return (
    <EmptyState
      icon={<TimeIcon size={40} />}
      title={texts.nothingIsSnoozed}
      text={texts.snoozeAlertThatCanWait}
      action={<AnchorButton href={href} onClick={open} text={common.newAlerts} />}
    />
  );
}
