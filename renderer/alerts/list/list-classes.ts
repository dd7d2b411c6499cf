import type { CardLayout } from '#renderer/alerts/card/card-layout.ts';
import { joinClasses } from '#renderer/lib/join-classes.ts';

interface ListState {
  isClosingGap: boolean;
  isSwipable: boolean;
  isSelectable: boolean;
  isSelecting: boolean;
}

/** The classes of a list of alerts: how its cards are laid out, and what can be done with them at the moment. */
export const listClasses = (layout: CardLayout, { isClosingGap, isSwipable, isSelectable, isSelecting }: ListState) =>
  joinClasses(
    'ad-list',
    `ad-list--${layout.kind}`,
    layout.isComfortable && 'ad-list--comfortable',
    isClosingGap && 'ad-list--closing-gap',
    isSwipable && 'ad-list--swipe',
    isSelectable && 'ad-list--selectable',
    isSelecting && 'ad-list--selecting',
  );

interface RowState {
  isLeaving: boolean;
  isOpen: boolean;
  isSwiped: boolean;
  isSelected: boolean;
}

/** The classes of one alert's row in a list. */
export const rowClasses = ({ isLeaving, isOpen, isSwiped, isSelected }: RowState) =>
  `ad-list-row${isLeaving ? ' ad-list-row--leaving' : ''}${isOpen ? ' ad-list-row--open' : ''}${isSwiped ? ' ad-list-row--swiped' : ''}${isSelected ? ' ad-list-row--selected' : ''}`;
