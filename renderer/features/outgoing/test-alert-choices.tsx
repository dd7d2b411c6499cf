import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Alert, MAX_QUERY_LENGTH } from '#backend/contract/alert.ts';
import { writePart } from '#backend/contract/search.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { formatPast } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';
import { testAlertsQuery } from './outgoing-data.ts';
import * as texts from './destinations-texts.tsx';
import * as styles from './outgoing.module.css';

interface TestAlertChoicesProps {
  /** The alert that is chosen; undefined is the newest that the destination may be sent. */
  chosen: string | undefined;
  /** Names of the customers whose alerts the destination may be sent; empty for all. */
  customers: readonly string[];
  onChoose: (alert: Alert | undefined) => void;
}

/** The alert that a destination is tried with: the newest ones, and by typing any other. */
export function TestAlertChoices({ chosen, customers, onChoose }: TestAlertChoicesProps) {
  const [text, setText] = useState('');
  const wanted = useSettled(text.trim());
  const now = useNow((moment) => moment.toISOString());
  const heard = [...customers.map((name) => writePart('customer', name)), wanted].join(' ').trim();
  // So many customers are too long for a search: the server says which alert may not be sent.
  const search = heard.length > MAX_QUERY_LENGTH ? wanted : heard;
  const { data, error, isFetching } = useQuery(testAlertsQuery(search));
  const alerts = error ? [] : (data?.rows ?? []);
  return (
    <>
      {error && (
        <p className={styles.missing} role="alert">
          {error.message}
        </p>
      )}
      <FilteredMenu
        label={texts.alertToTest}
        filterLabel={texts.findAlert}
        isSearching={isFetching || wanted !== text.trim()}
        isFoundByCaller
        onType={setText}
        head={{
          key: 'newest',
          name: texts.newestAlert,
          text: texts.newestAlert,
          isSet: chosen === undefined,
          onSelect: () => onChoose(undefined),
        }}
        entries={alerts.map((alert) => {
          const { id, severity, state, timestamp } = alert;
          return {
            key: id,
            name: alertTitle(alert),
            text: alertTitle(alert),
            icon: <SeverityMark severity={severity} state={state} />,
            label: formatPast(new Date(timestamp), new Date(now)),
            isSet: id === chosen,
            onSelect: () => onChoose(alert),
          };
        })}
      />
    </>
  );
}
