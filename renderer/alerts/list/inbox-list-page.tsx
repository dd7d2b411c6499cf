import { INBOX_CARD } from '#renderer/alerts/card/inbox-card.ts';
import { AlertListPage, type AlertListPageProps } from './alert-list-page.tsx';

const LIST = { list: 'inbox' } as const;
const SORTS = ['newest', 'severity'] as const;

/** A list of the inbox, in which alerts are accepted: all of it, or one of its views. */
export const InboxListPage = (page: Omit<AlertListPageProps, 'card' | 'list' | 'sorts'>) => (
  <AlertListPage {...page} list={LIST} sorts={SORTS} card={INBOX_CARD} />
);
