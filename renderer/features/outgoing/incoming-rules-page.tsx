import { Button, Switch } from '@blueprintjs/core';
import { ArrowDownIcon, ArrowUpIcon, DragHandleVerticalIcon, PlusIcon, WarningSignIcon } from '@blueprintjs/icons';
import {
  DndContext,
  PointerSensor,
  closestCenter,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import classNames from 'classnames';
import type { KeyboardEvent, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import type { Rule } from '#backend/contract/rule.ts';
import { SCREEN_KEYS, useScreenKey } from '#renderer/alerts/keys/screen-keys.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { formatFieldTime, formatPast } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { Bars } from './destination-marks.tsx';
import { INCOMING_RULES, RULES } from './entries.tsx';
import { useAskedTurn } from './incoming-rule-question.tsx';
import { useIncomingRuleCommands, useIncomingRules } from './incoming-rules-data.ts';
import { useViewOfLabel } from '#renderer/views/view-labels.ts';
import { RowTools } from './row-tools.tsx';
import { useRowActions, useSwitching } from './use-row-actions.tsx';
import { useRuleDeletion } from './use-rule-deletion.ts';
import { useRuleMoves } from './use-rule-moves.ts';
import * as texts from './incoming-rules-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as outgoingStyles from './outgoing.module.css';
import * as styles from './incoming-rules.module.css';

/** Pixels that a pointer moves before it drags, as for alerts. */
const DRAG_FROM = 8;

/** The rules on what arrives, in their order. */
export function IncomingRulesPage() {
  const { data, error, refetch } = useIncomingRules();
  const navigate = useNavigate();
  const add = (): void => void navigate(INCOMING_RULES.pathOf('new'));
  useScreenKey('add', add);
  const off = data?.filter(({ switchedOff }) => switchedOff !== undefined).length ?? 0;
  const addButton = (
    <Button
      className={pageHeadStyles.action}
      intent="primary"
      icon={<PlusIcon />}
      text={INCOMING_RULES.add}
      aria-keyshortcuts={SCREEN_KEYS.add.key.toUpperCase()}
      onClick={add}
    />
  );
  return (
    <HoverTip className={`${pageHeadStyles.page} ${outgoingStyles.outgoing}`}>
      <PageHead
        title={INCOMING_RULES.title}
        parent={ADMIN_PANEL}
        count={data?.length}
        countLabel={texts.rulesLabel(data?.length, off)}
      >
        <Button text={texts.outgoingRules} onClick={() => void navigate(RULES.to)} />
        {data?.length !== 0 && addButton}
      </PageHead>
      <div className={panelStyles.pageBody}>
        {data?.length === 0 ? (
          <EmptyState
            icon={INCOMING_RULES.icon}
            title={INCOMING_RULES.empty}
            text={INCOMING_RULES.emptyHint}
            action={addButton}
          />
        ) : data ? (
          <RuleList rules={data} />
        ) : error ? (
          <LoadError what={INCOMING_RULES.list} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={INCOMING_RULES.listInText} isSheet />
        )}
      </div>
    </HoverTip>
  );
}

function RuleList({ rules }: { rules: readonly Rule[] }) {
  const commands = useIncomingRuleCommands();
  const rowActions = useRowActions(INCOMING_RULES);
  const switchOne = useSwitching();
  const remove = useRuleDeletion();
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: DRAG_FROM } }));
  const { move, announced } = useRuleMoves();
  const asked = useAskedTurn();
  const turn = (rule: Rule): void => {
    if (rule.isOn) turnNow(rule, () => commands.switchOne(rule.id, false));
    else asked.turnOn(rule, () => turnNow(rule, () => turnTriedOn(rule)));
  };
  /** Only as it was tried: what somebody else has made of it since may silence others. */
  const turnTriedOn = async (rule: Rule): Promise<void> => {
    try {
      await commands.change(rule, { isOn: true });
    } catch (error) {
      await commands.readAgain();
      throw error;
    }
  };
  const turnNow = ({ id, name, isOn }: Rule, run: () => Promise<unknown>): void =>
    void switchOne({
      title: isOn ? texts.turnedOff : texts.turnedOn,
      name: inertLine(name),
      run,
      undo: () => commands.switchOne(id, isOn),
    });
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={({ active, over }) => {
        const rule = rules.find(({ id }) => id === active.id);
        if (rule && over) void move(rule, { over: String(over.id) });
      }}
    >
      <output className="ad-hidden">{announced}</output>
      {asked.dialog}
      <div className={styles.sheet}>
        <div className={`${styles.row} ${styles.head}`} aria-hidden>
          <span className={styles.order}>{texts.inThisOrder}</span>
          <span>{texts.hits7Days}</span>
          <span>{texts.lastHitOwner}</span>
        </div>
        <ol className={styles.rows} aria-label={INCOMING_RULES.list}>
          {rules.map((rule, at) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              place={at + 1}
              all={rules.length}
              onMove={(by) => void move(rule, { by })}
              onTurn={() => turn(rule)}
              isTrying={asked.isTrying(rule.id)}
            >
              <RowTools
                name={inertLine(rule.name)}
                actions={[
                  rowActions.edit(rule.id),
                  rowActions.duplicate(rule.id),
                  { icon: <ArrowUpIcon />, text: texts.moveUp, run: () => void move(rule, { by: -1 }) },
                  { icon: <ArrowDownIcon />, text: texts.moveDown, run: () => void move(rule, { by: 1 }) },
                ]}
                deletion={rowActions.remove(() => remove(rule))}
              />
            </RuleRow>
          ))}
        </ol>
      </div>
    </DndContext>
  );
}

