import { Checkbox, HTMLSelect, InputGroup, Switch } from '@blueprintjs/core';
import { useSearchParams } from 'react-router-dom';
import { type Rule, type RuleActions, ruleActionsSchema } from '#backend/contract/rule.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { EditorFrame, EditorPanel } from './editor-frame.tsx';
import { INCOMING_RULES } from './entries.tsx';
import { EntryPage } from './entry-page.tsx';
import { FileUnder, type WrittenLabel } from './file-under.tsx';
import { useMakeLabelView } from './file-under-data.ts';
import { AlertsLike } from './alerts-like.tsx';
import { DryRun, useDryRun } from './incoming-rule-dry-run.tsx';
import { useAskedSave, useAskedTurn } from './incoming-rule-question.tsx';
import { useIncomingRuleCommands, useIncomingRules } from './incoming-rules-data.ts';
import { MemberOptions, Owner } from './rule-owner.tsx';
import { RuleSearch } from './rule-search.tsx';
import { Row } from './setting-row.tsx';
import { useEditor } from '#renderer/ui/editor/use-editor.ts';
import * as texts from './incoming-rules-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as styles from './outgoing.module.css';

/** A rule on what arrives, made or changed, with what would change beside it. A new one may be about alerts like one. */
export function IncomingRulePage() {
  const rules = useIncomingRules();
  const [params] = useSearchParams();
  const alertId = params.get('alert');
  return (
    <EntryPage entry={INCOMING_RULES} queries={[rules]} all={rules.data}>
      {(id, before, copied) =>
        alertId === null || before ? (
          <RuleEditor key={id} before={before} copied={copied} />
        ) : (
          <AlertsLike key={alertId} alertId={alertId}>
            {(search) => <RuleEditor before={undefined} copied={undefined} about={search} />}
          </AlertsLike>
        )
      }
    </EntryPage>
  );
}

interface WrittenRule {
  name: string;
  search: string;
  actions: RuleActions;
  ownerId: string | undefined;
  writes: WrittenLabel;
}

const startOf = (rule: Rule | undefined): WrittenRule => ({
  name: rule?.name ?? '',
  search: rule?.search ?? '',
  actions: rule?.actions ?? {},
  ownerId: rule?.ownerId,
  writes: undefined,
});

/** The actions without those that are not chosen, and why they cannot be saved. */
function checked(actions: RuleActions): { actions: RuleActions; missing: string | undefined } {
  const label = actions.label?.trim() || undefined;
  const chosen = JSON.parse(JSON.stringify({ ...actions, label })) as RuleActions;
  if (Object.keys(chosen).length === 0) return { actions: chosen, missing: texts.chooseAction };
  const [issue] = ruleActionsSchema.safeParse(chosen).error?.issues ?? [];
  return { actions: chosen, missing: issue && `${issue.message}.` };
}

const unchanged = (): void => undefined;

interface RuleEditorProps {
  before: Rule | undefined;
  copied: Rule | undefined;
  /** What a new one is about at first. */
  about?: string | undefined;
}

function RuleEditor({ before: listed, copied, about }: RuleEditorProps) {
  const commands = useIncomingRuleCommands();
  const makeView = useMakeLabelView();
  /** What is saved. The view comes first: where its name is taken, the rule is not saved either. */
  const saving = async ({ actions: chosen, writes, ...written }: WrittenRule) => {
    const { actions } = checked(chosen);
    if (writes === 'new' && actions.label !== undefined) await makeView(actions.label);
    return { ...written, actions };
  };
  const editor = useEditor<Rule, WrittenRule>({
    before: listed,
    copied,
    given: about === undefined ? undefined : { search: about },
    listPath: INCOMING_RULES.to,
    startOf,
    sentOf: ({ name, actions, ...others }) => [name.trim(), checked(actions).actions, others],
    create: async (written) => INCOMING_RULES.pathOf((await commands.create(await saving(written))).id),
    update: async (seen, written) => commands.change(seen, await saving(written)),
    readAgain: commands.readAgain,
    saved: INCOMING_RULES.saved,
  });
  const { before, written } = editor;
  /** As it is stored, it has the names of members whom nobody can choose any more. */
  const stored = before ?? copied;
  const { actions, missing: missingActions } = checked(written.actions);
  const isViewUnnamed = written.writes === 'new' && actions.label === undefined;
  const missing = written.name.trim() === '' ? texts.giveName : isViewUnnamed ? texts.giveViewName : missingActions;
  // One that is off is tried as if it were on, before it is switched on.
  const run = useDryRun(
    missingActions === undefined
      ? { id: before?.id, rule: { search: written.search, actions, isOn: true } }
      : undefined,
  );
  const asked = useAskedSave(run, editor.save);
  // A new one is sent as it is checked: what would be written meanwhile would be lost.
  const isFixed = before === undefined && asked.isChecking;
  const asking: typeof editor = {
    ...editor,
    ...(isFixed && { change: unchanged, discard: unchanged }),
    save: asked.save,
    isPending: editor.isPending || asked.isChecking,
  };
  const { change } = asking;
  const turning = useAskedTurn();
  const turn = (): void => {
    if (before) editor.run(() => commands.change(before, { isOn: !before.isOn }));
  };
  return (
    <>
      <EditorFrame
        entry={INCOMING_RULES}
        editor={asking}
        missing={missing}
        columns="rule"
        beside={
          before && (
            <Switch
              className={styles.switch}
              checked={before.isOn}
              label={before.isOn ? outgoingTexts.on : outgoingTexts.off}
              aria-busy={turning.isTrying(before.id)}
              onChange={() => (before.isOn ? turn() : turning.turnOn(before, turn))}
            />
          )
        }
        deleteHint={texts.deleteHint}
        onDelete={commands.remove}
      >
        <EditorPanel
          entry={INCOMING_RULES}
          editor={asking}
          missing={missing}
          fault={before?.switchedOff?.reason ?? before?.fault}
        >
          <RuleSearch search={written.search} isOfReports onChange={(search) => change({ search })} />
          <Actions
            actions={written.actions}
            writes={written.writes}
            assigneeName={stored?.assigneeName}
            onChange={(some) => change({ actions: { ...written.actions, ...some } })}
            onLabel={(label, writes) => change({ actions: { ...written.actions, label }, writes })}
          />
          <Owner ownerId={written.ownerId} name={stored?.ownerName} onChange={(ownerId) => change({ ownerId })} />
        </EditorPanel>
        <div className={styles.column}>
          <DryRun run={run} />
        </div>
      </EditorFrame>
      {asked.dialog}
      {turning.dialog}
    </>
  );
}

