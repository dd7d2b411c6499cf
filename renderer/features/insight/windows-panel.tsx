import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { addDays } from '#backend/contract/insight.ts';
import { MAX_OCCURRENCES } from '#backend/contract/maintenance.ts';
import { startOfDay } from '#backend/contract/search-times.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { writeIn } from '#renderer/lib/times-in-zone.ts';
import { occurrencesQuery, pathOfWindow } from '#renderer/maintenance/maintenance-data.ts';
import { numberText } from './figure-labels.ts';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './charts.module.css';

interface WindowsPanelProps {
  /** Days, both included, and the time zone by which they begin. */
  from: string;
  to: string;
  timeZone: string;
}

/** The maintenance windows that were on in these days, with all that they kept quiet; nothing when there were none. */
export function WindowsPanel({ from, to, timeZone }: WindowsPanelProps) {
  const id = useId();
  const times = {
    from: new Date(startOfDay(from, timeZone)).toISOString(),
    to: new Date(startOfDay(addDays(to, 1), timeZone)).toISOString(),
  };
  const { data = [] } = useQuery(occurrencesQuery(times));
  const began = data.filter(({ state }) => state !== 'planned');
  if (began.length === 0) return null;
  const kept = began.reduce((sum, one) => sum + one.kept, 0);
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.chartHead}>
        <h2 id={id} className={styles.chartTitle}>
          {texts.keptQuiet(numberText(kept), data.length >= MAX_OCCURRENCES)}
        </h2>
      </div>
      <ul className={panelStyles.rows}>
        {began.map((one) => (
          <li key={one.id} className={`${panelStyles.row} ${styles.windowRow}`}>
            {one.windowId === undefined ? (
              <bdi>{inertLine(one.name)}</bdi>
            ) : (
              <Link to={pathOfWindow(one.windowId)}>
                <bdi>{inertLine(one.name)}</bdi>
              </Link>
            )}
            <span>
              {texts.keptSince(
                writeIn(Date.parse(one.startsAt), timeZone, 'MMM d, h:mm a'),
                numberText(one.kept),
                one.kept,
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
