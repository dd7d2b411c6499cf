import { Button } from '@blueprintjs/core';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { GroupMember } from '#backend/contract/alert-group.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { ACCEPT } from '#renderer/alerts/actions/accept.ts';
import { useActions } from '#renderer/alerts/actions/change-alert.ts';
import { CardTile } from '#renderer/alerts/card/card-tile.tsx';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { ageOf } from '#renderer/alerts/data/problem-labels.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { AlertLink } from '#renderer/alerts/panel/open-alert.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { GROUP_KEYS } from './group-keys.ts';
import * as texts from './texts.ts';
import * as styles from './groups.module.css';

interface MemberProps {
  member: GroupMember;
  /** The alert itself, where the list has loaded it. */
  known: Alert | undefined;
  onTakeOut: () => void;
  /** Called before the alert is accepted. */
  onAccept: () => void;
}

/** An alert of an open group: Enter opens it, O takes it out, and the key of Accept accepts it alone. */
export function Member({ member, known, onTakeOut, onAccept }: MemberProps) {
  const hints = useKeyHints();
  const actions = useActions();
  const age = useNow((now) => ageOf(member.timestamp, now));
  const { id, sourceName, sender } = member;
  // The group itself is read again only now and then.
  const { severity, state } = known ?? member;
  const title = alertTitle(member);
  return (
    <li
      className={styles.member}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={title}
    >
      <SeverityMark severity={severity} state={state} />
      <span className={styles.memberTitle} dir="auto" data-tip={title}>
        <AlertLink id={id}>{title}</AlertLink>
      </span>
      <span className={styles.memberSource} dir="auto">
        {sourceName !== undefined && <CardTile sender={sender} />}
        {sourceName !== undefined && <span className={styles.memberSourceName}>{inertLine(sourceName)}</span>}
      </span>
      <span className={styles.memberEnd}>
        <span className={styles.memberActions}>
          <Button
            size="small"
            text={texts.takeOut}
            endIcon={hints.cap(GROUP_KEYS.takeOut)}
            data-group-take-out
            onClick={onTakeOut}
          />
          {known && actions.offers(ACCEPT, known) && (
            <Button
              size="small"
              text={ACCEPT.label}
              {...hints.aria(ACCEPT)}
              onClick={() => {
                onAccept();
                actions.run(ACCEPT, known);
              }}
            />
          )}
        </span>
        {age}
      </span>
    </li>
  );
}

/**
 * When a member leaves that somebody acted on, the next one takes its focus, else the one before, else the heading.
 *
 * @returns takes the list of members, and the member that is acted on
 */
export function useFocusAfterMember(members: readonly GroupMember[], heading: RefObject<HTMLElement | null>) {
  const list = useRef<HTMLUListElement>(null);
  const actedOn = useRef<{ id: string; index: number }>(undefined);
  useLayoutEffect(() => {
    const left = actedOn.current;
    if (!left || members.some(({ id }) => id === left.id)) return;
    actedOn.current = undefined;
    // What had the focus went with its member.
    if (document.activeElement !== document.body) return;
    const items = [...(list.current?.querySelectorAll('li') ?? [])];
    const next = items[Math.min(left.index, items.length - 1)] ?? heading.current;
    next?.focus({ preventScroll: true });
  }, [members, heading]);
  const actOn = (id: string, index: number): void => {
    actedOn.current = { id, index };
  };
  return { list, actOn };
}