interface RuleRowProps {
  rule: Rule;
  place: number;
  all: number;
  onMove: (by: number) => void;
  onTurn: () => void;
  /** It is tried before it is turned on. */
  isTrying: boolean;
  children: ReactNode;
}

function RuleRow({ rule, place, all, onMove, onTurn, isTrying, children }: RuleRowProps) {
  const name = inertLine(rule.name);
  const { setNodeRef: dropRef, isOver } = useDroppable({ id: rule.id });
  const { setNodeRef, setActivatorNodeRef, listeners, isDragging, transform } = useDraggable({ id: rule.id });
  const lastHit = useNow((now) =>
    rule.lastHitAt === undefined ? texts.never : formatPast(new Date(rule.lastHitAt), now),
  );
  const viewName = useViewOfLabel(rule.actions.label)?.name;
  const effect = texts.effectOf(rule.actions, { assigneeName: rule.assigneeName, viewName });
  const total = rule.hits.reduce((sum, count) => sum + count, 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    // One press is one place, however long the key is held.
    if (!event.repeat) onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  const warning = useNow((now) =>
    rule.switchedOff
      ? texts.switchedOff(formatFieldTime(new Date(rule.switchedOff.at), now), inertLine(rule.switchedOff.reason))
      : rule.fault,
  );
  return (
    <li ref={dropRef} className={classNames(styles.item, isOver && !isDragging && styles.item_over)}>
      <div
        ref={setNodeRef}
        className={classNames(styles.row, isDragging && styles.row_dragged)}
        style={transform ? { transform: `translateY(${transform.y}px)` } : undefined}
      >
        <button
          ref={setActivatorNodeRef}
          {...listeners}
          type="button"
          className={styles.handle}
          aria-label={texts.handle(place, all, name)}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onKeyDown={onKeyDown}
        >
          <DragHandleVerticalIcon />
        </button>
        <span className={styles.place}>{place}</span>
        <div className={outgoingStyles.names}>
          <Link className={outgoingStyles.name} dir="auto" to={INCOMING_RULES.pathOf(rule.id)}>
            {name}
          </Link>
          <code className={outgoingStyles.condition}>
            {rule.search === '' ? outgoingTexts.allAlerts : inertLine(rule.search)}
          </code>
          <span className={styles.effect}>{inertLine(effect)}</span>
          {warning !== undefined && (
            <span className={styles.warning}>
              <WarningSignIcon size={14} /> {inertLine(warning)}
            </span>
          )}
        </div>
        <span className={styles.hits}>
          <Bars counts={rule.hits} labelOf={texts.hitsSaid} width={5} />
          <span aria-hidden>{countText(total)}</span>
        </span>
        <span className={styles.last}>
          <span>{lastHit}</span>
          <span className={outgoingStyles.small}>
            {rule.ownerName === null ? texts.noOwner : inertLine(rule.ownerName)}
          </span>
        </span>
        <Switch
          className={styles.switch}
          checked={rule.isOn}
          aria-label={texts.onOrOff(name)}
          aria-busy={isTrying}
          onChange={onTurn}
        />
        <span className={styles.tools}>{children}</span>
      </div>
    </li>
  );
}
