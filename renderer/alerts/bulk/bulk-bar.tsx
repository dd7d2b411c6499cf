import { Button, MenuItem } from '@blueprintjs/core';
import { useAtomValue } from 'jotai';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { MAX_BULK_BATCH } from '#backend/contract/bulk.ts';
import { PeopleChoice } from '#renderer/alerts/assign/people.tsx';
import { MoveMenu } from '#renderer/alerts/card/card-menu.tsx';
import { StatusDot } from '#renderer/alerts/card/card-parts.tsx';
import { STATUS_LABELS, WORK_STATUSES } from '#renderer/alerts/data/alert-labels.ts';
import { bulkRunsAtom } from '#renderer/alerts/data/list-state.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { type KeyAction, keyLabel } from '#renderer/alerts/keys/key-table.ts';
import { SnoozeMenu } from '#renderer/alerts/snooze/snooze-menu.tsx';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { useSession } from '#renderer/session/session.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { BarButton, BarMenu, HoverBarMenu, RunProgress, useFocusBack } from './bar-parts.tsx';
import { formatCount } from './bulk-labels.ts';
import type { ListSelection } from './list-selection.ts';
import type { BulkAction } from './run-bulk.ts';
import { useBulkActions } from './use-bulk-actions.ts';
import * as statusStyles from '#renderer/alerts/card/status.module.css';
import * as styles from './bulk-bar.module.css';

/** What keys do with the selection. */
export interface BulkBarHandle {
  /** What can be done with what is selected. */
  actions: readonly KeyAction[];
  /** Does what a key stands for. False when it stands for nothing here. */
  run: (action: KeyAction) => boolean;
}

export type BulkMenu = 'status' | 'move' | 'assign' | 'snooze' | undefined;

interface BulkBarProps {
  ref: Ref<BulkBarHandle>;
  selection: ListSelection;
  /** The menu of the bar that is open. */
  menu: BulkMenu;
  onMenu: (menu: BulkMenu) => void;
  /** How many alerts match, selected or not. */
  total: number | undefined;
  variant: 'inbox' | 'queue' | 'snoozed';
  canDelete: boolean;
  /** The folder whose list this is. */
  folderId: string | undefined;
}

/** Whose the alerts of a list are, where that is one answer. */
const OWNER_OF: Partial<Record<BulkBarProps['variant'], (me: string) => string>> = {
  inbox: () => 'none',
  queue: (me) => me,
};

