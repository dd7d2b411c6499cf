import { HTMLSelect, Switch } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FlappingRule, type FlappingRuleChange, flappingRuleSchema } from '#backend/contract/flapping-rule.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { formerValues } from './former-values.ts';
import { minutes } from './grouping-texts.ts';
import * as texts from './flapping-texts.ts';
import * as styles from './grouping-panel.module.css';

const RULE = '/api/flapping-rule';

/** Numbers and times, in minutes, that the rule can be given here. The API takes others, too. */
const TIMES = [2, 3, 4, 5, 6, 8, 10, 15, 20];
const WITHIN = [5, 10, 15, 30, 60, 120, 240, 720, 1440];

/** What can be chosen, with what is chosen already. */
const withCurrent = (choices: readonly number[], current: number): number[] =>
  [...new Set([...choices, current])].toSorted((one, other) => one - other);

/** `GET /api/flapping-rule`. Throws an ApiError. */
const useRule = () =>
  useQuery({
    queryKey: [RULE],
    queryFn: ({ signal }) => apiGet(RULE, flappingRuleSchema, { signal }),
    refetchOnMount: 'always',
  });

/** How often a problem opens until it is one card. Each change saves at once, and can be undone. */
export function FlappingPanel() {
  const rule = useRule();
  const change = useChangeRule();
  return (
    <Panel title={texts.flapping} hint={texts.flappingHint}>
      <WhenLoaded what={texts.flappingRule} queries={[rule]}>
        {rule.data && <Rule rule={rule.data} onChange={(wanted) => void change(rule.data, wanted)} />}
      </WhenLoaded>
    </Panel>
  );
}

function Rule({ rule, onChange }: { rule: FlappingRule; onChange: (change: FlappingRuleChange) => void }) {
  const { isOn, times, withinMinutes } = rule;
  return (
    <div className={styles.rule}>
      <Switch
        className={styles.switch}
        checked={isOn}
        labelElement={<strong>{texts.oneCard}</strong>}
        onChange={({ currentTarget }) => onChange({ isOn: currentTarget.checked })}
      />
      <span className={styles.pause}>
        {texts.moreThan}
        <HTMLSelect
          aria-label={texts.openings}
          value={times}
          options={withCurrent(TIMES, times).map((value) => ({ value, label: texts.times(value) }))}
          onChange={({ currentTarget }) => onChange({ times: Number(currentTarget.value) })}
        />
        {texts.timesIn}
        <HTMLSelect
          aria-label={texts.withinTime}
          value={withinMinutes}
          options={withCurrent(WITHIN, withinMinutes).map((value) => ({ value, label: minutes(value) }))}
          onChange={({ currentTarget }) => onChange({ withinMinutes: Number(currentTarget.value) })}
        />
      </span>
      <span className={styles.hint}>{texts.ruleHint}</span>
    </div>
  );
}

/** Changes the rule at once; the result says what it is now, with Undo. */
function useChangeRule(): (rule: FlappingRule, change: FlappingRuleChange) => Promise<void> {
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();
  const send = async (body: FlappingRuleChange): Promise<FlappingRule> => {
    const after = await apiSend('PATCH', RULE, { body, schema: flappingRuleSchema });
    client.setQueryData([RULE], after);
    return after;
  };
  return async (rule, change) => {
    try {
      const { isOn, times, withinMinutes } = await send(change);
      const title =
        change.isOn === undefined ? texts.ruleChanged(times, withinMinutes) : isOn ? texts.turnedOn : texts.turnedOff;
      undo.add({
        kind: `flapping ${title}`,
        title,
        many: () => ({ title }),
        undo: async () => void (await send(formerValues(rule, change))),
        undoFailed: texts.couldNotUndo,
      });
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      toasts.show({ variant: 'destructive', title: texts.couldNotChange, description });
    }
  };
}
