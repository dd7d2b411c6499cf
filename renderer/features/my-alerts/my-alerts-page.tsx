import { AnchorButton } from '@blueprintjs/core';
import { ClipboardIcon } from '@blueprintjs/icons';
import { Link, useHref, useLinkClickHandler } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { HandOverButton } from '#renderer/alerts/assign/hand-over-button.tsx';
import { useInboxCount, useMyAlertsCount, useSnoozedCounts } from '#renderer/alerts/data/alert-queries.ts';
import { QueueListPage } from '#renderer/alerts/list/queue-list-page.tsx';
import { PATHS } from '#renderer/lib/paths.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as emptyStateStyles from '#renderer/ui/empty-state.module.css';

const LIST = { list: 'mine', completion: 'open' } as const;

/** My Alerts: the member's alerts that are in no folder, the open ones before those that are completed. */
export function MyAlertsPage() {
  return (
    <QueueListPage
      title={common.myAlerts}
      list={LIST}
      words={pageTexts.inYourQueue}
      beside={<SnoozedLink />}
      empty={<MyAlertsEmpty />}
    >
      <HandOver />
    </QueueListPage>
  );
}

/** Where nothing is open, nothing is handed over. */
const HandOver = () => (useMyAlertsCount() === 0 ? null : <HandOverButton />);

/** "3 snoozed": leads to them. */
function SnoozedLink() {
  const count = useSnoozedCounts()?.own ?? 0;
  return count === 0 ? null : (
    <Link className={pageHeadStyles.beside} to={PATHS.snoozed}>
      {texts.countSnoozed(countText(count))}
    </Link>
  );
}

/** An empty queue: on to the inbox, where something waits. */
function MyAlertsEmpty() {
  const count = useInboxCount() ?? 0;
  const href = useHref('/');
  const open = useLinkClickHandler<HTMLElement>('/');
  return (
    <EmptyState
      icon={<ClipboardIcon size={40} />}
      title={pageTexts.noAlertsYet}
      text={texts.acceptAlertsFromInboxTo}
      action={
        count > 0 && (
          <AnchorButton href={href} onClick={open}>
            {common.newAlerts}
            <span className={emptyStateStyles.count}>{count}</span>
          </AnchorButton>
        )
      }
    />
  );
}
