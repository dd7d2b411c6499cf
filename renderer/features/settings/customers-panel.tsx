import { Button, InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Customer } from '#backend/contract/mute.ts';
import { customerMutesQuery } from '#renderer/lib/mutes/get-customer-mutes.ts';
import { customersQuery } from '#renderer/lib/mutes/get-customers.ts';
import { formatLastSeen } from '#renderer/lib/times.ts';
import { LoadError } from '#renderer/ui/load-error.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/rows-skeleton.tsx';
import { SEARCH_ABOVE, filterCustomers } from './filter-customers.ts';
import { MuteRow } from './mute-row.tsx';
import { useChangeCustomers } from './use-change-customers.ts';

/** Customer Notification Preferences: which customers I am notified of (spec.md sections 2 and 5). */
export function CustomersPanel() {
  const customers = useQuery(customersQuery);
  const mutes = useQuery(customerMutesQuery);
  const { change, changeAll, isBusy } = useChangeCustomers();
  const muted = useMemo(() => new Set(mutes.data?.map(({ customerId }) => customerId)), [mutes.data]);
  const error = customers.error ?? mutes.error;
  const isLoaded = customers.data !== undefined && mutes.data !== undefined;
  const hasUnmuted = customers.data?.some(({ id }) => !muted.has(id)) ?? false;

  return (
    <Panel
      title="Customer Notification Preferences"
      hint={isLoaded && muted.size === 0 && 'By default you are notified of every customer. Uncheck one to mute it.'}
      actions={
        <>
          <Button text="Enable All" disabled={isBusy || muted.size === 0} onClick={() => changeAll(false)} />
          <Button text="Mute All" disabled={isBusy || !isLoaded || !hasUnmuted} onClick={() => changeAll(true)} />
        </>
      }
    >
      {isLoaded ? (
        <CustomerRows customers={customers.data} muted={muted} onChange={change} />
      ) : error ? (
        <LoadError
          what="Customers"
          error={error}
          onRetry={() => void Promise.all([customers.refetch(), mutes.refetch()])}
        />
      ) : (
        <RowsSkeleton label="customers" />
      )}
    </Panel>
  );
}

interface CustomerRowsProps {
  customers: readonly Customer[];
  muted: ReadonlySet<string>;
  onChange: (customerId: string, muted: boolean) => void;
}

function CustomerRows({ customers, muted, onChange }: CustomerRowsProps) {
  const [search, setSearch] = useState('');
  const hasSearch = customers.length > SEARCH_ABOVE;
  const found = useMemo(() => filterCustomers(customers, hasSearch ? search : ''), [customers, hasSearch, search]);
  if (customers.length === 0) return <p className="ad-settings-empty">No customers yet</p>;
  return (
    <>
      {hasSearch && (
        <div className="ad-settings-search">
          <InputGroup
            type="search"
            leftElement={<SearchIcon className="ad-settings-search-icon" />}
            placeholder="Search customers"
            aria-label="Search customers"
            value={search}
            onValueChange={setSearch}
          />
        </div>
      )}
      {found.length === 0 ? (
        <output className="ad-settings-empty">
          No customers found matching &quot;<bdi>{search}</bdi>&quot;
        </output>
      ) : (
        <ul className="ad-rows" aria-label="Customers">
          {found.map(({ id, name, lastSeenAt }) => (
            <MuteRow key={id} name={name} muted={muted.has(id)} onChange={(isMuted) => onChange(id, isMuted)}>
              Last seen <time dateTime={lastSeenAt}>{formatLastSeen(new Date(lastSeenAt))}</time>
            </MuteRow>
          ))}
        </ul>
      )}
    </>
  );
}
