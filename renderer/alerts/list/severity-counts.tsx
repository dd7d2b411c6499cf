import { type MouseEvent, type ReactNode, useCallback, useMemo } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { AlertSeverity, AlertSort } from '#backend/contract/alert.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { type AlertListView, inRank } from '#renderer/alerts/data/list-view.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { useSeverityCounts } from '#renderer/alerts/data/severity-counts.ts';
import { choose, severitiesIn, without } from './filter-values.ts';
import { type ListFilterState, filteredView } from './list-filter.ts';
import * as texts from './filter-texts.ts';
import * as styles from './severity-counts.module.css';

const GROUP = { role: 'group' };
const NO_SORTS: readonly AlertSort[] = [];

interface SeverityCountsProps extends ListFilterState {
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>;
  /** Stands in their place while they are not known. */
  wait: ReactNode;
}

/**
 * How many alerts of a list have each severity: a click narrows the list to one, with Ctrl or Shift to one more, and a second
 * click takes it back. The numbers leave out the severity that the list is narrowed to, so that a click changes none of them.
 */
export function SeverityCounts({ list, filter, change, wait }: SeverityCountsProps) {
  const view = useMemo(() => {
    const rest = { ...filter, ...without(filter, ({ key }) => key === 'severity'), severity: undefined };
    return filteredView(list, rest, NO_SORTS);
  }, [list, filter]);
  const known = useSeverityCounts(view);
  const counts = known?.filter(({ severity }) => severity !== 'none') ?? [];
  const row = useFade();
  const chosen = severitiesIn(filter);
  const select = (severity: AlertSeverity, { ctrlKey, metaKey, shiftKey }: MouseEvent): void => {
    const isAdded = ctrlKey || metaKey || shiftKey;
    const others = isAdded ? chosen.filter((one) => one !== severity) : [];
    const isTakenBack = chosen.includes(severity) && (isAdded || chosen.length === 1);
    const next = isTakenBack ? others : inRank([...others, severity]);
    change(choose(filter, 'severity', next.length === 0 ? undefined : next));
  };
  if (!known) return wait;
  if (counts.length === 0) return null;
  return (
    <div ref={row} className={styles.counts} {...GROUP} aria-label={texts.severities}>
      {counts.map(({ severity, alerts, isAtLeast = false }) => {
        const number = `${countText(alerts)}${isAtLeast ? '+' : ''}`;
        const isChosen = chosen.includes(severity);
        return (
          <button
            key={severity}
            type="button"
            className={styles.count}
            aria-pressed={isChosen}
            aria-label={texts.severityFilter(SEVERITY_LABELS[severity], number)}
            data-tip={`${SEVERITY_LABELS[severity]}: ${isChosen ? texts.showAllAgain : texts.showTheseAlone}`}
            onClick={(event) => select(severity, event)}
          >
            <SeverityMark severity={severity} state="event" />
            {number}
          </button>
        );
      })}
    </div>
  );
}

/** Marks a row that scrolls to the side with where it goes on: `data-before`, `data-after`. For its `ref`. */
function useFade() {
  return useCallback((row: HTMLElement | null) => {
    if (!row) return undefined;
    const mark = (): void => {
      row.toggleAttribute('data-before', row.scrollLeft >= 1);
      row.toggleAttribute('data-after', row.scrollWidth - row.clientWidth - row.scrollLeft >= 1);
    };
    const over = new AbortController();
    row.addEventListener('scroll', mark, { passive: true, signal: over.signal });
    const resized = new ResizeObserver(mark);
    resized.observe(row);
    // A number with more digits does not change the row's own size.
    const changed = new MutationObserver(mark);
    changed.observe(row, { childList: true, characterData: true, subtree: true });
    return () => {
      over.abort();
      resized.disconnect();
      changed.disconnect();
    };
  }, []);
}
