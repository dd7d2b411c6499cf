import { Button, Checkbox } from '@blueprintjs/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { DeliverySummary } from '#backend/contract/delivery.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as deliveriesStyles from './deliveries.module.css';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as styles from './delivery-table.module.css';

interface DeliveryTableProps {
  rows: readonly DeliverySummary[];
  toOf: (id: string) => string;
  selected: ReadonlySet<string>;
  /** Everything that matches is selected. */
  isAll: boolean;
  onToggle: (id: string, isRange: boolean) => void;
  onAll: (isOn: boolean) => void;
  more: { hasNextPage: boolean; isFetchingNextPage: boolean; error: Error | null; fetchNextPage: () => unknown };
}

/** A `ref` for what stands over the table or under it for a while: the focus goes on to the head of the table. */
export const leaveFocus = passFocus(() => document.querySelector<HTMLElement>(`.${tableStyles.head} input`));

/** The rows of the log. Space selects, Shift extends, Ctrl+A takes all that match. */
export function DeliveryTable({ rows, toOf, selected, isAll, onToggle, onAll, more }: DeliveryTableProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
      event.preventDefault();
      onAll(true);
      return;
    }
    const row = event.target instanceof Element ? event.target.closest('tr') : null;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>(`.${styles.link}`)];
    const place = links.findIndex((link) => row?.contains(link));
    const delivery = rows[place];
    if (event.key === ' ' && event.target instanceof HTMLAnchorElement && delivery) {
      event.preventDefault();
      onToggle(delivery.id, event.shiftKey);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && place !== -1) {
      const next = links[place + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
    }
  };
  const isSome = selected.size > 0;
  return (
    // Keys of the links and checkboxes in the rows bubble up to it.
    <div role="presentation" onKeyDown={onKeyDown}>
      <table className={`${tableStyles.table} ${panelStyles.rows_sheet}`} aria-label={texts.deliveries}>
        <thead>
          <tr className={`${styles.row} ${tableStyles.head}`}>
            <th scope="col">
              <Checkbox
                aria-label={texts.selectAllDeliveries}
                checked={isAll}
                indeterminate={isSome && !isAll}
                onChange={() => onAll(!isSome)}
              />
            </th>
            <th scope="col">{texts.time}</th>
            <th scope="col">{texts.outcome}</th>
            <th scope="col">{texts.whatHappened}</th>
            <th scope="col" className={styles.alerts}>
              {texts.alerts}
            </th>
            <th scope="col" className={styles.status}>
              {texts.answer}
            </th>
            <th scope="col" className={styles.size}>
              {texts.size}
            </th>
            <th scope="col" className={styles.took}>
              {texts.took}
            </th>
            <th scope="col">
              <span className="ad-hidden">{texts.open}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              to={toOf(delivery.id)}
              isSelected={isAll || selected.has(delivery.id)}
              onToggle={onToggle}
            />
          ))}
        </tbody>
      </table>
      {more.hasNextPage && <MoreRows {...more} />}
    </div>
  );
}

/** Fetches the next page when the end of the list comes near; after a failure it waits to be asked. */
function MoreRows({ isFetchingNextPage, error, fetchNextPage }: DeliveryTableProps['more']) {
  const end = useRef<HTMLDivElement>(null);
  const fetchMore = useRef(fetchNextPage);
  useEffect(() => {
    fetchMore.current = fetchNextPage;
  }, [fetchNextPage]);
  useEffect(() => {
    if (!end.current || error) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchMore.current();
      },
      { rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [error]);
  return (
    <div ref={end} className={deliveriesStyles.end}>
      <Button
        text={isFetchingNextPage ? pageTexts.loading : error ? common.tryAgain : texts.showMore}
        onClick={() => void fetchNextPage()}
      />
    </div>
  );
}
