import { Button, HTMLSelect, PopupKind, Switch } from '@blueprintjs/core';
import { CaretDownIcon, CrossIcon, PlusIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Ladder,
  type LadderStep,
  MAX_REPEATS,
  MAX_STEPS,
  MAX_STEP_RECIPIENTS,
  type PlannedStep,
  REPEAT_AFTER_MINUTES,
  ladderChannelSchema,
} from '#backend/contract/ladder.ts';
import { peopleNotes } from '#renderer/alerts/panel/ladder-people.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { calendarsQuery, dryRunQuery, groupsQuery, membersQuery } from './ladder-data.ts';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { afterLabel } from './ladder-labels.ts';
import { type Choice, RecipientMenu, keyOf } from './recipient-menu.tsx';
import * as texts from './ladders-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Times that are offered, in minutes. */
const MINUTES = [0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 480, 720, 1440];

const NEW_LADDER: Ladder = {
  steps: [{ afterMinutes: 0, recipients: [{ kind: 'online' }] }],
  repeat: 0,
  isUrgent: false,
};

/** Keys of the rows: a step that is changed, also in its time and so its place, keeps its row and the focus. */
const stepKeys = new WeakMap<LadderStep, string>();

function keyOfStep(step: LadderStep): string {
  const key = stepKeys.get(step) ?? crypto.randomUUID();
  stepKeys.set(step, key);
  return key;
}

interface EditorProps {
  ladder: Ladder | null;
  /** Whom its steps can notify. */
  choices: readonly Choice[];
  onChange: (ladder: Ladder | null) => void;
}

/** What happens until somebody takes an alert: steps, each a sentence, with who that is at this moment. */
export function LadderEditor({ ladder, choices, onChange }: EditorProps) {
  const isComplete = ladder?.steps.every(({ recipients }) => recipients.length > 0) === true;
  const { data: planned } = useQuery(dryRunQuery(isComplete ? ladder : null, undefined));
  const [former, setFormer] = useState(NEW_LADDER);
  // Switched off by mistake and on again, it has its steps.
  const toggle = (): void => {
    if (ladder) setFormer(ladder);
    onChange(ladder ? null : former);
  };
  const setSteps = (steps: LadderStep[]): void => {
    if (ladder) onChange({ ...ladder, steps: steps.toSorted((one, other) => one.afterMinutes - other.afterMinutes) });
  };
  const last = ladder?.steps.at(-1)?.afterMinutes ?? 0;
  // A ladder ends after a day: behind that there is no other step.
  const next = MINUTES.find((one) => one >= last + 5);
  return (
    <fieldset className={styles.part}>
      <legend>{texts.untilTaken}</legend>
      <div>
        <Switch className={styles.switch} checked={ladder !== null} label={texts.notifyStepByStep} onChange={toggle} />
      </div>
      <p className={styles.hint}>{texts.notifyStepByStepHint}</p>
      {ladder && (
        <>
          <ol ref={keepFocus} className={ladderStyles.steps}>
            {ladder.steps.map((step, at) => (
              <Step
                key={keyOfStep(step)}
                step={step}
                number={at + 1}
                count={ladder.steps.length}
                taken={ladder.steps.map(({ afterMinutes }) => afterMinutes)}
                choices={choices}
                planned={isComplete ? planned?.find((one) => one.round === 0 && one.step === at + 1) : undefined}
                onChange={(changed) => {
                  stepKeys.set(changed, keyOfStep(step));
                  setSteps(ladder.steps.map((one, index) => (index === at ? changed : one)));
                }}
                onRemove={() => setSteps(ladder.steps.filter((_, index) => index !== at))}
              />
            ))}
          </ol>
          <Button
            icon={<PlusIcon />}
            text={texts.addStep}
            disabled={ladder.steps.length >= MAX_STEPS || next === undefined}
            onClick={() => next !== undefined && setSteps([...ladder.steps, { afterMinutes: next, recipients: [] }])}
          />
          <div className={ladderStyles.more}>
            <label htmlFor="ad-ladder-repeat">{texts.thenRepeat}</label>
            <HTMLSelect
              id="ad-ladder-repeat"
              value={ladder.repeat}
              options={Array.from({ length: MAX_REPEATS + 1 }, (_, value) => ({
                value,
                label: texts.repeats(value),
              }))}
              onChange={({ currentTarget }) => onChange({ ...ladder, repeat: Number(currentTarget.value) })}
            />
            <span className={styles.small}>{texts.repeatHint(REPEAT_AFTER_MINUTES)}</span>
          </div>
          <div>
            <Switch
              className={styles.switch}
              checked={ladder.isUrgent}
              label={texts.urgent}
              onChange={() => onChange({ ...ladder, isUrgent: !ladder.isUrgent })}
            />
          </div>
          <p className={styles.hint}>{texts.urgentHint}</p>
        </>
      )}
    </fieldset>
  );
}

const named = (
  kind: 'member' | 'group' | 'calendar' | 'destination',
  group: string,
  ones: readonly { id: string; name: string }[],
  labelOf = (name: string): string => name,
): Choice[] => ones.map(({ id, name }) => ({ recipient: { kind, id }, label: labelOf(inertLine(name)), group }));

