import { InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { MAX_QUERY_LENGTH } from '#backend/contract/alert.ts';
import { SEARCH_KEYS } from '#backend/contract/search.ts';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import classNames from 'classnames';
import { matchesQuery } from './outgoing-data.ts';
import * as texts from './rules-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** The count follows so long after the last key, and is announced later, in milliseconds. */
const COUNT_MS = 150;
const ANNOUNCE_MS = 500;

/** Keys that a rule may have. */
const KEYS = SEARCH_KEYS.filter((key) => key !== 'folder' && key !== 'from' && key !== 'to');

const countOf = ({ total, isAtLeast }: { total: number; isAtLeast?: true }): string =>
  isAtLeast ? texts.atLeast(total.toLocaleString('en')) : total.toLocaleString('en');

/** Which alerts a rule is about, with how many there were in seven days. */
export function RuleSearch({ search, onChange }: { search: string; onChange: (search: string) => void }) {
  const settled = useSettled(search, COUNT_MS);
  const { data, error } = useQuery(matchesQuery(settled));
  const counted = search.trim() === '' ? texts.allAlertsInLastDays : texts.inLastDays;
  const words = data && !error ? counted(countOf(data)) : '';
  const announced = useSettled(words, ANNOUNCE_MS);
  return (
    <div className={styles.part}>
      <label htmlFor="ad-rule-search">{texts.whichAlerts}</label>
      <InputGroup
        id="ad-rule-search"
        className={styles.search}
        leftElement={<SearchIcon className={styles.searchIcon} />}
        value={search}
        maxLength={MAX_QUERY_LENGTH}
        placeholder={outgoingTexts.allAlerts}
        spellCheck={false}
        onValueChange={onChange}
        rightElement={
          <span
            className={classNames(
              styles.count,
              search.trim() === '' && styles.count_all,
              settled !== search && styles.none,
            )}
          >
            {words}
          </span>
        }
      />
      <output className="ad-hidden">{announced}</output>
      {error ? (
        <p className={styles.missing}>{error.message}</p>
      ) : (
        <p className={styles.hint}>{texts.searchHint(KEYS.map((key) => `${key}:`).join(' '))} </p>
      )}
    </div>
  );
}

/** The newest alerts of seven days that a rule is about. */
export function RuleMatches({ search }: { search: string }) {
  const settled = useSettled(search, COUNT_MS);
  const { data } = useQuery(matchesQuery(settled));
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-rule-matches">
      <h2 id="ad-rule-matches" className={styles.sheetTitle}>
        {texts.last7Days}
      </h2>
      {data && <p className={styles.big}>{texts.alertCount(<strong>{countOf(data)}</strong>, data.total)}</p>}
      {data?.rows.length === 0 && <p className={styles.emptyMatches}>{texts.noAlertMatches}</p>}
      <ul className={panelStyles.rows}>
        {data?.rows.map((alert) => (
          <li key={alert.id} className={styles.matchRow}>
            <SeverityMark severity={alert.severity} state={alert.state} />
            <div className={styles.names}>
              <Link className={styles.name} to={pathOfAlert(alert.id)}>
                <bdi>{inertLine(alertTitle(alert))}</bdi>
              </Link>
              <span className={styles.small}>{formatCardTime(new Date(alert.timestamp))}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