const SEVERITIES = ['critical', 'high', 'warning', 'low', 'info'] as const;
type Notifies = keyof typeof texts.notifies;

const notifiesOf = ({ notify, suppress }: RuleActions): Notifies => (suppress ? 'suppress' : (notify ?? 'usual'));
const withNotifies = (value: string): Pick<RuleActions, 'notify' | 'suppress'> => ({
  notify: value === 'always' || value === 'never' ? value : undefined,
  suppress: value === 'suppress' ? true : undefined,
});

interface ActionsProps {
  actions: RuleActions;
  writes: WrittenLabel;
  /** Of the member to whom it assigns alerts, as it is stored; null once the account is gone. */
  assigneeName: string | null | undefined;
  onChange: (some: RuleActions) => void;
  onLabel: (label: string | undefined, writes: WrittenLabel) => void;
}

/** What a rule does, a row for each. */
function Actions({ actions, writes, assigneeName, onChange, onLabel }: ActionsProps) {
  return (
    <fieldset className={styles.part}>
      <legend>{texts.whatItDoes}</legend>
      <Row label={texts.severity}>
        {(id) => (
          <HTMLSelect
            id={id}
            value={actions.severity ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ severity: SEVERITIES.find((severity) => severity === value) })
            }
          >
            <option value="">{texts.asSent}</option>
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {SEVERITY_LABELS[severity]}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Row>
      {TEXTS.map(({ field, label, length }) => (
        <Row key={field} label={label}>
          {(id) => (
            <InputGroup
              id={id}
              placeholder={texts.asSent}
              maxLength={length}
              value={actions[field] ?? ''}
              onValueChange={(value) => onChange({ [field]: value === '' ? undefined : value })}
            />
          )}
        </Row>
      ))}
      <FileUnder label={actions.label} writes={writes} onChange={onLabel} />
      <Row label={texts.assignTo}>
        {(id) => (
          <HTMLSelect
            id={id}
            value={actions.assigneeId ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ assigneeId: value === '' ? undefined : value })}
          >
            <option value="">{texts.nobody}</option>
            <MemberOptions chosenId={actions.assigneeId} name={assigneeName} />
          </HTMLSelect>
        )}
      </Row>
      <Row label={texts.snooze} hint={texts.newAlertsHint}>
        {(id) => (
          <HTMLSelect
            id={id}
            value={actions.snoozeMinutes ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ snoozeMinutes: value === '' ? undefined : Number(value) })
            }
          >
            <option value="">{texts.noSnooze}</option>
            {snoozesWith(actions.snoozeMinutes).map((minutes) => (
              <option key={minutes} value={minutes}>
                {texts.snoozeText(minutes)}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Row>
      <Row label={texts.notify}>
        {(id) => (
          <HTMLSelect
            id={id}
            value={notifiesOf(actions)}
            onChange={({ currentTarget: { value } }) => onChange(withNotifies(value))}
          >
            {Object.entries(texts.notifies).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Row>
      <div className={styles.boxes}>
        <Checkbox
          checked={actions.stop ?? false}
          label={texts.stop}
          onChange={() => onChange({ stop: actions.stop ? undefined : true })}
        />
      </div>
    </fieldset>
  );
}

const TEXTS = [
  { field: 'customer', label: texts.customer, length: 200 },
  { field: 'alertType', label: texts.alertType, length: 200 },
  { field: 'title', label: texts.headline, length: 300 },
] as const;

const snoozesWith = (minutes: number | undefined): number[] => {
  const known: number[] = texts.snoozes.map(([one]) => one);
  return minutes === undefined || known.includes(minutes) ? known : [...known, minutes];
};
