import { Button } from '@blueprintjs/core';
import { LayersIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { type Ref, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import classNames from 'classnames';
import { countText } from '#backend/contract/count-text.ts';
import type { AlertGroupDetails } from '#backend/contract/alert-group.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { ACCEPT } from '#renderer/alerts/actions/accept.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { ASSIGN } from '#renderer/alerts/actions/assign.ts';
import { SNOOZE } from '#renderer/alerts/actions/snooze.ts';
import { COMPLETE } from '#renderer/alerts/actions/status.ts';
import { WAKE_NOW } from '#renderer/alerts/actions/wake.ts';
import { CardTile } from '#renderer/alerts/card/card-tile.tsx';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { panelPlaceAtom, panelSlotAtom, useOpenTitle } from '#renderer/alerts/panel/open-alert.tsx';
import { PanelBar } from '#renderer/alerts/panel/panel-bar.tsx';
import { type Steps, useSteps } from '#renderer/alerts/panel/panel-steps.ts';
import type { PanelProps } from '#renderer/alerts/list/list-fold.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { leaveFocusTo, leaveFocusToRows } from '#renderer/ui/keep-focus.ts';
import { CountTag, SeverityNumbers, Strip, useMoment } from './group-card.tsx';
import type { GroupCommands } from './group-commands.ts';
import { type GroupList, groupQuery } from './group-data.ts';
import { GROUP_KEYS } from './group-keys.ts';
import { Member, useFocusAfterMember } from './group-member.tsx';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/alerts/panel/alert-panel.module.css';
import * as styles from './groups.module.css';

/** Members that are drawn at first, and more with each press. */
const SHOWN_AT_ONCE = 50;

/** The open group beside its list: why it is one, when its alerts came, and each of them. */
export const groupPanelOf = (commands: GroupCommands, list: GroupList) =>
  function GroupPanel(props: PanelProps) {
    const { id, alerts } = props;
    const slot = useAtomValue(panelSlotAtom);
    const place = useAtomValue(panelPlaceAtom);
    const steps = useSteps(props);
    const { data, error, refetch } = useQuery(groupQuery(list, id));
    const panel = useRef<HTMLElement>(null);
    const [first] = data?.members ?? [];
    useOpenTitle(first && alertTitle(first));
    usePanelKeys(panel, steps);
    if (!slot) return null;
    const isGone = error instanceof ApiError && error.status === 404;
    return createPortal(
      <aside
        ref={panel}
        className={classNames(panelStyles.alertPanel, panelStyles[`alertPanel_${place}`])}
        aria-label={texts.group}
      >
        <HoverTip className={panelStyles.tips}>
          <PanelBar id={id} steps={steps} />
          {data && !isGone ? (
            <GroupBody key={id} group={data} commands={commands} alerts={alerts} />
          ) : (
            <div className={panelStyles.body}>
              {isGone ? (
                <output className={panelStyles.notice}>{texts.nothingLeft}</output>
              ) : (
                error && <LoadError what={texts.group} error={error} onRetry={() => void refetch()} />
              )}
            </div>
          )}
        </HoverTip>
      </aside>,
      slot,
    );
  };

interface GroupBodyProps {
  group: AlertGroupDetails;
  commands: GroupCommands;
  alerts: readonly Alert[];
  ref?: Ref<HTMLDivElement>;
}

/** All of a group: what can be done with it, why it is one, when its alerts came, and each of them. */
export function GroupBody({ group, commands, alerts, ref }: GroupBodyProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  // What was pressed may be on offer no more, as with an alert.
  const leaveFocus = useMemo(() => leaveFocusTo(() => heading.current), []);
  const hints = useKeyHints();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const { id, members } = group;
  const { list, actOn } = useFocusAfterMember(members, heading);
  const since = useMoment(group.since);
  const newestAt = useMoment(group.newestAt);
  const [first] = members;
  if (!first) return null;
  const head = alerts.find((alert) => alert.groupId === id);
  const button = (action: AlertAction, isPrimary = false) =>
    head &&
    commands.actions.offers(action, head) && (
      <Button
        intent={isPrimary ? 'primary' : 'none'}
        text={isPrimary ? texts.withCount(action.label, group.alerts) : action.label}
        endIcon={hints.cap(action, isPrimary)}
        {...hints.aria(action)}
        onClick={() => commands.run(id, action)}
      />
    );
  return (
    <div ref={ref} className={panelStyles.body}>
      <header className={panelStyles.head}>
        <SeverityMark severity={first.severity} state="event" />
        <h2 ref={heading} tabIndex={-1} className={panelStyles.title} dir="auto">
          {alertTitle(first)}
        </h2>
        <div className={panelStyles.meta}>
          {first.severity !== 'none' && (
            <span className={classNames(panelStyles.severity, panelStyles[`severity_${first.severity}`])}>
              {SEVERITY_LABELS[first.severity]}
            </span>
          )}
          {first.customer !== null && <bdi>{inertLine(first.customer)}</bdi>}
          <CountTag count={group.alerts} />
          <span className={styles.sources}>
            {group.sources.slice(0, 3).map(({ name, sender }) => (
              <CardTile key={name} sender={sender} />
            ))}
            {group.sources.length > 0 && texts.countSources(group.sources.length)}
          </span>
        </div>
      </header>
      <div ref={leaveFocus} className={panelStyles.actions}>
        {button(ACCEPT, true)}
        {button(COMPLETE, true)}
        {button(WAKE_NOW)}
        {button(ASSIGN)}
        {button(SNOOZE)}
        <Button
          text={texts.split}
          endIcon={hints.cap(GROUP_KEYS.split)}
          {...hints.aria(GROUP_KEYS.split)}
          data-group-split
          onClick={() => commands.split(id)}
        />
      </div>
      <div className={styles.reason}>
        <LayersIcon />
        {texts.sentenceOf(group, inertLine(group.shared))}
      </div>
      <div className={styles.panelStrip}>
        <div className={styles.courseHead}>
          {texts.sinceTitle(since)}
          <SeverityNumbers severities={group.severities} />
        </div>
        <Strip {...group} />
        <div className={styles.ends}>
          <span>{since}</span>
          <span>{newestAt}</span>
        </div>
      </div>
      <section aria-label={texts.alertsOfGroup}>
        <h3 className={styles.membersTitle}>{texts.countAlerts(group.alerts)}</h3>
        <ul ref={list} className={styles.members}>
          {members.slice(0, shown).map((member, index) => (
            <Member
              key={member.id}
              member={member}
              known={alerts.find((alert) => alert.id === member.id)}
              onTakeOut={() => {
                actOn(member.id, index);
                commands.takeOut(id, [member.id], false);
              }}
              onAccept={() => actOn(member.id, index)}
            />
          ))}
        </ul>
        {members.length > shown && (
          <span ref={leaveFocusToRows}>
            <Button
              variant="minimal"
              intent="primary"
              text={texts.more(countText(members.length - shown))}
              onClick={() => setShown((now) => now + SHOWN_AT_ONCE)}
            />
          </span>
        )}
      </section>
    </div>
  );
}

/** Goes to the neighbors in the list, or back to it. */
type ToTheList = Omit<Steps, 'position'>;

/** Keys that go from one alert of the group to the next. */
const MEMBER_STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Escape closes the panel, J and K go through the list, also from there; the arrows go through the alerts of the group, O takes
 * the one out that has the focus, ⇧O splits the group. Other keys press their buttons: those of the group, or of the alert that
 * has the focus.
 *
 * @param list undefined for a group that is not beside its list: Escape, J and K do nothing then
 */
export function usePanelKeys(panel: { current: HTMLElement | null }, list?: ToTheList): void {
  const [areOn] = useSingleKeys();
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const { key, shiftKey, target, ctrlKey, metaKey, altKey, repeat } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || isTyping(event)) return;
    if (!(target instanceof Element) || document.querySelector('[role="dialog"], [role="menu"]')) return;
    const isInside = panel.current?.contains(target) === true;
    const isHere = isInside || target === document.body || target.closest('[role="feed"]') !== null;
    const member = isInside ? target.closest('li') : null;
    const pressed = (): (() => void) | null | undefined => {
      if (isHere && key === 'Escape') return repeat ? undefined : list?.close;
      if (isHere && areOn && !shiftKey) {
        const step = { j: list?.next, k: list?.previous }[key.toLowerCase()];
        if (step) return step;
      }
      if (!isInside) return undefined;
      const direction = shiftKey ? undefined : MEMBER_STEPS[key];
      if (direction !== undefined) return stepFrom(panel.current, member, direction);
      if (repeat) return undefined;
      if (key === 'Enter') return target === member ? () => member?.querySelector('a')?.click() : undefined;
      if (!areOn) return undefined;
      return pressOf(panel.current, member, key, shiftKey);
    };
    const action = pressed();
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

/**
 * Gives the next or the previous alert of the group the focus, after the last that is drawn the button for more; from outside of
 * them the first, or the last. Undefined where there is none: the panel scrolls then.
 */
function stepFrom(panel: HTMLElement | null, member: HTMLElement | null, direction: 1 | -1): (() => void) | undefined {
  const all = [...(panel?.querySelectorAll<HTMLElement>(`.${styles.members} > li, .${styles.members} + button`) ?? [])];
  const at = member ? all.indexOf(member) + direction : direction === 1 ? 0 : all.length - 1;
  const next = all[at];
  return next && (() => next.focus());
}

/** What a key presses: on an alert of the group what is about that alone, which is nothing where it has no such button. */
function pressOf(
  panel: HTMLElement | null,
  member: HTMLElement | null,
  key: string,
  shiftKey: boolean,
): (() => void) | null | undefined {
  if (key.toLowerCase() === GROUP_KEYS.takeOut.key) {
    const takeOut = shiftKey
      ? panel?.querySelector<HTMLElement>('[data-group-split]')
      : member?.querySelector<HTMLElement>('[data-group-take-out]');
    return takeOut && (() => takeOut.click());
  }
  const shortcut = `${shiftKey ? 'Shift+' : ''}${key.toUpperCase()}`;
  const ofKey = `[aria-keyshortcuts="${CSS.escape(shortcut)}"]`;
  const button = panel?.querySelector<HTMLElement>(`.${panelStyles.actions} ${ofKey}`);
  return button && (() => (member ? member.querySelector<HTMLElement>(ofKey) : button)?.click());
}
