import { Button, MenuItem } from '@blueprintjs/core';
import { useAtomValue } from 'jotai';
import classNames from 'classnames';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { MAX_BULK_BATCH } from '#backend/contract/bulk.ts';
import type { AlertAction, ListKind } from '#renderer/alerts/actions/action.ts';
import { actionsOf, keyLabel } from '#renderer/alerts/actions/action-table.ts';
import type { AlertChange } from '#renderer/alerts/actions/changes.ts';
import { ASSIGN } from '#renderer/alerts/actions/assign.ts';
import { Choices } from '#renderer/alerts/actions/choices.tsx';
import { COMPLETE, STATUSES } from '#renderer/alerts/actions/status.ts';
import type { Actions } from '#renderer/alerts/actions/change-alert.ts';
import type { CardDescription } from '#renderer/alerts/card/alert-card.tsx';
import { StatusDot } from '#renderer/alerts/card/card-parts.tsx';
import { bulkRunsAtom } from '#renderer/alerts/data/list-state.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { useIsBesidePanel } from '#renderer/alerts/panel/open-alert.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { noteHeight } from '#renderer/lib/note-height.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { BarButton, BarMenu, HoverBarMenu, RunProgress, useFocusBack } from './bar-parts.tsx';
import { useChangeMany } from './change-many.ts';
import { canHoldBack, withOwners } from './delete-many.ts';
import type { ListSelection } from './list-selection.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './bulk-texts.ts';
import * as statusStyles from '#renderer/alerts/card/status.module.css';
import * as styles from './bulk-bar.module.css';

/** What keys do with the selection. */
export interface BulkBarHandle {
  /** What can be done with what is selected. */
  actions: readonly AlertAction[];
  /** Does it, or shows its choices. False when it cannot be done here. */
  run: (action: AlertAction) => boolean;
}

interface BulkBarProps {
  ref: Ref<BulkBarHandle>;
  selection: ListSelection;
  /** Id of the action whose choices are open; `status` for those of the status. */
  menu: string | undefined;
  onMenu: (menu: string | undefined) => void;
  /** How many alerts match, selected or not. */
  total: number | undefined;
  /** There may be more than that. */
  isAtLeast: boolean;
  /** The cards of the list, and so what is offered in it. */
  card: CardDescription;
  actions: Actions;
}

/** Whose the alerts of a list are, where that is one answer. */
const OWNER_OF: Partial<Record<ListKind, (me: string) => string>> = {
  inbox: () => 'none',
  queue: (me) => me,
};

/** Attribute of the whole page while the bar is on screen. What stands above it has its height as `--ad-selection-bar`. */
const WITH_BAR = 'data-with-selection-bar';

const countOf = (count: number, isOrMore: boolean): string =>
  isOrMore ? texts.orMore(countText(count)) : countText(count);