/** Whom steps can notify beside destinations, and what must be read first: before that, somebody would seem to be gone. */
export function useChoices(destinations: readonly { id: string; name: string }[]) {
  const groups = useQuery(groupsQuery);
  const calendars = useQuery(calendarsQuery);
  const members = useQuery(membersQuery);
  const choices: Choice[] = [
    { recipient: { kind: 'online' }, label: texts.everybodyOnline, group: texts.people },
    ...named('calendar', texts.onNowBy, calendars.data ?? [], texts.onNow),
    ...named('group', outgoingTexts.groups, groups.data ?? [], texts.group),
    ...named(
      'member',
      outgoingTexts.members,
      (members.data ?? []).map(({ id, displayName }) => ({ id, name: displayName })),
    ),
    ...named('destination', outgoingTexts.destinations, destinations),
  ];
  return { choices, queries: [groups, calendars, members] };
}

const loadRecipients = async () => RecipientMenu;

interface StepProps {
  step: LadderStep;
  number: number;
  count: number;
  /** Minutes of all steps: no two have the same. */
  taken: readonly number[];
  choices: readonly Choice[];
  /** What the step would do now; undefined until that is known. */
  planned: PlannedStep | undefined;
  onChange: (step: LadderStep) => void;
  onRemove: () => void;
}

function Step({ step, number, count, taken, choices, planned, onChange, onRemove }: StepProps) {
  const { afterMinutes, recipients } = step;
  const chosen = new Set(recipients.map(keyOf));
  const free = choices.filter(({ recipient }) => !chosen.has(keyOf(recipient)));
  const add = recipients.length === 0 ? texts.chooseWhom : texts.and;
  const isFull = recipients.length >= MAX_STEP_RECIPIENTS;
  const minutes = [...new Set([...MINUTES, afterMinutes])]
    .filter((one) => one === afterMinutes || !taken.includes(one))
    .toSorted((one, other) => one - other);
  return (
    <li className={ladderStyles.step} aria-label={texts.stepName(number, count, afterLabel(afterMinutes))}>
      <span className={ladderStyles.number} aria-hidden>
        {number}
      </span>
      <div className={ladderStyles.sentence}>
        <HTMLSelect
          aria-label={texts.whenStepComes(number)}
          value={afterMinutes}
          options={minutes.map((value) => ({ value, label: afterLabel(value) }))}
          onChange={({ currentTarget }) => onChange({ ...step, afterMinutes: Number(currentTarget.value) })}
        />
        <span className={styles.small}>{texts.notify}</span>
        {recipients.map((recipient) => {
          const name =
            choices.find((one) => keyOf(one.recipient) === keyOf(recipient))?.label ?? texts.unavailableRecipient;
          return (
            <span key={keyOf(recipient)} className={ladderStyles.recipient}>
              <bdi>{name}</bdi>
              <Button
                variant="minimal"
                size="small"
                icon={<CrossIcon size={12} />}
                aria-label={texts.removeFromStep(name, number)}
                onClick={() => onChange({ ...step, recipients: recipients.filter((one) => one !== recipient) })}
              />
            </span>
          );
        })}
        {/* It stays where no more can be added: it has the focus once its menu closes. */}
        <PopupButton
          placement="bottom-start"
          popupKind={PopupKind.MENU}
          onOpening={focusMenu}
          button={{
            text: add,
            endIcon: <CaretDownIcon />,
            'aria-label': `${add} ${texts.whomElseStepNotifies(number)}`,
            'aria-disabled': isFull || undefined,
          }}
          load={loadRecipients}
          content={{
            label: texts.whomElseStepNotifies(number),
            filterLabel: texts.findRecipient,
            choices: isFull ? [] : free,
            onChoose: (added) => onChange({ ...step, recipients: [...recipients, added] }),
          }}
        />
        <span className={styles.small}>{texts.by}</span>
        <HTMLSelect
          className={ladderStyles.by}
          aria-label={texts.byWhatStepNotifies(number)}
          value={step.by ?? ''}
          options={[
            { value: '', label: texts.theirOwnChoice },
            ...ladderChannelSchema.options.map((value) => ({ value, label: texts.CHANNELS[value] })),
          ]}
          onChange={({ currentTarget }) => {
            const by = ladderChannelSchema.safeParse(currentTarget.value).data;
            onChange({ afterMinutes, recipients, ...(by && { by }) });
          }}
        />
      </div>
      {count > 1 && (
        <Button
          className={ladderStyles.remove}
          variant="minimal"
          icon={<TrashIcon />}
          aria-label={texts.removeStep(number)}
          onClick={onRemove}
        />
      )}
      <WhoNow planned={planned} />
    </li>
  );
}

/** Who a step would notify at its time, as it is known now; what keeps somebody from it in gold. */
function WhoNow({ planned }: { planned: PlannedStep | undefined }) {
  if (!planned) return null;
  return (
    <p className={ladderStyles.who}>
      {peopleNotes(planned.people).map(({ names, note, isFault }) => (
        <span key={note}>
          <bdi className={ladderStyles.whoName}>{names}</bdi>{' '}
          <span className={isFault ? ladderStyles.fault : undefined}>{note}</span>
        </span>
      ))}
      {planned.faults.map((fault) => (
        <span key={fault} className={ladderStyles.fault}>
          {inertLine(fault)}
        </span>
      ))}
    </p>
  );
}
