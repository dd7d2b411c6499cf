import { CardList, Classes } from '@blueprintjs/core';
import classNames from 'classnames';
import { Suspense, useDeferredValue, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useActions } from '#renderer/alerts/actions/change-alert.ts';
import { AlertCard } from '#renderer/alerts/card/alert-card.tsx';
import { cardLayout, estimateCardHeight, hasExactHeight } from '#renderer/alerts/card/card-layout.ts';
import { MutedOnCards } from '#renderer/alerts/card/card-parts.tsx';
import { useListedAlerts } from '#renderer/alerts/data/list-cache.ts';
import { useIsBesidePanel, useOpenAlert, useOpenAlertId } from '#renderer/alerts/panel/open-alert.tsx';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { lazyWithRetry, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import { COARSE, MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { useMutedOnCards } from '#renderer/mutes/mutes.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { useFeedHandlers } from './feed-handlers.ts';
import { listClasses, rowClasses } from './list-classes.ts';
import { GroupRow, InsteadOfCards, MoreFailed } from './feed-parts.tsx';
import type { AlertFeedProps, FeedCardsProps } from './feed-props.ts';
import { drawnInGroup, isAlert, useFeedRows } from './feed-rows.ts';
import { useAlertToShow, useListGeometry, useRevealOpen, useScrollLeft, useScrollMemory } from './list-scroll.ts';
import { SkeletonCard } from './list-skeleton.tsx';
import { NewAlertsPill, useArrivals, useUnseen } from './new-alerts.tsx';
import { SCROLLED, topsOf, useRowVirtualizer } from './row-virtualizer.ts';
import { SelectBox } from './select-box.tsx';
import type { SwipeHandlers, Swiped } from './swipe.tsx';
import { useMovedGuard } from './use-moved-guard.ts';
import { usePages } from './use-pages.ts';
import { useRovingFocus } from './use-roving-focus.ts';

// These come where there are fingers.
const Swipes = lazyWithRetry(async () => (await import('./swipe.tsx')).Swipes, 'omit');
const LongPress = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ './long-press.ts')).LongPress,
  'omit',
);
const DepartedCard = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "third" */ '#renderer/alerts/card/departed-card.tsx')).DepartedCard,
  'omit',
);
const SwipeGround = lazyWithRetry(async () => (await import('./swipe-ground.tsx')).SwipeGround, 'omit');

/** Height of the group's row, in pixels, hairline included. */
const GROUP_HEIGHT = 40;

const asDrawn = (id: string, isInGroup: boolean): string => (isInGroup ? drawnInGroup(id) : id);

/** The sheet's own upper and lower edge, in pixels. */
const EDGES = 2;

/** How far below the header "12 new alerts" stands where no head stays on top, in pixels. */
const PILL_INSET = 28;

/** A list of alerts, or what is to be said when it is empty. It reads its alerts itself: what changes is drawn from here on. */
export function AlertFeed({ empty, ...feed }: AlertFeedProps) {
  // Many cards that come at once are drawn in slices, so that a press or a key is answered in between.
  const { fold } = feed;
  const all = useDeferredValue(useListedAlerts(feed.place) ?? NONE);
  const alerts = fold?.heads(all) ?? all;
  const more = useDeferredValue(feed.more);
  const total = useDeferredValue(feed.total) - all.length + alerts.length;
  const group = useDeferredValue(feed.group);
  const drawn = useFeedRows(alerts, more, group, fold);
  const isEmpty = drawn.rows.length === 0;
  const isNoneOpen = drawn.open === 0 && more === undefined;
  return (
    <>
      <InsteadOfCards isEmpty={isEmpty}>
        {isNoneOpen ? (isEmpty ? empty : group?.nothingOpen) : undefined}
      </InsteadOfCards>
      {!isEmpty && <FeedCards {...feed} alerts={alerts} more={more} total={total} group={group} drawn={drawn} />}
    </>
  );
}

const NONE: readonly Alert[] = [];

