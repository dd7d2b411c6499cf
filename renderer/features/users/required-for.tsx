import { HTMLSelect } from '@blueprintjs/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { type SecondStepRule, secondStepRuleSchema } from '#backend/contract/second-step.ts';
import { writeAnswer } from '#renderer/lib/query-answers.ts';
import { decideRule, secondStepRuleQuery } from '#renderer/second-step/second-step.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './users-page.module.css';

const OPTIONS: { value: SecondStepRule['requiredFor']; label: string }[] = [
  { value: 'nobody', label: texts.noOne },
  { value: 'administrators', label: texts.administratorsAndSuperUsers },
  { value: 'everybody', label: texts.everyone },
];

/** Who has to have a second step. Left out until it is known. */
export function RequiredFor() {
  const id = useId();
  const client = useQueryClient();
  const { data: rule } = useQuery(secondStepRuleQuery);
  const toasts = useToasts();
  const decide = useMutation({
    mutationFn: decideRule,
    onSuccess: (decided) => {
      writeAnswer(client, secondStepRuleQuery, () => decided);
      const isNone = decided.requiredFor === 'nobody';
      toasts.show({
        intent: 'done',
        title: texts.twoStepSignInUpdated,
        description: isNone ? texts.notRequiredForAnyone : texts.membersWithoutItSetIt,
      });
    },
    onError: ({ message }) =>
      toasts.show({ variant: 'destructive', title: texts.failedToUpdateTwoStep, description: message }),
  });
  if (!rule) return null;
  const requiredFor = decide.isPending ? decide.variables.requiredFor : rule.requiredFor;
  return (
    <section className={`${panelStyles.panel} ${styles.requiredFor}`} aria-label={texts.twoStepSignIn}>
      <label htmlFor={id}>{texts.twoStepSignInIs}</label>
      <HTMLSelect
        id={id}
        options={OPTIONS}
        value={requiredFor}
        // Not `disabled`, which would take the focus.
        aria-disabled={decide.isPending || undefined}
        onChange={({ target }) => {
          if (decide.isPending) return;
          const input = secondStepRuleSchema.safeParse({ requiredFor: target.value });
          if (input.success) decide.mutate(input.data);
        }}
      />
    </section>
  );
}
