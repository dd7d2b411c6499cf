import { Button, Checkbox, InputGroup, Switch } from '@blueprintjs/core';
import { FlowsIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Ladder } from '#backend/contract/ladder.ts';
import {
  type Destination,
  OUTGOING_EVENTS,
  type OutgoingEvent,
  type OutgoingRule,
} from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { HealthMark, KindTile } from './destination-marks.tsx';
import { destinationsQuery, rulesQuery, useOutgoingCommands } from './outgoing-data.ts';
import { KIND_TEXTS } from './kind-texts.ts';
import { LadderDryRun } from './ladder-dry-run.tsx';
import { LadderEditor } from './ladder-editor.tsx';
import { NotTherePage } from './not-there-page.tsx';
import { EVENT_LABELS, OUTGOING_PAGES, pathOfRule } from './outgoing-labels.ts';
import { RuleMatches, RuleSearch } from './rule-search.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './rules-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

const PARENT = OUTGOING_PAGES[1];

/** A rule that is made or changed, with what it would have sent beside it. */
export function RulePage() {
  const { id = '' } = useParams();
  const rules = useQuery(rulesQuery);
  const destinations = useQuery(destinationsQuery);
  const rule = rules.data?.find((one) => one.id === id);
  const error = rules.error ?? destinations.error;
  if (rules.data && destinations.data && (id === 'new' || rule)) {
    return <RuleEditor key={id} before={rule} rules={rules.data} destinations={destinations.data.destinations} />;
  }
  return (
    <NotTherePage
      title={texts.rule}
      parent={PARENT}
      isRead={rules.data !== undefined && destinations.data !== undefined}
      error={error}
      onRetry={() => void Promise.all([rules.refetch(), destinations.refetch()])}
      notFound={{
        icon: <FlowsIcon size={40} />,
        title: texts.ruleNotFound,
        text: texts.ruleNotFoundHint,
        all: texts.allRules,
      }}
      what={texts.theRule}
      label={texts.theRuleInText}
    />
  );
}

interface WrittenRule {
  name: string;
  search: string;
  events: OutgoingEvent[];
  destinationIds: string[];
  ladder: Ladder | null;
}

const startOf = (rule: OutgoingRule | undefined): WrittenRule => ({
  name: rule?.name ?? '',
  search: rule?.search ?? '',
  events: rule?.events ?? ['new', 'escalated', 'completed'],
  destinationIds: rule?.destinationIds ?? [],
  ladder: rule?.ladder ?? null,
});

function missingOf({ name, events, destinationIds, ladder }: WrittenRule): string | undefined {
  if (name.trim() === '') return texts.giveRuleName;
  if (events.length === 0) return texts.chooseOnWhat;
  if (ladder?.steps.some(({ recipients }) => recipients.length === 0)) return outgoingTexts.chooseWhomEachStepNotifies;
  return destinationIds.length === 0 && ladder === null ? texts.chooseWhere : undefined;
}

interface EditorProps {
  before: OutgoingRule | undefined;
  rules: readonly OutgoingRule[];
  destinations: readonly Destination[];
}

