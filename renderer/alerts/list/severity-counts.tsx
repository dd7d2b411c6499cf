import { type MouseEvent, useMemo } from 'react';
import type { AlertSeverity, AlertSort } from '#backend/contract/alert.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { type AlertListView, inRank } from '#renderer/alerts/data/list-view.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { useSeverityCounts } from '#renderer/alerts/data/severity-counts.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { choose, severitiesIn, without } from './filter-values.ts';
import { type ListFilterState, filteredView } from './list-filter.ts';
import * as styles from './severity-counts.module.css';

const GROUP = { role: 'group' };
const NO_SORTS: readonly AlertSort[] = [];

/**
 * How many alerts of a list have each severity: a click narrows the list to one, with Ctrl or Shift to one more, and a second
 * click takes it back. The numbers leave out the severity that the list is narrowed to, so that a click changes none of them.
 */
export function SeverityCounts({
  list,
  filter,
  change,
}: ListFilterState & { list: Pick<AlertListView, 'list' | 'folderId'> }) {
  const view = useMemo(() => {
    const rest = { ...filter, ...without(filter, ({ key }) => key === 'severity'), severity: undefined };
    return filteredView(list, rest, NO_SORTS);
  }, [list, filter]);
  const counts = useSeverityCounts(view).filter(({ severity }) => severity !== 'none');
  const chosen = severitiesIn(filter);
  const select = (severity: AlertSeverity, { ctrlKey, metaKey, shiftKey }: MouseEvent): void => {
    const isAdded = ctrlKey || metaKey || shiftKey;
    const others = isAdded ? chosen.filter((one) => one !== severity) : [];
    const isTakenBack = chosen.includes(severity) && (isAdded || chosen.length === 1);
    const next = isTakenBack ? others : inRank([...others, severity]);
    change(choose(filter, 'severity', next.length === 0 ? undefined : next));
  };
  if (counts.length === 0) return null;
  return (
    <div className={styles.counts} {...GROUP} aria-label="Severities">
      {counts.map(({ severity, alerts, isAtLeast = false }) => {
        const number = `${countText(alerts)}${isAtLeast ? '+' : ''}`;
        const isChosen = chosen.includes(severity);
        return (
          <button
            key={severity}
            type="button"
            className={styles.count}
            aria-pressed={isChosen}
            aria-label={`${SEVERITY_LABELS[severity]}, ${number}, filter`}
            data-tip={`${SEVERITY_LABELS[severity]}: ${isChosen ? 'show all again' : 'show these alone'}`}
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
