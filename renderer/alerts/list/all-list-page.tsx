import type { AlertSort } from '#backend/contract/alert.ts';
import { READ_ONLY_CARD } from '#renderer/alerts/card/read-only-card.tsx';
import { type ListDescription, ListFrame, ListPage, useFilteredList } from './list-frame.tsx';

const LIST = { list: 'all' } as const;
const SORTS: readonly AlertSort[] = ['newest', 'severity'];
const FEED = { card: READ_ONLY_CARD };

/** A list of every alert in the system, whoever owns it. Nothing is changed here but whose an alert is. */
export function AllListPage(page: ListDescription) {
  const filtered = useFilteredList(LIST, SORTS);
  return (
    <ListPage>
      <ListFrame {...page} filtered={filtered} feed={FEED} />
    </ListPage>
  );
}
