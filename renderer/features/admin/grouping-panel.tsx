import { Button, HTMLSelect, Switch } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type GroupingRule,
  type GroupingRuleChange,
  groupingRuleSchema,
  groupingRulesSchema,
} from '#backend/contract/alert-group.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { formerValues } from './former-values.ts';
import * as texts from './grouping-texts.ts';
import * as styles from './grouping-panel.module.css';

const RULES = '/api/grouping-rules';

/** Pauses that a rule can be given here, in minutes. The API takes others, too. */
const PAUSES = [1, 5, 10, 15, 30, 60, 120, 240, 720, 1440];

/** `GET /api/grouping-rules`. Throws an ApiError. */
const useRules = () =>
  useQuery({
    queryKey: [RULES],
    queryFn: ({ signal }) => apiGet(RULES, groupingRulesSchema, { signal }),
    refetchOnMount: 'always',
  });

/** By which rules alerts become one card. Each change saves at once, and can be undone. */
export function GroupingPanel() {
  const rules = useRules();
  const change = useChangeRule();
  return (
    <Panel title={texts.grouping} hint={texts.groupingHint}>
      <WhenLoaded what={texts.groupingRules} queries={[rules]}>
        <ul className={styles.rules}>
          {rules.data?.map((rule) => (
            <Rule key={rule.kind} rule={rule} onChange={(wanted) => void change(rule, wanted)} />
          ))}
        </ul>
      </WhenLoaded>
    </Panel>
  );
}

function Rule({ rule, onChange }: { rule: GroupingRule; onChange: (change: GroupingRuleChange) => void }) {
  const { kind, isOn, withinMinutes, suggested } = rule;
  const name = texts.RULE_NAMES[kind];
  const pauses = [...new Set([...PAUSES, withinMinutes])].toSorted((one, other) => one - other);
  return (
    <li className={styles.rule}>
      <Switch
        className={styles.switch}
        checked={isOn}
        labelElement={<strong>{name}</strong>}
        onChange={({ currentTarget }) => onChange({ isOn: currentTarget.checked })}
      />
      <span className={styles.pause}>
        {texts.atMost}
        <HTMLSelect
          aria-label={texts.longestPause(name)}
          value={withinMinutes}
          options={pauses.map((value) => ({ value, label: texts.minutes(value) }))}
          onChange={({ currentTarget }) => onChange({ withinMinutes: Number(currentTarget.value) })}
        />
        {texts.apart}
      </span>
      <span className={styles.hint}>{texts.RULE_HINTS[kind]}</span>
      {suggested && (
        <span className={styles.suggestion}>
          {texts.suggestion(suggested.times, suggested.ofTimes, suggested.alerts)}
          <Button size="small" text={texts.turnOn} onClick={() => onChange({ isOn: true })} />
        </span>
      )}
    </li>
  );
}

/** Changes a rule at once; the result says what it is now, with Undo. */
function useChangeRule(): (rule: GroupingRule, change: GroupingRuleChange) => Promise<void> {
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();
  const send = async ({ kind }: GroupingRule, body: GroupingRuleChange): Promise<GroupingRule> => {
    const after = await apiSend('PATCH', `${RULES}/${kind}`, { body, schema: groupingRuleSchema });
    await client.invalidateQueries({ queryKey: [RULES] });
    return after;
  };
  return async (rule, change) => {
    try {
      const { kind, isOn, withinMinutes } = await send(rule, change);
      const name = texts.RULE_NAMES[kind];
      const title =
        change.isOn === undefined
          ? texts.pauseChanged(name, texts.minutes(withinMinutes))
          : (isOn ? texts.turnedOn : texts.turnedOff)(name);
      undo.add({
        kind: `grouping ${kind} ${title}`,
        title,
        many: () => ({ title }),
        undo: async () => void (await send(rule, formerValues(rule, change))),
        undoFailed: texts.couldNotUndo,
      });
    } catch (error) {
      const description = messageOf(error);
      toasts.show({ variant: 'destructive', title: texts.couldNotChange, description });
    }
  };
}