function RuleEditor({ before, rules, destinations }: EditorProps) {
  const [written, setWritten] = useState(() => startOf(before));
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const commands = useOutgoingCommands();
  const navigate = useNavigate();
  const toasts = useToasts();
  const deleting = useDialog();
  const changed = JSON.stringify(written) !== JSON.stringify(startOf(before));
  const guard = useLeaveGuard(changed && !isLeaving);
  const missing = missingOf(written);
  const change = (some: Partial<WrittenRule>): void => setWritten((now) => ({ ...now, ...some }));
  const run = async (work: () => Promise<void>): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setLeaving(false);
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setPending(false);
    }
  };
  const save = () =>
    run(async () => {
      if (before) {
        setWritten(startOf(await commands.changeRule(before, written)));
        toasts.show({ title: texts.ruleSaved });
        return;
      }
      setLeaving(true);
      const made = await commands.createRule(written);
      void navigate(pathOfRule(made.id), { replace: true });
    });
  return (
    <HoverTip className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead
        title={before ? inertLine(before.name) : texts.newRule}
        parent={PARENT}
        beside={
          before && (
            <>
              <Switch
                className={styles.switch}
                checked={before.isOn}
                label={before.isOn ? outgoingTexts.on : outgoingTexts.off}
                onChange={() => void run(async () => void (await commands.changeRule(before, { isOn: !before.isOn })))}
              />
              <span className={styles.small}>
                {texts.changedBy(inertLine(before.changedBy), formatCardTime(new Date(before.changedAt)))}
              </span>
            </>
          )
        }
      >
        {before && (
          <Button
            icon={<TrashIcon />}
            text={outgoingTexts.askToDelete}
            aria-haspopup="dialog"
            onClick={() => deleting.open(true)}
          />
        )}
        <Button text={outgoingTexts.discard} disabled={!changed} onClick={() => setWritten(startOf(before))} />
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          text={texts.saveRule}
          loading={isPending}
          disabled={missing !== undefined || !changed}
          title={missing}
          onClick={() => void save()}
        />
      </PageHead>
      <div className={`${panelStyles.pageBody} ${styles.columns} ${styles.columns_rule}`}>
        <section className={panelStyles.panel} aria-label={texts.rule}>
          <output className={styles.failure} hidden={failure === undefined && before?.fault === undefined}>
            {failure ?? before?.fault}
          </output>
          <div className={styles.part}>
            <label htmlFor="ad-rule-name">{pageTexts.name}</label>
            <InputGroup
              id="ad-rule-name"
              value={written.name}
              maxLength={100}
              onValueChange={(name) => change({ name })}
            />
          </div>
          <RuleSearch search={written.search} onChange={(search) => change({ search })} />
          <fieldset className={styles.part}>
            <legend>{texts.onWhat}</legend>
            <div className={styles.boxes}>
              {OUTGOING_EVENTS.map((event) => (
                <Checkbox
                  key={event}
                  checked={written.events.includes(event)}
                  label={EVENT_LABELS[event]}
                  onChange={() =>
                    change({
                      events: OUTGOING_EVENTS.filter((one) => (one === event) !== written.events.includes(one)),
                    })
                  }
                />
              ))}
            </div>
            <p className={styles.hint}>{texts.onWhatHint}</p>
          </fieldset>
          <Where
            written={written}
            destinations={destinations}
            others={rules.filter(({ id, isOn }) => isOn && id !== before?.id)}
            onChange={(destinationIds) => change({ destinationIds })}
          />
          <LadderEditor ladder={written.ladder} destinations={destinations} onChange={(ladder) => change({ ladder })} />
          {missing !== undefined && <p className={`${styles.missing} ${styles.part}`}>{missing}</p>}
        </section>
        <div className={styles.column}>
          <RuleMatches search={written.search} />
          <LadderDryRun ladder={written.ladder} />
        </div>
      </div>
      <UnsavedDialog guard={guard} text={texts.unsavedHint} />
      {before && deleting.shown && (
        <DeleteDialog
          key={deleting.shown.key}
          title={texts.deleteQuestion}
          text={texts.deleteHint}
          presence={deleting.shown.presence}
          onDelete={() => commands.deleteRule(before.id)}
          next={PARENT.to}
          onLeaving={setLeaving}
        />
      )}
    </HoverTip>
  );
}

interface WhereProps {
  written: WrittenRule;
  destinations: readonly Destination[];
  /** Other rules that are on. */
  others: readonly OutgoingRule[];
  onChange: (ids: string[]) => void;
}

function Where({ written, destinations, others, onChange }: WhereProps) {
  return (
    <fieldset className={styles.part}>
      <legend>{texts.where}</legend>
      {destinations.length === 0 && <p className={styles.hint}>{texts.noDestinationYet}</p>}
      <ul className={styles.whereRows}>
        {destinations.map((destination) => {
          const isChosen = written.destinationIds.includes(destination.id);
          const kind = KIND_TEXTS[destination.kind].name;
          const also = others.find(({ destinationIds }) => destinationIds.includes(destination.id));
          return (
            <li key={destination.id} className={styles.whereRow}>
              <Checkbox
                className={styles.grow}
                checked={isChosen}
                onChange={() =>
                  onChange(
                    isChosen
                      ? written.destinationIds.filter((id) => id !== destination.id)
                      : [...written.destinationIds, destination.id],
                  )
                }
              >
                <KindTile kind={destination.kind} isSmall />
                <span className={styles.names}>
                  <bdi className={styles.name}>{inertLine(destination.name)}</bdi>
                  <span className={styles.small}>
                    {isChosen && also ? texts.kindAndOtherRule(kind, inertLine(also.name)) : kind}
                  </span>
                </span>
              </Checkbox>
              <HealthMark destination={destination} hasReason={false} />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