/** What can be done with the selected alerts, and how far it is. */
export function BulkBar(props: BulkBarProps) {
  const { ref, selection, menu, onMenu, total = 0, variant, canDelete, folderId } = props;
  const { count, chosen, alerts, customer, clear, selectAll } = selection;
  const me = useSession().id;
  const hints = useKeyHints();
  const act = useBulkActions();
  const running = useAtomValue(bulkRunsAtom).filter(({ total: of }) => of > MAX_BULK_BATCH);
  const asking = useDialog();
  const rows = useFolderTree() ?? [];
  const toasts = useToasts();
  const bar = useRef<HTMLDivElement>(null);
  useFocusBack(bar, count > 0);

  const run = (action: BulkAction): void => {
    if (!chosen) return;
    onMenu(undefined);
    clear();
    act(action, chosen, alerts);
  };
  const remove = (): void => (chosen?.kind === 'filter' ? asking.open(true) : run({ action: 'delete' }));
  const ifOwner = OWNER_OF[variant]?.(me);
  const isInbox = variant === 'inbox';
  const isQueue = variant === 'queue';
  const canMove = rows.length > 0 && variant !== 'snoozed';
  const can: Partial<Record<KeyAction, () => void>> = {
    ...(isInbox && { accept: () => run({ action: 'accept' }) }),
    ...(variant === 'snoozed' && { wake: () => run({ action: 'wake' }) }),
    ...(isQueue && {
      'status-accepted': () => run({ action: 'status', status: 'accepted' }),
      'status-in-progress': () => run({ action: 'status', status: 'in-progress' }),
      'status-completed': () => run({ action: 'status', status: 'completed' }),
      complete: () => run({ action: 'status', status: 'completed' }),
      unaccept: () => run({ action: 'unaccept' }),
    }),
    snooze: () => onMenu('snooze'),
    ...(canMove && { move: () => onMenu('move') }),
    assign: () => onMenu('assign'),
    ...(canDelete && { delete: remove }),
  };
  useImperativeHandle(ref, () => ({
    actions: count > 0 ? (Object.keys(can) as KeyAction[]) : [],
    run: (action) => {
      if (count > 0) can[action]?.();
      return can[action] !== undefined;
    },
  }));

  useEffect(() => {
    if (count > 0) toasts.announce(`${formatCount(count)} selected`);
  }, [count, toasts]);

  if (count === 0 && running.length === 0) return null;
  const progress = running.map((one) => <RunProgress key={one.id} run={one} />);
  if (count === 0) return <div className={styles.bulk}>{progress}</div>;
  const label = `${formatCount(count)} selected`;
  return (
    <div className={styles.bulk}>
      {progress}
      <div ref={bar} className={styles.bar} data-selection-bar role="toolbar" aria-label={label}>
        <strong className={styles.count}>{label}</strong>
        {count < total && (
          <Button
            className={styles.all}
            variant="minimal"
            size="small"
            text={`Select all ${formatCount(total)}`}
            onClick={() => void selectAll()}
          />
        )}
        {count < total && customer !== undefined && (
          <Button
            className={`${styles.all} ${styles.customer}`}
            variant="minimal"
            size="small"
            text={`All of ${inertLine(customer)}`}
            onClick={() => void selectAll(customer)}
          />
        )}
        <span className={styles.rule} />
        {isInbox && <BarButton text="Accept" hotkey={keyLabel('accept')} onClick={() => can.accept?.()} isPrimary />}
        {variant === 'snoozed' && (
          <BarButton text="Wake now" hotkey={keyLabel('wake')} onClick={() => can.wake?.()} isPrimary />
        )}
        {isQueue && (
          <BarMenu
            isOpen={menu === 'status'}
            onChange={(isOpen) => onMenu(isOpen ? 'status' : undefined)}
            content={
              <MenuList label="Status">
                {WORK_STATUSES.map((status) => (
                  <MenuItem
                    key={status}
                    className={statusStyles[`status_${status}`]}
                    icon={<StatusDot />}
                    text={STATUS_LABELS[status]}
                    {...hints.entry(`status-${status}`)}
                    onClick={() => run({ action: 'status', status })}
                  />
                ))}
              </MenuList>
            }
          >
            <BarButton
              text="Status"
              hotkey={WORK_STATUSES.map((status) => keyLabel(`status-${status}`)).join(' ')}
              isPrimary
              hasMenu
            />
          </BarMenu>
        )}
        {canMove && (
          <BarMenu
            isOpen={menu === 'move'}
            onChange={(isOpen) => onMenu(isOpen ? 'move' : undefined)}
            content={
              <MoveMenu
                rows={rows}
                current={folderId}
                onSelect={(folder) => run({ action: 'move', folderId: folder.id })}
              />
            }
          >
            <BarButton text="Move" hotkey={keyLabel('move')} hasMenu />
          </BarMenu>
        )}
        {folderId !== undefined && (
          <Button variant="minimal" text="Remove from folder" onClick={() => run({ action: 'move', folderId: null })} />
        )}
        <HoverBarMenu
          isOpen={menu === 'assign'}
          onChange={(isOpen) => onMenu(isOpen ? 'assign' : undefined)}
          renderContent={(takesFocus) => (
            <PeopleChoice
              except={ifOwner}
              takesFocus={takesFocus}
              onSelect={({ id, displayName }) =>
                run({ action: 'assign', to: { id, displayName }, ...(ifOwner !== undefined && { ifOwner }) })
              }
            />
          )}
        >
          {(open) => <BarButton text="Assign" hotkey={keyLabel('assign')} hasMenu onClick={open} />}
        </HoverBarMenu>
        <BarMenu
          isOpen={menu === 'snooze'}
          onChange={(isOpen) => onMenu(isOpen ? 'snooze' : undefined)}
          content={<SnoozeMenu canFireAgain onSelect={(snooze) => run({ action: 'snooze', ...snooze })} />}
        >
          <BarButton text="Snooze" hotkey={keyLabel('snooze')} hasMenu />
        </BarMenu>
        {isQueue && <BarButton text="Unaccept" hotkey={keyLabel('unaccept')} onClick={() => can.unaccept?.()} />}
        {canDelete && <BarButton text="Delete" hotkey={keyLabel('delete')} onClick={remove} isDanger />}
        <span className={styles.rule} />
        <Button
          variant="minimal"
          aria-keyshortcuts="Escape"
          text={
            <>
              Clear
              <kbd className={`ad-kbd ${styles.key}`} aria-hidden>
                Esc
              </kbd>
            </>
          }
          onClick={clear}
        />
      </div>
      {asking.shown && (
        <FormDialog
          key={asking.shown.key}
          presence={asking.shown.presence}
          title={`Delete ${formatCount(count)} alerts?`}
          subtitle="Alerts that are not loaded are among them, so this cannot be undone."
          submit={{ text: 'Delete', pendingText: 'Delete', isPending: false, intent: 'danger' }}
          onSubmit={() => {
            asking.shown?.presence.onClose();
            run({ action: 'delete' });
          }}
        >
          {null}
        </FormDialog>
      )}
    </div>
  );
}