/** Alert cards: virtual, so that ten thousand cost no more than twenty, and made for the keyboard. */
function FeedCards(props: FeedCardsProps) {
  const { label, place, card, alerts, total, drawn, more, group, selection, onSwipe, cursor, fold } = props;
  const { variant } = card;
  const actions = useActions();
  const { rows, open, groupAt, leaving, moving, isClosingGap, hold } = drawn;
  const list = useRef<HTMLDivElement>(null);
  const { scroller, top, width } = props.geometry;
  useListGeometry(list, props.onMeasure);
  const isSmall = useMediaQuery(MOBILE);
  const isComfortable = useIsComfortable();
  const openId = useOpenAlertId();
  const openAlert = useOpenAlert();
  const isBesidePanel = useIsBesidePanel();
  const layout = useMemo(
    () => cardLayout(variant, width, isSmall, isComfortable, isBesidePanel),
    [variant, width, isSmall, isComfortable, isBesidePanel],
  );
  const muted = useMutedOnCards();
  const isCoarse = useMediaQuery(COARSE);
  const isSelecting = selection !== undefined && selection.count > 0;
  // A phone's cards have a checkbox only while there is a selection, which a long press begins.
  const isSelectable = selection !== undefined && (isSelecting || layout.kind !== 'stacked');

  // Then something else stands between the head and the list.
  const isAlone = open === 0 && groupAt === 0 && group?.nothingOpen !== null;
  const { virtualizer, items, height, offset, holdsPosition, keep } = useRowVirtualizer({
    scroller,
    top,
    rows,
    estimateHeight: (index) => (index === groupAt ? GROUP_HEIGHT : estimateCardHeight(layout)),
    isExact: hasExactHeight(layout) && !isCoarse,
    scrolled: useScrollLeft(place),
    hasHead: !isSmall && !isAlone,
    isInUse: hold.remaining() > 0,
    mouseAt: hold.mouseAt,
  });

  useScrollMemory(place, scroller, hold.scrolled);
  const reveal = (index: number): void => virtualizer.scrollToIndex(index, { align: 'auto' });
  const focus = useRovingFocus({
    list,
    rows,
    more: more ?? (group?.isOpen ? group.more : undefined),
    leaving,
    gone: moving,
    reveal,
    onOpen: ({ id }) => openAlert(id),
    onSelect: selection?.toggle,
    onToggle: group?.onToggle,
  });
  useRevealOpen(rows, openId, virtualizer);
  useImperativeHandle(cursor, () => focus.cursor);
  useAlertToShow({ rows, fold, isReady: scroller !== null, reveal, move: focus.move });
  useLayoutEffect(() => keep(focus.active));
  useArrivals(list, alerts);
  useLayoutEffect(() =>
    hold.drew(
      items.map(({ index, start, end }) => ({ id: asDrawn(rows[index]?.id ?? '', index > groupAt), start, end })),
      () => scroller?.scrollTop ?? 0,
    ),
  );
  const guard = useMovedGuard({ rows, leaving, tops: topsOf(items, offset) });
  const last = items.at(-1)?.index ?? 0;
  usePages(props, drawn, last, focus.isGoingToEnd);
  const size = total + (groupAt < Infinity ? 1 : 0) + (group?.isOpen ? (group.total ?? 0) : 0);
  const run = isSmall && card.kind === 'inbox' ? onSwipe : undefined;
  const alertOf = (id: string): Alert | undefined =>
    leaving.has(id) ? undefined : rows.filter(isAlert).find((alert) => alert.id === id);
  const swipe = useRef<SwipeHandlers>(null);
  const [swipable, onReady] = useState<string>();
  const [swiped, onSwiped] = useState<Swiped>();
  const handlers = useFeedHandlers({ hold, guard, focus, swipe, scroller, leaving, openAlert });
  const unseen = useUnseen(alerts, offset <= SCROLLED);
  return (
    <>
      <NewAlertsPill
        count={unseen}
        top={isSmall ? PILL_INSET : top - 1}
        onSelect={() => (virtualizer.scrollToOffset(0), focus.move(0))}
      />
      <MutedOnCards value={muted}>
        <HoverTip>
          <CardList
            ref={list}
            role="feed"
            aria-label={label}
            className={classNames(
              // Where what is in view keeps its place, the scroll position is corrected at once: rows that went after it
              // slowly would leave the pointer and come back.
              listClasses(layout, {
                isClosingGap: isClosingGap && !holdsPosition,
                swipable,
                isSelectable,
                isSelecting,
              }),
              isAlone && group?.classes.alone,
            )}
            style={{ height: height + EDGES }}
            {...handlers}
          >
            {items.map(({ index, key, start, size: rowHeight }) => {
              const alert = rows[index];
              const style = { transform: `translateY(${start - top}px)` };
              if (group && index === groupAt)
                return (
                  <GroupRow
                    key={key}
                    ref={virtualizer.measureElement}
                    group={group}
                    index={index}
                    size={size}
                    style={style}
                    reach={focus.reach(index)}
                  />
                );
              if (!isAlert(alert))
                return (
                  <SkeletonCard
                    key={key}
                    ref={virtualizer.measureElement}
                    index={index}
                    layout={layout}
                    style={style}
                  />
                );
              const labelId = `alert-${alert.id}`;
              const departing = leaving.get(alert.id);
              const isSelected = !departing && selection?.has(alert) === true;
              const Card = fold?.has(alert.id) ? fold.Card : AlertCard;
              return (
                <article
                  key={key}
                  ref={virtualizer.measureElement}
                  className={`${Classes.CARD} ${rowClasses({
                    isLeaving: moving.has(alert.id),
                    isOpen: alert.id === openId,
                    swiped: alert.id === swiped?.alertId ? swiped.className : undefined,
                    isSelected,
                  })}`}
                  aria-current={alert.id === openId || undefined}
                  data-index={index}
                  data-alert-id={alert.id}
                  aria-labelledby={labelId}
                  aria-posinset={index + 1}
                  aria-setsize={size}
                  {...focus.reach(index)}
                  style={departing ? { ...style, minHeight: rowHeight } : style}
                >
                  {departing && !departing.isOwn ? (
                    <Suspense>
                      <DepartedCard alert={alert} acceptedBy={departing.acceptedBy} labelId={labelId} />
                    </Suspense>
                  ) : (
                    <Card alert={alert} layout={layout} labelId={labelId} card={card} actions={actions} />
                  )}
                  {!departing && run && swiped?.alertId === alert.id && (
                    <Suspense>
                      <SwipeGround
                        isOpen={swiped.isOpen}
                        labelId={labelId}
                        onAct={(action) => {
                          swipe.current?.close();
                          run(action, alert);
                        }}
                      />
                    </Suspense>
                  )}
                  {isSelectable && !departing && (
                    <SelectBox
                      labelId={labelId}
                      isSelected={isSelected}
                      onToggle={(isExtending) => {
                        selection.toggle(alert, isExtending);
                        focus.move(index);
                      }}
                    />
                  )}
                </article>
              );
            })}
          </CardList>
        </HoverTip>
      </MutedOnCards>
      {isCoarse && selection && <LongPress list={list} selection={selection} alertOf={alertOf} />}
      {run && (
        <Suspense>
          <Swipes ref={swipe} onReady={onReady} run={run} alertOf={alertOf} swiped={swiped} onSwiped={onSwiped} />
        </Suspense>
      )}
      <MoreFailed more={more?.error ? more : group?.isOpen ? group.more : undefined} />
    </>
  );
}
