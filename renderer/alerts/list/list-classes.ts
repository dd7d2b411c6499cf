import type { CardLayout } from '#renderer/alerts/card/card-layout.ts';
import classNames from 'classnames';
import * as styles from './alert-list.module.css';
import * as comfortableStyles from './comfortable.module.css';
import * as selectionStyles from './selection.module.css';

interface ListState {
  isClosingGap: boolean;
  /** The class of a list whose cards can be swiped. */
  swipable: string | undefined;
  isSelectable: boolean;
  isSelecting: boolean;
}

/** The classes of a list of alerts: how its cards are laid out, and what can be done with them at the moment. */
export const listClasses = (layout: CardLayout, { isClosingGap, swipable, isSelectable, isSelecting }: ListState) =>
  classNames(
    styles.list,
    styles[`list_${layout.kind}`],
    layout.isComfortable && comfortableStyles.list_comfortable,
    isClosingGap && styles.list_closingGap,
    swipable,
    isSelectable && selectionStyles.list_selectable,
    isSelecting && selectionStyles.list_selecting,
  );

interface RowState {
  isLeaving: boolean;
  isOpen: boolean;
  /** The class of a row whose card is swiped. */
  swiped: string | undefined;
  isSelected: boolean;
}

/** The classes of one alert's row in a list. */
export const rowClasses = ({ isLeaving, isOpen, swiped, isSelected }: RowState) =>
  classNames(
    styles.row,
    isLeaving && styles.row_leaving,
    isOpen && styles.row_open,
    swiped,
    isSelected && selectionStyles.row_selected,
  );
