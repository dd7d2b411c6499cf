/**
 * How cards are drawn: zones side by side, lead over fields, everything stacked on a small screen, or in two lines beside
 * an open alert.
 */
export interface CardLayout {
  kind: 'wide' | 'narrow' | 'stacked' | 'compact';
  /** Cards stand apart, with air around them, and names over their values. */
  isComfortable: boolean;
  /** Space for the value of a field in one of two columns, in pixels. */
  valueWidth: number;
}

/** Where the card is: in the inbox, in a member's queue, or in the read-only list of all alerts. */
export type CardVariant = 'inbox' | 'queue' | 'all';

/** What a card's zones take of its width, in pixels. */
const INSETS = 32;
const COMFORTABLE_INSETS = 42;
const LEAD = 208;
const END = { inbox: 272, queue: 272, all: 340 };
const GAP = 24;
const NAME = 80;

/** Under this width of the list the lead stands over the fields. */
const NARROW = 1040;

/** Under this width of the list a card beside an open alert leaves its fields to that. */
const COMPACT = 720;

/** Under this width one line cannot hold customer, type, time and actions (768 px of window beside an open sidebar). */
const CRAMPED = { inbox: 560, queue: 680, all: 680 };

/** The layout for a list of this width, in pixels; `isSmallScreen` is the 768 px breakpoint. */
export function cardLayout(
  variant: CardVariant,
  listWidth: number,
  isSmallScreen: boolean,
  isComfortable = false,
  isBesidePanel = false,
): CardLayout {
  if (isBesidePanel && !isSmallScreen && listWidth < COMPACT) {
    return { kind: 'compact', isComfortable: false, valueWidth: listWidth };
  }
  const isStacked = isSmallScreen || listWidth < CRAMPED[variant];
  const kind = isStacked ? 'stacked' : listWidth < NARROW ? 'narrow' : 'wide';
  const insets = isComfortable ? COMFORTABLE_INSETS : INSETS;
  const zone = listWidth - insets - (kind === 'wide' ? LEAD + END[variant] + 2 * GAP : 0);
  const column = kind === 'stacked' ? zone : (zone - GAP) / 2;
  return { kind, isComfortable, valueWidth: Math.max(0, column - (isComfortable ? 0 : NAME)) };
}

const COMPACT_HEIGHT = 61;
const ROW_HEIGHT = { wide: 73, narrow: 103 };

/** A narrow card of a queue has its type under its customer, in pixels. */
const QUEUE_LINE = 14;

/** The same in comfortable mode, the gap after the card included. */
const COMFORTABLE_ROW_HEIGHT = { wide: 120, narrow: 156 };

/** Stacked cards: columns of fields, a line of them and the gap to the next, the inset, and what follows the card. */
const DENSE_STACK = { columns: 2, line: 20, gap: 0, inset: 12, after: 1 };
const COMFORTABLE_STACK = { columns: 1, line: 34, gap: 4, inset: 20, after: 8 };

/** A narrow card with a title: three lines. */
const TITLED_NARROW_HEIGHT = { inbox: 93, queue: 97, all: 97 };
const COMFORTABLE_TITLED_NARROW_HEIGHT = 128;

/** What stands over the fields of a stacked card, with a title and without. */
const STACKED_HEAD = { titled: 60, plain: 44 };

/** What stands below them. */
const STACKED_END = { inbox: 48, queue: 98, all: 80 };

/** Height of a card before it is measured, in pixels, hairline included. */
export function estimateCardHeight(
  layout: CardLayout,
  fieldCount: number,
  variant: CardVariant,
  hasTitle = false,
): number {
  if (layout.kind === 'compact') return COMPACT_HEIGHT;
  if (layout.kind === 'narrow' && hasTitle)
    return layout.isComfortable ? COMFORTABLE_TITLED_NARROW_HEIGHT : TITLED_NARROW_HEIGHT[variant];
  if (layout.kind !== 'stacked') {
    const height = (layout.isComfortable ? COMFORTABLE_ROW_HEIGHT : ROW_HEIGHT)[layout.kind];
    return layout.kind === 'narrow' && variant === 'queue' ? height + QUEUE_LINE : height;
  }
  const { columns, line, gap, inset, after } = layout.isComfortable ? COMFORTABLE_STACK : DENSE_STACK;
  const lines = fieldCount === 1 && !layout.isComfortable ? 2 : Math.ceil(fieldCount / columns);
  const fields = 4 + (lines === 0 ? 0 : lines * (line + gap) - gap);
  return inset + STACKED_HEAD[hasTitle ? 'titled' : 'plain'] + fields + STACKED_END[variant] + inset + after;
}
