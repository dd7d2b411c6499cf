import type { Dispatch, ReactNode, Ref, SetStateAction } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import type { ListSelection } from '#renderer/alerts/bulk/list-selection.ts';
import type { CardDescription } from '#renderer/alerts/card/alert-card.tsx';
import type { NextPage } from '#renderer/alerts/data/alert-queries.ts';
import type { AlertListPath } from '#renderer/alerts/data/list-view.ts';
import type { ListCursor } from '#renderer/alerts/keys/use-list-keys.ts';
import type { FeedGroup, FeedRows } from './feed-rows.ts';
import type { ListFold } from './list-fold.ts';
import type { ListGeometry } from './list-scroll.ts';

export interface AlertFeedProps {
  /** Names the list for assistive technology. */
  label: string;
  /** The list, whose alerts are read here. The scroll position is remembered by it. */
  place: AlertListPath;
  /** How its cards are. */
  card: CardDescription;
  /** How many alerts there are in all. */
  total: number;
  /** How alerts of one group are one card, once there is such an alert. */
  fold?: ListFold | undefined;
  /** The completed ones, where these are the open ones alone. */
  group?: FeedGroup | undefined;
  /** Where the list stands, as far as it has been measured. */
  geometry: ListGeometry;
  onMeasure: Dispatch<SetStateAction<ListGeometry>>;
  /** The next page: undefined when there is none. */
  more: NextPage | undefined;
  /** What is selected, where alerts can be. */
  selection?: ListSelection | undefined;
  /** Does what fingers ask for by swiping a card, where that is on offer. */
  onSwipe?: ((action: AlertAction, alert: Alert) => void) | undefined;
  /** Set to the card in the tab order, for keys that come from anywhere on the page. */
  cursor?: Ref<ListCursor> | undefined;
  /** What is shown instead when there is no alert, once the last card has left. */
  empty: ReactNode;
}

/** What the cards of a list are drawn from. */
export interface FeedCardsProps extends Omit<AlertFeedProps, 'empty'> {
  /** The loaded alerts in their order, and the rows to draw them in. */
  alerts: readonly Alert[];
  drawn: FeedRows;
}