/** What can be done with the selected alerts, and how far it is. */
export function BulkBar(props: BulkBarProps) {
  const { ref, selection, menu, onMenu, total = 0, isAtLeast, card, actions } = props;
  const { count, chosen, alerts, customer, clear, selectAll } = selection;
  const { me } = actions.context;
  const owner = OWNER_OF[card.kind]?.(me.id);
  const hints = useKeyHints();
  const many = useChangeMany();
  const running = useAtomValue(bulkRunsAtom).filter(({ total: of }) => of > MAX_BULK_BATCH);
  const asking = useDialog();
  const toasts = useToasts();
  const bar = useRef<HTMLDivElement>(null);
  useFocusBack(bar, count > 0);
  const isBesidePanel = useIsBesidePanel();

  const change = (wanted: AlertChange): void => {
    if (!chosen) return;
    onMenu(undefined);
    clear();
    many.change(wanted, chosen, alerts);
  };
  const remove = (): void => {
    if (!chosen) return;
    clear();
    many.remove(withOwners(chosen, alerts, owner), alerts);
  };
  const offered = actionsOf(card.kind).filter(
    (action) =>
      action.many !== undefined &&
      // What is not loaded can be changed, and nothing else.
      (typeof action.many !== 'function' || chosen?.kind === 'ids') &&
      alerts.some((alert) => actions.offers(action, alert)),
  );
  const run = (action: AlertAction): void => {
    if (action.many === 'delete') {
      if (chosen && !canHoldBack(withOwners(chosen, alerts, owner))) asking.open(true);
      else remove();
    } else if (typeof action.many === 'function')
      action.many(chosen?.kind === 'ids' ? chosen.ids : [], actions.context);
    else if (action.change) change(action.change(undefined, me));
    else onMenu(action.id);
  };
  useImperativeHandle(ref, () => ({
    actions: count > 0 ? offered : [],
    run: (action) => {
      if (!offered.includes(action)) return false;
      run(action);
      return true;
    },
  }));

  const isOrMore = chosen?.kind === 'filter' && chosen.isAtLeast === true;
  const label = texts.countSelected(countOf(count, isOrMore));
  useEffect(() => {
    if (count > 0) toasts.announce(label);
  }, [count, label, toasts]);

  // `:has()` on what is around everything, or a class of it, has the whole page's styles worked out again.
  const isShown = count > 0;
  useLayoutEffect(() => {
    const { current } = bar;
    if (!isShown || !current) return undefined;
    const forget = noteHeight(current, '--ad-selection-bar');
    document.documentElement.setAttribute(WITH_BAR, '');
    return () => {
      document.documentElement.removeAttribute(WITH_BAR);
      forget();
    };
  }, [isShown]);

  if (count === 0 && running.length === 0) return null;
  const progress = running.map((one) => <RunProgress key={one.id} run={one} />);
  const place = classNames(styles.bulk, isBesidePanel && styles.bulk_beside);
  if (count === 0) return <div className={place}>{progress}</div>;
  const isPart = count < total || (isAtLeast && chosen?.kind === 'ids');
  const openOf = (id: string) => ({
    isOpen: menu === id,
    onChange: (isOpen: boolean) => onMenu(isOpen ? id : undefined),
  });
  const buttonOf = (action: AlertAction) => {
    const looks = { text: action.label, hotkey: keyLabel(action), isDanger: action.isDangerous === true };
    if (!action.loadChoices) {
      return <BarButton key={action.id} {...looks} isPrimary={action === card.primary} onClick={() => run(action)} />;
    }
    const choices = (takesFocus: boolean) => (
      <Choices action={action} alerts={alerts} ifOwner={owner} takesFocus={takesFocus} onChange={change} />
    );
    if (action === ASSIGN) {
      return (
        <HoverBarMenu key={action.id} {...openOf(action.id)} renderContent={choices}>
          {(open) => <BarButton {...looks} hasMenu onClick={open} />}
        </HoverBarMenu>
      );
    }
    return (
      <BarMenu key={action.id} {...openOf(action.id)} content={choices(true)}>
        <BarButton {...looks} hasMenu />
      </BarMenu>
    );
  };
  const statuses = STATUSES.filter((action) => offered.includes(action));
  const others = offered.filter((action) => action !== COMPLETE && !STATUSES.includes(action));
  const inOrder = [...others.filter((one) => one === card.primary), ...others.filter((one) => one !== card.primary)];
  return (
    <div className={place}>
      {progress}
      <div ref={bar} className={styles.bar} data-selection-bar role="toolbar" aria-label={label}>
        <strong className={styles.count}>{label}</strong>
        {isPart && (
          <Button
            className={styles.all}
            variant="minimal"
            size="small"
            text={texts.selectAll(countOf(total, isAtLeast))}
            onClick={() => void selectAll()}
          />
        )}
        {isPart && customer !== undefined && (
          <Button
            className={`${styles.all} ${styles.customer}`}
            variant="minimal"
            size="small"
            text={texts.allOfCustomer(inertLine(customer))}
            onClick={() => void selectAll(customer)}
          />
        )}
        <span className={styles.rule} />
        {statuses.length > 0 && (
          <BarMenu
            {...openOf('status')}
            content={
              <MenuList label={pageTexts.status}>
                {statuses.map((action) => (
                  <MenuItem
                    key={action.id}
                    className={statusStyles[action.id.replace('-', '_')]}
                    icon={<StatusDot />}
                    text={action.label}
                    {...hints.entry(action)}
                    onClick={() => run(action)}
                  />
                ))}
              </MenuList>
            }
          >
            <BarButton text={pageTexts.status} hotkey={statuses.map(keyLabel).join(' ')} isPrimary hasMenu />
          </BarMenu>
        )}
        {inOrder.map(buttonOf)}
        <span className={styles.rule} />
        <Button
          variant="minimal"
          aria-keyshortcuts="Escape"
          text={
            <>
              {texts.clear}
              <kbd className={`ad-kbd ad-kbd--hint ${styles.key}`} aria-hidden>
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
          title={texts.deleteAlerts(isOrMore ? texts.atLeast(countText(count)) : countText(count))}
          subtitle={chosen?.kind === 'ids' ? texts.tooManyToUndo : texts.cannotBeUndone}
          submit={{ text: common.deleteAction, pendingText: common.deleteAction, isPending: false, intent: 'danger' }}
          onSubmit={() => {
            asking.shown?.presence.onClose();
            remove();
          }}
        >
          {null}
        </FormDialog>
      )}
    </div>
  );
}
