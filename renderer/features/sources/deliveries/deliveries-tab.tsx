import { writeTime } from '#renderer/lib/times.ts';
import { Button } from '@blueprintjs/core';
import { ArrowUpIcon, InboxIcon, SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DeliveryCounts } from '#backend/contract/delivery.ts';
import type { Source } from '#backend/contract/source.ts';
import {
  type DeliveryFilter,
  deliveryCountsQuery,
  getDeliveryPage,
} from '#renderer/features/sources/data/get-deliveries.ts';
import { useReplay } from '#renderer/features/sources/data/use-replay.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { OUTCOME_LABELS } from '#renderer/features/sources/shown/outcome-labels.ts';
import { deliveryPageOf, pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { DeliveryToolbar } from './delivery-toolbar.tsx';
import { type LogView, SPANS, paramsOf, useLogView } from './delivery-filter.ts';
import { ReplayBar } from './replay-bar.tsx';
import { EMPTY_SELECTION, type Selection, toggled } from './selection.ts';
import { TimeLine } from './time-line.tsx';
import { useLiveRows } from './use-live-rows.ts';
import { useIsAtTop } from './use-live-rows.ts';
import * as texts from './texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as timeLineStyles from './time-line.module.css';
import * as styles from './deliveries.module.css';

/** The delivery log of a source, live. */
export function DeliveriesTab({ source }: { source: Source }) {
  const { view, filter, span, change } = useLogView();
  const [isLive, setLive] = useState(true);
  const [isPointerOver, setPointerOver] = useState(false);
  const [selection, setSelection] = useState<Selection>(EMPTY_SELECTION);
  /** Everything that matches is selected, also what is not loaded. */
  const [isAll, setAll] = useState(false);
  const isAtTop = useIsAtTop();
  const isFree = isLive && !isPointerOver && selection.ids.size === 0 && isAtTop && view.range === undefined;
  const { list, rows, pending, showNew } = useLiveRows(source.id, filter, view.range === undefined, isFree);
  const { data: counts } = useQuery(deliveryCountsQuery(source.id, { from: span.from }));
  const replay = useReplay(source.id);
  const navigate = useNavigate();
  const count = isAll ? countAll(rows.length, list.hasNextPage, view, counts) : selection.ids.size;

  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const clear = useCallback(() => {
    setSelection(EMPTY_SELECTION);
    setAll(false);
  }, []);
  const onToggle = useCallback(
    (id: string, isRange: boolean) => {
      setAll(false);
      setSelection((now) => toggled(now, ids, id, isRange));
    },
    [ids],
  );
  const onAll = useCallback(
    (isOn: boolean) => {
      setAll(isOn);
      setSelection(isOn ? { ids: new Set(ids), anchor: undefined } : EMPTY_SELECTION);
    },
    [ids],
  );
  const doReplay = async (notify: boolean): Promise<void> => {
    const chosen = isAll ? await allIds(source.id, filter) : [...selection.ids];
    replay.mutate({ ids: chosen, notify }, { onSuccess: clear });
  };
  const params = paramsOf(view).toString();
  const toOf = useCallback(
    (id: string) => `${deliveryPageOf(source.id, id)}${params === '' ? '' : `?${params}`}`,
    [source.id, params],
  );

  return (
    <div className={styles.deliveries}>
      <DeliveryToolbar view={view} counts={counts} isLive={isLive} onLive={setLive} onChange={change} />
      {counts ? (
        <TimeLine parts={counts.parts} end={span.to} range={view.range} onRange={(range) => change({ range })} />
      ) : (
        <div className={`${timeLineStyles.timeLine} ${timeLineStyles.timeLine_coming}`} />
      )}
      {list.data ? (
        rows.length > 0 ? (
          <div
            className={styles.deliverySheet}
            role="presentation"
            onPointerEnter={({ pointerType }) => setPointerOver(pointerType === 'mouse')}
            onPointerLeave={() => setPointerOver(false)}
          >
            {pending.length > 0 && !isFree && (
              <Button
                className={styles.deliveriesNew}
                intent="primary"
                icon={<ArrowUpIcon />}
                text={counted(pending.length, texts.newDelivery, texts.newDeliveries)}
                onClick={() => {
                  showNew();
                  document.querySelector('#content')?.scrollTo(0, 0);
                }}
              />
            )}
            <DeliveryTable
              rows={rows}
              toOf={toOf}
              selected={selection.ids}
              isAll={isAll}
              onToggle={onToggle}
              onAll={onAll}
              more={list}
            />
          </div>
        ) : view.outcome === undefined && view.q === '' && view.range === undefined ? (
          <EmptyState
            icon={<InboxIcon size={40} />}
            title={sourceTexts.waitingForFirstDelivery}
            text={texts.itAppearsHereWithinSecond}
            action={<Button text={texts.setup} onClick={() => void navigate(pageOf(source.id, 'set-up'))} />}
          />
        ) : (
          <EmptyState
            icon={<SearchIcon size={40} />}
            title={
              view.q === ''
                ? texts.noDeliveriesOf(
                    view.outcome === undefined ? '' : `${OUTCOME_LABELS[view.outcome].toLowerCase()} `,
                  )
                : texts.noDeliveriesMatch(view.q)
            }
            text={view.range ? texts.noneInSelectedPeriod : noneIn(view.hours)}
            action={
              <Button
                text={texts.showAllDeliveries}
                onClick={() => change({ outcome: undefined, q: '', range: undefined })}
              />
            }
          />
        )
      ) : list.error ? (
        <LoadError what={texts.deliveries} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <RowsSkeleton label={texts.deliveriesInText} isSheet />
      )}
      {count > 0 && (
        <ReplayBar
          count={count}
          span={isAll ? '' : spanOf(rows.filter(({ id }) => selection.ids.has(id)))}
          isBusy={replay.isPending}
          onClear={clear}
          onReplay={(notify) => void doReplay(notify)}
        />
      )}
    </div>
  );
}

const noneIn = (hours: number): string => {
  const label = SPANS.find((one) => one.hours === hours)?.label;
  return label === undefined || label === 'All' ? texts.noneAreKept : texts.noneInLast(label);
};

/** From the first to the last of the rows: `9:34 to 9:38 AM`. */
function spanOf(rows: readonly { receivedAt: string }[]): string {
  const [last, first] = [rows[0], rows.at(-1)];
  if (!first || !last) return '';
  const [from, to] = [new Date(first.receivedAt), new Date(last.receivedAt)];
  if (rows.length === 1) return writeTime(from, 'h:mm a');
  const isSameHalf = writeTime(from, 'yyyyMMdd a') === writeTime(to, 'yyyyMMdd a');
  return `${writeTime(from, isSameHalf ? 'h:mm' : 'MMM d, h:mm a')} to ${writeTime(to, isSameHalf ? 'h:mm a' : 'MMM d, h:mm a')}`;
}

/** How many deliveries match: what is loaded, or as they were counted where that is known. */
function countAll(loaded: number, hasMore: boolean, view: LogView, counts: DeliveryCounts | undefined): number {
  if (!hasMore || !counts || view.q !== '' || view.range) return loaded;
  const { outcomes } = counts;
  if (view.outcome !== undefined) return outcomes[view.outcome] ?? loaded;
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** The ids of all deliveries that match, loaded or not. */
async function allIds(sourceId: string, filter: DeliveryFilter): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  do {
    const page = await getDeliveryPage(sourceId, filter, { limit: 500, before });
    ids.push(...page.rows.map(({ id }) => id));
    before = page.next;
  } while (before !== undefined);
  return ids;
}
