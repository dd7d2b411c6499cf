import { writeTime } from '#renderer/lib/times.ts';
import { Button } from '@blueprintjs/core';
import { ArrowUpIcon, InboxIcon, SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Source } from '#backend/contract/source.ts';
import { deliveryCountsQuery } from '#renderer/features/sources/data/get-deliveries.ts';
import { useReplay } from '#renderer/features/sources/data/use-replay.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { OUTCOME_LABELS } from '#renderer/features/sources/shown/outcome-labels.ts';
import { deliveryPageOf, pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { DeliveryTable, leaveFocus } from './delivery-table.tsx';
import { DeliveryToolbar } from './delivery-toolbar.tsx';
import { type LogView, SPANS, paramsOf, useLogView } from './delivery-filter.ts';
import { ReplayBar } from './replay-bar.tsx';
import { TimeLine } from './time-line.tsx';
import { useDeliverySelection } from './use-delivery-selection.ts';
import { MOST_NEW, useIsAtTop, useLiveRows } from './use-live-rows.ts';
import * as texts from './texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as timeLineStyles from './time-line.module.css';
import * as styles from './deliveries.module.css';

/** The delivery log of a source, live. */
export function DeliveriesTab({ source }: { source: Source }) {
  const { view, filter, from, change: changeView } = useLogView();
  const [isLive, setLive] = useState(true);
  const [isPointerOver, setPointerOver] = useState(false);
  const { selection, count, isEverything, isSelecting, clear, deselect, onToggle, selectAll } = useDeliverySelection(
    source.id,
  );
  const change = (part: Partial<LogView>): void => {
    // Everything that matched is not what matches then. Rows that were chosen one by one stay.
    if (isEverything) clear();
    changeView(part);
  };
  const isAtTop = useIsAtTop();
  const isFree = isLive && !isPointerOver && count === 0 && isAtTop && view.range === undefined;
  const { list, rows, pending, showNew } = useLiveRows(source.id, filter, view.range === undefined, isFree);
  const { data: counts } = useQuery(deliveryCountsQuery(source.id, { from }));
  const replay = useReplay(source.id);
  const navigate = useNavigate();
  const chosen = rows.filter(({ id }) => selection.ids.has(id));
  const isAll = rows.length > 0 && chosen.length === rows.length;

  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const toggle = useCallback((id: string, isRange: boolean) => onToggle(ids, id, isRange), [onToggle, ids]);
  const doReplay = (notify: boolean): void =>
    replay.mutate(
      { ids: [...selection.ids], notify },
      // What was replayed is not replayed again: what is left, and what was selected meanwhile, stays selected.
      {
        onSuccess: ({ left }, { ids: sent }) => {
          const stays = new Set(left);
          deselect(sent.filter((id) => !stays.has(id)));
        },
      },
    );
  const params = paramsOf(view).toString();
  const toOf = useCallback(
    (id: string) => `${deliveryPageOf(source.id, id)}${params === '' ? '' : `?${params}`}`,
    [source.id, params],
  );

  return (
    <div className={styles.deliveries}>
      <DeliveryToolbar view={view} counts={counts} isLive={isLive} onLive={setLive} onChange={change} />
      {counts ? (
        <TimeLine parts={counts.parts} range={view.range} onRange={(range) => change({ range })} />
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
              <div ref={leaveFocus}>
                <Button
                  className={styles.deliveriesNew}
                  intent="primary"
                  icon={<ArrowUpIcon />}
                  text={
                    pending.length < MOST_NEW
                      ? counted(pending.length, texts.newDelivery, texts.newDeliveries)
                      : texts.manyNewDeliveries(MOST_NEW)
                  }
                  onClick={() => {
                    showNew();
                    document.querySelector('#content')?.scrollTo(0, 0);
                  }}
                />
              </div>
            )}
            <DeliveryTable
              rows={rows}
              toOf={toOf}
              selected={selection.ids}
              isAll={isAll}
              onToggle={toggle}
              onAll={(isOn) => (isOn ? selectAll(filter, ids, list.hasNextPage) : clear())}
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
      {(count > 0 || isSelecting) && (
        <ReplayBar
          count={isSelecting ? undefined : count}
          span={chosen.length < count ? '' : spanOf(chosen)}
          isBusy={replay.isPending}
          onClear={clear}
          onReplay={doReplay}
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
