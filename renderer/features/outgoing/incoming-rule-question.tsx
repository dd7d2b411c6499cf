import { Button } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { Rule, RuleDryRun } from '#backend/contract/rule.ts';
import { useIsShown } from '#renderer/lib/use-is-shown.ts';
import { ConfirmButton } from '#renderer/ui/confirm-button.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import type { useDryRun } from './incoming-rule-dry-run.tsx';
import { dryRunQuery } from './incoming-rules-data.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './incoming-rules-texts.ts';
import * as formStyles from '#renderer/ui/form-dialog/form-dialog.module.css';

interface AskedSave {
  silenced: number;
  save: () => void;
}

/**
 * Saves a rule once its dry run says that it silences no critical alert, or after asking.
 *
 * @param saveNow saves what is written
 */
export function useAskedSave(
  run: ReturnType<typeof useDryRun>,
  saveNow: () => void,
): { save: () => void; isChecking: boolean; dialog: ReactNode } {
  const asking = useDialog<AskedSave>();
  const [isChecking, setChecking] = useState(false);
  const isShown = useIsShown();
  /** What is saved then is what was written when it was checked. */
  const decide = (found: RuleDryRun | undefined): void => {
    const silenced = found?.criticalSilenced ?? 0;
    if (silenced > 0) asking.open({ silenced, save: saveNow });
    else saveNow();
  };
  const check = async (): Promise<void> => {
    setChecking(true);
    try {
      const found = await run.findNow();
      // A dry run that fails keeps nobody from saving: what was found last counts.
      if (isShown()) decide(found ?? run.data);
    } catch {
      // It was canceled: it is saved when that is asked for again.
    } finally {
      setChecking(false);
    }
  };
  return {
    save: () => (run.isCurrent ? decide(run.data) : void check()),
    isChecking,
    dialog: <SilencingDialog asking={asking} confirm={texts.saveAnyway} />,
  };
}

/**
 * Turns a rule on once a dry run says that it silences no critical alert, by itself or through rules after it, or after asking.
 * One whose dry run fails is turned on at once.
 */
export function useAskedTurn(): {
  turnOn: (rule: Rule, turn: () => void) => void;
  /** Whether a rule is being tried before it is turned on. */
  isTrying: (id: string) => boolean;
  dialog: ReactNode;
} {
  const client = useQueryClient();
  const asking = useDialog<AskedSave>();
  const isShown = useIsShown();
  /** Rules that are being tried: a second press waits for the first. */
  const trying = useRef(new Set<string>());
  const [shownTrying, setShownTrying] = useState<ReadonlySet<string>>(new Set());
  const check = async ({ id, search, actions }: Rule, turn: () => void): Promise<void> => {
    if (trying.current.has(id)) return;
    trying.current.add(id);
    setShownTrying(new Set(trying.current));
    try {
      const query = { id, rule: { search, actions, isOn: true } };
      const found = await client.fetchQuery(dryRunQuery(query)).catch(() => undefined);
      const silenced = found?.criticalSilenced ?? 0;
      if (!isShown()) return;
      if (silenced > 0) asking.open({ silenced, save: turn });
      else turn();
    } finally {
      trying.current.delete(id);
      setShownTrying(new Set(trying.current));
    }
  };
  return {
    turnOn: (rule, turn) => void check(rule, turn),
    isTrying: (id) => shownTrying.has(id),
    dialog: <SilencingDialog asking={asking} confirm={texts.turnOnAnyway} />,
  };
}

interface SilencingDialogProps {
  asking: ReturnType<typeof useDialog<AskedSave>>;
  confirm: string;
}

/** Says how many critical alerts a rule would have silenced, and asks whether that is meant. */
function SilencingDialog({ asking: { shown }, confirm }: SilencingDialogProps) {
  return (
    shown && (
      <DescribedDialog
        key={shown.key}
        {...shown.presence}
        className={formStyles.dialog}
        title={texts.sure}
        subtitle={texts.silencesCritical(shown.subject.silenced)}
        actions={
          <div className={formStyles.actions}>
            <Button text={pageTexts.cancel} onClick={shown.presence.onClose} />
            <ConfirmButton presence={shown.presence} intent="danger" text={confirm} onConfirm={shown.subject.save} />
          </div>
        }
      >
        {null}
      </DescribedDialog>
    )
  );
}
