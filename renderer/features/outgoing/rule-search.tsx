import { useQuery } from '@tanstack/react-query';
import { countText } from '#backend/contract/count-text.ts';
import { SEARCH_KEYS } from '#backend/contract/search.ts';
import { COUNT_MS, CountedSearch, useLastAnswer, weekQuery } from '#renderer/alerts/search/counted-search.tsx';
import { useSettled } from '#renderer/lib/use-settled.ts';
import * as texts from './rules-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as styles from './outgoing.module.css';

/** Keys that a rule may have; one on what arrives none about people. */
const KEYS = SEARCH_KEYS.filter((key) => key !== 'folder' && key !== 'from' && key !== 'to');
const KEYS_OF_REPORTS = KEYS.filter((key) => key !== 'owner' && key !== 'status');

export const countOf = ({ total, isAtLeast }: { total: number; isAtLeast?: true }): string =>
  isAtLeast ? texts.atLeast(countText(total)) : countText(total);

interface RuleSearchProps {
  search: string;
  /** The rule is about what senders report, and not about who has an alert. */
  isOfReports?: boolean;
  onChange: (search: string) => void;
}

/** Which alerts a rule is about, with how many there were in seven days. */
export function RuleSearch({ search, isOfReports = false, onChange }: RuleSearchProps) {
  const settled = useSettled(search, COUNT_MS);
  const week = useQuery(weekQuery(settled));
  const counts = useLastAnswer(week);
  const counted = search.trim() === '' ? texts.allAlertsInLastDays : texts.inLastDays;
  const words = counts ? counted(countOf(counts)) : '';
  return (
    <div className={styles.part}>
      <label htmlFor="ad-rule-search">{texts.whichAlerts}</label>
      <CountedSearch
        id="ad-rule-search"
        search={search}
        placeholder={outgoingTexts.allAlerts}
        onChange={onChange}
        count={words}
        spoken={words}
        isOld={settled !== search || week.isError}
        hint={
          <p className={styles.hint}>
            {texts.searchHint(
              (isOfReports ? KEYS_OF_REPORTS : KEYS).map((key) => `${key}:`).join(' '),
              isOfReports,
            )}{' '}
          </p>
        }
        fault={week.error ? <p className={styles.missing}>{week.error.message}</p> : undefined}
      />
    </div>
  );
}
