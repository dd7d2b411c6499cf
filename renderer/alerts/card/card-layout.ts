/**
 * How cards are drawn: everything in two lines; fields in a line of their own where the list is narrower; below each other on
 * a small screen; in two lines without fields beside an open alert.
 */
export interface CardLayout {
  kind: 'wide' | 'narrow' | 'stacked' | 'compact';
  /** Cards stand apart, with air around them, and names over their values. */
  isComfortable: boolean;
  /** Space for a line that has fields, in pixels; nothing where there are none. */
  line: number;
  /** How many such lines there are: several have one field each. */
  lines: number;
}

/** Where the card is: in the inbox, in a member's queue, or in the read-only list of all alerts. */
export type CardVariant = 'inbox' | 'queue' | 'all';

/** What the other columns of a card take of its width, in pixels, their gaps included (alert-card.module.css). */
const TAKEN = {
  wide: { inbox: 356, queue: 532, all: 416 },
  narrow: { inbox: 304, queue: 352, all: 416 },
  stacked: { inbox: 198, queue: 80, all: Infinity },
};

/** Beside the buttons of a phone's card there are so many lines. */
const STACKED_LINES = 2;

/** Both insets of a comfortable card are so much wider together. */
const COMFORTABLE_INSETS = 18;

/** Under this width of the list the fields stand below the lead. */
const NARROW = 1040;

/** Under this width of the list a card beside an open alert leaves its fields to that. */
const COMPACT = 720;

/** Under this width one line cannot hold headline, time and actions (768 px of window beside an open sidebar). */
const CRAMPED = { inbox: 560, queue: 680, all: 680 };

/** The layout for a list of this width, in pixels; `isSmallScreen` is the 768 px breakpoint. */
export function cardLayout(
  variant: CardVariant,
  listWidth: number,
  isSmallScreen: boolean,
  isComfortable = false,
  isBesidePanel = false,
): CardLayout {
  if (isBesidePanel && !isSmallScreen && listWidth < COMPACT)
    return { kind: 'compact', isComfortable: false, line: 0, lines: 1 };
  const isStacked = isSmallScreen || listWidth < CRAMPED[variant];
  const kind = isStacked ? 'stacked' : listWidth < NARROW ? 'narrow' : 'wide';
  const insets = isComfortable ? COMFORTABLE_INSETS : 0;
  const line = Math.max(0, listWidth - TAKEN[kind][variant] - insets);
  return { kind, isComfortable, line, lines: isStacked && variant === 'inbox' ? STACKED_LINES : 1 };
}

/** Whether the fields share a line with customer, type and source. */
export const isOneLine = ({ kind, isComfortable }: CardLayout): boolean => kind === 'wide' && !isComfortable;

/** Height of a card before it is measured, in pixels, hairline included; comfortable ones with the gap after them. */
const HEIGHTS = { wide: 64, narrow: 88, stacked: 111, compact: 61 };
const COMFORTABLE_HEIGHTS = { wide: 120, narrow: 120, stacked: 120, compact: 61 };

export const estimateCardHeight = ({ kind, isComfortable }: CardLayout): number =>
  (isComfortable ? COMFORTABLE_HEIGHTS : HEIGHTS)[kind];

/** Whether the styles set that height, as they do where nothing in a card is made for a finger. */
export const hasExactHeight = ({ kind }: CardLayout): boolean => kind !== 'stacked';
