import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationException } from '#backend/contract/notification-exception.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { exceptionsQuery } from '#renderer/mutes/exceptions.ts';
import { KIND_LABELS } from '#renderer/mutes/level-labels.ts';
import { sourceNamesQuery } from '#renderer/mutes/mutes.ts';
import { alertTypesQuery, customersQuery, useNamePages } from '#renderer/mutes/names.ts';
import { notificationSettingsQuery } from '#renderer/notifications/notification-settings.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';
import { useViews } from '#renderer/views/views.ts';
import { KIND_ICONS } from './exceptions-panel.tsx';
import * as texts from './texts.tsx';

/** What can be made an exception: views, sources, customers and types that are none yet, by name. */
export function ExceptionChoices({ onChoose }: { onChoose: (one: NotificationException) => void }) {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const wanted = useSettled(text.trim());
  const { views = [] } = useViews();
  const { data: sources = [] } = useQuery(sourceNamesQuery);
  const customers = useInfiniteQuery({ ...customersQuery(wanted), placeholderData: keepPreviousData });
  const types = useInfiniteQuery(alertTypesQuery);
  const { data: exceptions } = useQuery(exceptionsQuery);
  const isOne = (kind: string, id: string): boolean =>
    exceptions?.rows.some((one) => one.kind === kind && one.id === id) ?? false;
  const all: Pick<NotificationException, 'kind' | 'id' | 'name'>[] = [
    ...views.map(({ id, name }) => ({ kind: 'view', id, name }) as const),
    ...sources.map(({ id, name }) => ({ kind: 'source', id, name }) as const),
    ...(useNamePages(customers).names ?? []).map(({ id, name }) => ({ kind: 'customer', id, name }) as const),
    ...(useNamePages(types).names ?? []).map((name) => ({ kind: 'alert_type', id: name, name }) as const),
  ];
  // Who is notified of everything makes exceptions of what is too much, everybody else of what is too little.
  const choose = (one: Pick<NotificationException, 'kind' | 'id' | 'name'>): void => {
    const level = client.getQueryData(notificationSettingsQuery.queryKey)?.level === 'always' ? 'critical' : 'always';
    onChoose({ ...one, level });
  };
  return (
    <FilteredMenu
      label={texts.makeExceptionOf}
      filterLabel={texts.searchViewsSourcesCustomersAnd}
      isSearching={customers.isFetching || types.isFetching || wanted !== text.trim()}
      onType={setText}
      entries={all
        .filter(({ kind, id }) => !isOne(kind, id))
        .map((one) => ({
          key: `${one.kind} ${one.id}`,
          name: inertLine(one.name),
          text: inertLine(one.name),
          icon: KIND_ICONS[one.kind],
          label: KIND_LABELS[one.kind],
          onSelect: () => choose(one),
        }))}
    />
  );
}
