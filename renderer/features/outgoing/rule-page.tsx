import { Checkbox, Switch } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import type { Ladder } from '#backend/contract/ladder.ts';
import {
  type Destination,
  OUTGOING_EVENTS,
  type OutgoingEvent,
  type OutgoingRule,
} from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatFieldTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { HealthMark, KindTile } from './destination-marks.tsx';
import { EditorFrame, EditorPanel } from './editor-frame.tsx';
import { RULES } from './entries.tsx';
import { EntryPage } from './entry-page.tsx';
import { kindTexts } from './kind-texts.ts';
import { LadderDryRun } from './ladder-dry-run.tsx';
import { LadderEditor, useChoices } from './ladder-editor.tsx';
import type { Choice } from './recipient-menu.tsx';
import { destinationsQuery, rulesQuery, useOutgoingCommands } from './outgoing-data.ts';
import { EVENT_LABELS } from './outgoing-labels.ts';
import { RuleMatches } from './rule-matches.tsx';
import { RuleSearch } from './rule-search.tsx';
import { useEditor } from '#renderer/ui/editor/use-editor.ts';
import * as texts from './rules-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as styles from './outgoing.module.css';

/** A rule that is made or changed, with what it would have sent beside it. */
export function RulePage() {
  const rules = useQuery(rulesQuery);
  const read = useQuery(destinationsQuery);
  const destinations = read.data?.destinations ?? [];
  const { choices, queries } = useChoices(destinations);
  return (
    <EntryPage entry={RULES} queries={[rules, read, ...queries]} all={rules.data}>
      {(id, before, copied) => (
        <RuleEditor
          key={id}
          before={before}
          copied={copied}
          rules={rules.data ?? []}
          destinations={destinations}
          choices={choices}
        />
      )}
    </EntryPage>
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

/** A rule without destinations that were deleted since they were chosen: these have no row by which they could be taken away. */
const withExisting = (rule: WrittenRule, destinations: readonly Destination[]): WrittenRule => ({
  ...rule,
  destinationIds: rule.destinationIds.filter((id) => destinations.some((one) => one.id === id)),
});

/** @param isOn whether it sends: one that is off may lead nowhere */
function missingOf({ name, events, destinationIds, ladder }: WrittenRule, isOn: boolean): string | undefined {
  if (name.trim() === '') return texts.giveRuleName;
  if (events.length === 0) return texts.chooseOnWhat;
  if (ladder?.steps.some(({ recipients }) => recipients.length === 0)) return outgoingTexts.chooseWhomEachStepNotifies;
  return isOn && destinationIds.length === 0 && ladder === null ? texts.chooseWhere : undefined;
}

interface EditorProps {
  before: OutgoingRule | undefined;
  /** What a new one is a copy of. */
  copied: OutgoingRule | undefined;
  rules: readonly OutgoingRule[];
  destinations: readonly Destination[];
  /** Whom steps can notify. */
  choices: readonly Choice[];
}

function RuleEditor({ before: listed, copied, rules, destinations, choices }: EditorProps) {
  const commands = useOutgoingCommands();
  const editor = useEditor({
    before: listed,
    copied,
    listPath: RULES.to,
    startOf,
    // A destination that is taken out and put back stands elsewhere in it.
    sentOf: ({ name, destinationIds, ...others }) => [name.trim(), destinationIds.toSorted(), others],
    create: async (rule) => RULES.pathOf((await commands.createRule(withExisting(rule, destinations))).id),
    update: (seen, rule) => commands.changeRule(seen, withExisting(rule, destinations)),
    readAgain: commands.readAgain,
    saved: RULES.saved,
    savedHint: listed && listed.ladder !== null ? texts.runningLaddersGoOn : undefined,
  });
  const { before, change } = editor;
  const written = withExisting(editor.written, destinations);
  const missing = missingOf(written, before?.isOn ?? true);
  const changedAt = useNow((now) => before && formatFieldTime(new Date(before.changedAt), now));
  return (
    <EditorFrame
      entry={RULES}
      editor={editor}
      missing={missing}
      columns="rule"
      beside={
        before &&
        changedAt !== undefined && (
          <>
            <Switch
              className={styles.switch}
              checked={before.isOn}
              label={before.isOn ? outgoingTexts.on : outgoingTexts.off}
              onChange={() => editor.run(() => commands.changeRule(before, { isOn: !before.isOn }))}
            />
            <span className={styles.small}>{texts.changedBy(inertLine(before.changedBy), changedAt)}</span>
          </>
        )
      }
      deleteHint={texts.deleteHint}
      onDelete={commands.deleteRule}
    >
      <EditorPanel entry={RULES} editor={editor} missing={missing} fault={before?.fault}>
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
        <LadderEditor ladder={written.ladder} choices={choices} onChange={(ladder) => change({ ladder })} />
      </EditorPanel>
      <div className={styles.column}>
        <RuleMatches rule={written} />
        <LadderDryRun ladder={written.ladder} />
      </div>
    </EditorFrame>
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
          const kind = kindTexts(destination.kind).name;
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
