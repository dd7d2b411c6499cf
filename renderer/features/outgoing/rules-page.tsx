import { Button } from '@blueprintjs/core';
import { FlowsIcon, PlusIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router-dom';
import type { Destination, OutgoingRule } from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { destinationsQuery, rulesQuery } from './outgoing-data.ts';
import { EVENT_LABELS, OUTGOING_PAGES, pathOfRule } from './outgoing-labels.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './rules-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** Rules: which alerts are sent to which destinations, and on what. */
export function RulesPage() {
  const { data: rules, error, refetch } = useQuery(rulesQuery);
  const { data } = useQuery(destinationsQuery);
  const navigate = useNavigate();
  return (
    <div className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead
        title={pageTexts.outgoing}
        parent={ADMIN_PANEL}
        count={rules?.length}
        countLabel={texts.rules(rules?.length)}
      >
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          icon={<PlusIcon />}
          text={texts.newRule}
          onClick={() => void navigate(pathOfRule('new'))}
        />
      </PageHead>
      <PageTabs isFirst label={pageTexts.outgoing} tabs={OUTGOING_PAGES} />
      <div className={panelStyles.pageBody}>
        {rules ? (
          rules.length > 0 ? (
            <HoverTip>
              <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.rules}>
                {rules.map((rule) => (
                  <RuleRow key={rule.id} rule={rule} destinations={data?.destinations ?? []} />
                ))}
              </ul>
            </HoverTip>
          ) : (
            <EmptyState icon={<FlowsIcon size={40} />} title={texts.noRulesYet} text={texts.noRulesHint} />
          )
        ) : error ? (
          <LoadError what={outgoingTexts.rules} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={texts.rulesInText} isSheet />
        )}
      </div>
    </div>
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
