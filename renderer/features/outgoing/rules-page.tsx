import { PauseIcon, PlayIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Destination, OutgoingRule } from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useDeletion } from './delete-dialog.tsx';
import { RULES } from './entries.tsx';
import { destinationsQuery, rulesQuery, useOutgoingCommands } from './outgoing-data.ts';
import { ListPage } from './list-page.tsx';
import { EVENT_LABELS } from './outgoing-labels.ts';
import { type RowAction, RowTools } from './row-tools.tsx';
import { useRowActions, useSwitching } from './use-row-actions.tsx';
import * as texts from './rules-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** Rules: which alerts are sent to which destinations, and on what. */
export function RulesPage() {
  const rules = useQuery(rulesQuery);
  const read = useQuery(destinationsQuery);
  const destinations = read.data?.destinations ?? [];
  return (
    <ListPage
      entry={RULES}
      queries={[rules, read]}
      // Before the destinations are read, none of them would seem to lead anywhere.
      rows={read.data && rules.data}
      countLabel={texts.rules(rules.data?.length)}
      wordsOf={(rule) => [rule.name, rule.search, ...placesOf(rule, destinations)]}
    >
      {(rows) => <RuleList rules={rows} destinations={destinations} />}
    </ListPage>
  );
}

function RuleList({ rules, destinations }: { rules: readonly OutgoingRule[]; destinations: readonly Destination[] }) {
  const commands = useOutgoingCommands();
  const switchOne = useSwitching();
  const rowActions = useRowActions(RULES);
  const deletion = useDeletion<OutgoingRule>({
    entry: RULES,
    hintOf: () => texts.deleteHint,
    onDelete: commands.deleteRule,
  });
  const turn = ({ id, name, isOn }: OutgoingRule) =>
    switchOne({
      title: isOn ? texts.ruleOff : texts.ruleOn,
      name: inertLine(name),
      run: () => commands.switchRule(id, !isOn),
      undo: () => commands.switchRule(id, isOn),
    });
  const actionsOf = (rule: OutgoingRule): RowAction[] => [
    rowActions.edit(rule.id),
    {
      icon: rule.isOn ? <PauseIcon /> : <PlayIcon />,
      text: rule.isOn ? texts.turnOff : texts.turnOn,
      run: () => void turn(rule),
    },
    rowActions.duplicate(rule.id),
  ];
  return (
    <>
      <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.rules}>
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} places={placesOf(rule, destinations)}>
            <RowTools
              name={inertLine(rule.name)}
              actions={actionsOf(rule)}
              deletion={rowActions.remove(() => deletion.ask(rule))}
            />
          </RuleRow>
        ))}
      </ul>
      {deletion.dialog}
    </>
  );
}

/** Where a rule sends, and how many steps it has until somebody takes the alert. */
function placesOf({ destinationIds, ladder }: OutgoingRule, destinations: readonly Destination[]): string[] {
  const names = destinationIds.flatMap((id) => destinations.find((one) => one.id === id)?.name ?? []);
  return ladder ? [...names, texts.stepsUntilTaken(ladder.steps.length)] : names;
}

function RuleRow({ rule, places, children }: { rule: OutgoingRule; places: readonly string[]; children: ReactNode }) {
  const name = inertLine(rule.name);
  return (
    <li className={styles.ruleRow}>
      <div className={styles.names}>
        <Link className={`${styles.name} ${styles.rowLink}`} dir="auto" to={RULES.pathOf(rule.id)}>
          {name}
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
        {rule.fault !== undefined ? texts.checkItsSearch : rule.isOn ? outgoingTexts.on : outgoingTexts.off}
      </span>
      <div className={styles.tools}>{children}</div>
    </li>
  );
}
