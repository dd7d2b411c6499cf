import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useToasts } from '#renderer/toasts/toast.ts';
import { tokenRuleQuery, useDecideTokenRule } from '#renderer/tokens/tokens.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './users-page.module.css';

/** What is offered; a rule that was made by the API may be another. */
const DAYS = [7, 30, 90, 180, 365];

const labelOf = (days: number | null): string => (days === null ? texts.untilTheyAreRevoked : texts.atMostDays(days));

/** For how long API tokens work at most. Left out until it is known. */
export function TokenLife() {
  const id = useId();
  const { data: rule } = useQuery(tokenRuleQuery);
  const decide = useDecideTokenRule();
  const toasts = useToasts();
  if (!rule) return null;
  const { maxDays } = decide.isPending ? decide.variables : rule;
  const choices = [null, ...new Set([...DAYS, ...(maxDays === null ? [] : [maxDays])])];
  const change = (value: string): void =>
    decide.mutate(
      { maxDays: value === '' ? null : Number(value) },
      {
        onSuccess: (decided) =>
          toasts.show({
            intent: 'done',
            title: texts.apiTokenLifetimeUpdated,
            description:
              decided.maxDays === null
                ? texts.tokensThatWereShortenedAre
                : texts.tokensThatWouldLastLonger(decided.maxDays),
          }),
        onError: ({ message }) =>
          toasts.show({
            variant: 'destructive',
            title: texts.failedToUpdateApiToken,
            description: message,
          }),
      },
    );
  return (
    <section className={`${panelStyles.panel} ${styles.requiredFor}`} aria-label={texts.apiTokenLifetime}>
      <label htmlFor={id}>{texts.apiTokensWork}</label>
      <HTMLSelect
        id={id}
        options={choices
          .toSorted((one, other) => (one ?? 1_000) - (other ?? 1_000))
          .map((days) => ({ value: days === null ? '' : String(days), label: labelOf(days) }))}
        value={maxDays === null ? '' : String(maxDays)}
        // Not `disabled`, which would take the focus.
        aria-disabled={decide.isPending || undefined}
        onChange={({ target }) => decide.isPending || change(target.value)}
      />
    </section>
  );
}
