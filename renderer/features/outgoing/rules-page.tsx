import { FlowsIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Destination, OutgoingRule } from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { destinationsQuery, rulesQuery } from './outgoing-data.ts';
import { ListPage } from './list-page.tsx';
import { EVENT_LABELS, pathOfRule } from './outgoing-labels.ts';
import * as texts from './rules-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** Rules: which alerts are sent to which destinations, and on what. */
export function RulesPage() {
  const { data: rules, error, refetch } = useQuery(rulesQuery);
  const { data } = useQuery(destinationsQuery);
  return (
    <ListPage
      rows={rules}
      error={error}
      onRetry={() => void refetch()}
      countLabel={texts.rules(rules?.length)}
      add={{ text: texts.newRule, path: pathOfRule('new') }}
      empty={{ icon: <FlowsIcon size={40} />, title: texts.noRulesYet, text: texts.noRulesHint }}
      what={outgoingTexts.rules}
      label={texts.rulesInText}
    >
      {(rows) => (
        <HoverTip>
          <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.rules}>
            {rows.map((rule) => (
              <RuleRow key={rule.id} rule={rule} destinations={data?.destinations ?? []} />
            ))}
          </ul>
        </HoverTip>
      )}
    </ListPage>
  );
}

function RuleRow({ rule, destinations }: { rule: OutgoingRule; destinations: readonly Destination[] }) {
  const name = inertLine(rule.name);
  const steps = rule.ladder?.steps.length ?? 0;
  const places = [
    ...rule.destinationIds.flatMap((id) => destinations.find((one) => one.id === id)?.name ?? []),
    ...(steps === 0 ? [] : [texts.stepsUntilTaken(steps)]),
  ];
  return (
    <li className={styles.ruleRow}>
      <div className={styles.names}>
        <Link className={`${styles.name} ${styles.rowLink}`} to={pathOfRule(rule.id)}>
          <bdi>{name}</bdi>
        </Link>
        <code className={styles.condition}>
          {rule.search === '' ? outgoingTexts.allAlerts : inertLine(rule.search)}
        </code>
      </div>
      <span className={styles.small}>{rule.events.map((event) => EVENT_LABELS[event]).join(', ')}</span>
      <span className={styles.places}>
        {places.length === 0 ? (
          <span className={styles.many}>{texts.noDestination}</span>
        ) : (
          places.map(inertLine).join(', ')
        )}
      </span>
      <span
        className={rule.fault !== undefined ? styles.many : rule.isOn ? undefined : styles.none}
        data-tip={rule.fault}
      >
        {rule.fault !== undefined ? texts.notUnderstood : rule.isOn ? outgoingTexts.on : outgoingTexts.off}
      </span>
    </li>
  );
}
