import { InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Customer } from '#backend/contract/mute.ts';
import { formatLastSeen } from '#renderer/lib/times.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { useChangeCustomers } from '#renderer/mutes/change-mutes.ts';
import { MuteRow, MuteRows } from '#renderer/mutes/mute-rows.tsx';
import { customerMutesQuery, useEndsOf } from '#renderer/mutes/mutes.ts';
import { SEARCH_ABOVE, customersQuery, filterCustomers, sortCustomers, useNamePages } from '#renderer/mutes/names.ts';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { Panel, RowsSkeleton, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.tsx';
import * as styles from './settings-page.module.css';

/** Customer Notification Preferences: the customers that the member is notified of. */
export function CustomersPanel() {
  const customers = useInfiniteQuery(customersQuery());
  const mutes = useQuery(customerMutesQuery);
  const { change, changeAll, isBusy } = useChangeCustomers();
  const known = useNamePages(customers);
  const muted = useMemo(() => new Set(mutes.data?.map(({ customerId }) => customerId)), [mutes.data]);
  const isLoaded = known.names !== undefined && mutes.data !== undefined;
  // Every mute is of a customer that is known, so that their numbers say it, whatever is loaded.
  const hasUnmuted = known.names?.some(({ id }) => !muted.has(id)) || known.total > muted.size;

  return (
    <Panel
      title={texts.customerNotificationPreferences}
      hint={isLoaded && muted.size === 0 && texts.byDefaultYouAreNotified}
      actions={
        <>
          <LastingButton text={texts.enableAll} isOff={isBusy || muted.size === 0} onClick={() => changeAll(false)} />
          <LastingButton
            text={texts.muteAll}
            isOff={isBusy || !isLoaded || !hasUnmuted}
            onClick={() => changeAll(true)}
          />
        </>
      }
    >
      <WhenLoaded what={texts.customers} queries={[customers, mutes]}>
        <CustomerRows {...known} names={known.names ?? []} muted={muted} onChange={change} />
      </WhenLoaded>
    </Panel>
  );
}

interface CustomerRowsProps {
  names: readonly Customer[];
  total: number;
  hasMore: boolean;
  loadMore: (() => void) | undefined;
  muted: ReadonlySet<string>;
  onChange: (customer: Customer, muted: boolean) => void;
}

function CustomerRows({ names, total, hasMore, loadMore, muted, onChange }: CustomerRowsProps) {
  const [search, setSearch] = useState('');
  const ends = useEndsOf('customer');
  const hasSearch = total > SEARCH_ABOVE;
  const wanted = hasSearch ? search.trim() : '';
  // What is loaded whole is searched here, at once; of longer lists the server searches the rest, too.
  const isAsked = hasMore && wanted !== '';
  const asked = useSettled(isAsked ? wanted : '');
  const answer = useInfiniteQuery({
    ...customersQuery(asked),
    enabled: isAsked && asked !== '',
    placeholderData: keepPreviousData,
  });
  const answered = useNamePages(answer);
  const sorted = useMemo(() => sortCustomers(names), [names]);
  const local = useMemo(() => filterCustomers(sorted, wanted), [sorted, wanted]);
  const isAnswered = isAsked && asked === wanted && answered.names !== undefined && !answer.isPlaceholderData;
  const found = isAnswered && answered.names ? answered.names : local;
  const isSearching = isAsked && !isAnswered && answer.error === null;
  const foundTotal = isAnswered ? answered.total : wanted === '' ? total : local.length;

  if (total === 0) return <p className={styles.settingsEmpty}>{texts.noCustomersYet}</p>;
  return (
    <>
      {hasSearch && (
        <div className={styles.settingsSearch}>
          <InputGroup
            type="search"
            leftElement={<SearchIcon className={styles.settingsSearchIcon} />}
            placeholder={texts.searchCustomers}
            aria-label={texts.searchCustomers}
            value={search}
            onValueChange={setSearch}
          />
        </div>
      )}
      {isAsked && answer.error && (
        <LoadError what={texts.customers} error={answer.error} onRetry={() => void answer.refetch()} />
      )}
      {found.length > 0 ? (
        <MuteRows
          label={texts.customers}
          rows={found}
          total={foundTotal}
          keyOf={({ id }) => id}
          loadMore={isAnswered ? answered.loadMore : wanted === '' ? loadMore : undefined}
        >
          {(customer, place) => (
            <MuteRow
              key={customer.id}
              name={customer.name}
              place={place}
              muted={muted.has(customer.id)}
              until={ends.get(customer.id)}
              onChange={(isMuted) => onChange(customer, isMuted)}
            >
              {texts.lastSeenAgo(
                <time dateTime={customer.lastSeenAt}>{formatLastSeen(new Date(customer.lastSeenAt))}</time>,
              )}
            </MuteRow>
          )}
        </MuteRows>
      ) : isSearching ? (
        <RowsSkeleton label={texts.customersInText} />
      ) : (
        <output className={styles.settingsEmpty}>{texts.noCustomersFoundMatching(<bdi>{search}</bdi>)}</output>
      )}
    </>
  );
}
