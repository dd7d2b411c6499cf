/** How cards are drawn: zones side by side, lead over fields, or everything stacked on a small screen. */
export interface CardLayout {
  kind: 'wide' | 'narrow' | 'stacked';
  /** Room for the value of a field in one of two columns, in pixels. */
  valueWidth: number;
}

/** Whose card it is: one that waits for anybody, or one of somebody's queue. */
export type CardVariant = 'inbox' | 'queue';

/** What a card's zones take of its width, in pixels (tokens.md, "The card"). */
const INSETS = 32;
const LEAD = 208;
const END = 272;
const GAP = 24;
const NAME = 80;

/** Under this width of the list the lead stands over the fields. */
const NARROW = 880;

/** Under this width one line cannot hold customer, type, time and actions (768 px of window beside an open sidebar). */
const CRAMPED = { inbox: 560, queue: 680 };

/** The layout for a list of this width, in pixels; `isSmallScreen` is the specification's 768 px breakpoint. */
export function cardLayout(variant: CardVariant, listWidth: number, isSmallScreen: boolean): CardLayout {
  const isStacked = isSmallScreen || listWidth < CRAMPED[variant];
  const kind = isStacked ? 'stacked' : listWidth < NARROW ? 'narrow' : 'wide';
  const zone = listWidth - INSETS - (kind === 'wide' ? LEAD + END + 2 * GAP : 0);
  const column = kind === 'stacked' ? zone : (zone - GAP) / 2;
  return { kind, valueWidth: Math.max(0, column - NAME) };
}

const ROW_HEIGHT = { wide: 73, narrow: 103 };

/** Height of a card before it is measured, in pixels, hairline included. */
export function estimateCardHeight(layout: CardLayout, fieldCount: number, variant: CardVariant): number {
  if (layout.kind !== 'stacked') return ROW_HEIGHT[layout.kind];
  const lines = fieldCount === 1 ? 2 : fieldCount;
  const fields = lines === 0 ? 8 : 8 + lines * 22 - 2;
  return 12 + 44 + fields + (variant === 'queue' ? 50 + 48 : 50) + 12 + 1;
}
