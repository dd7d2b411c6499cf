import { HTMLSelect, Switch } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { type FlappingRule, type FlappingRuleChange, flappingRuleSchema } from '#backend/contract/flapping-rule.ts';
import { FLAPPING_RULE, flappingRuleQuery } from '#renderer/alerts/data/flapping-rule.ts';
import { timesChoices, withinChoices } from '#renderer/alerts/data/flapping-labels.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { writeAnswer } from '#renderer/lib/query-answers.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { formerValues } from './former-values.ts';
import * as texts from './flapping-texts.ts';
import * as styles from './grouping-panel.module.css';

/** How often a problem opens until it is one card. Each change saves at once, and can be undone. */
export function FlappingPanel() {
  const rule = useQuery({ ...flappingRuleQuery, refetchOnMount: 'always' });
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
  const { isOn, times, withinMinutes, ownSources } = rule;
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
          options={timesChoices(times)}
          onChange={({ currentTarget }) => onChange({ times: Number(currentTarget.value) })}
        />
        {texts.timesIn}
        <HTMLSelect
          aria-label={texts.withinTime}
          value={withinMinutes}
          options={withinChoices(withinMinutes)}
          onChange={({ currentTarget }) => onChange({ withinMinutes: Number(currentTarget.value) })}
        />
      </span>
      <span className={styles.hint}>
        {texts.ruleHint}
        {ownSources > 0 && (
          <>
            {' '}
            <Link to={PATHS.sources}>{texts.ownSources(ownSources)}</Link>
          </>
        )}
      </span>
    </div>
  );
}

/** Changes the rule at once; the result says what it is now, with Undo. */
function useChangeRule(): (rule: FlappingRule, change: FlappingRuleChange) => Promise<void> {
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();
  const send = async (body: FlappingRuleChange): Promise<FlappingRule> => {
    const after = await apiSend('PATCH', FLAPPING_RULE, { body, schema: flappingRuleSchema });
    writeAnswer(client, flappingRuleQuery, () => after);
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
      const description = messageOf(error);
      toasts.show({ variant: 'destructive', title: texts.couldNotChange, description });
    }
  };
}
