import { MenuItem } from '@blueprintjs/core';
import { TickIcon } from '@blueprintjs/icons';
import { countText } from '#backend/contract/count-text.ts';
import { type AlertFacets, type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { inRank } from '#renderer/alerts/data/list-view.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import * as texts from './filter-texts.ts';
import * as styles from './severity-menu.module.css';

/** The severities of a list, those that it is narrowed to, and what happens when that changes. */
export interface SeverityMenuProps {
  /** How many alerts the list has of each. */
  counts: AlertFacets['severities'];
  value: readonly AlertSeverity[] | undefined;
  onSelect: (value: readonly AlertSeverity[] | undefined) => void;
}

/** Severities to check, each with its mark and the number of its alerts. It stays open while several are chosen. */
export function SeverityMenu({ counts, value, onSelect }: SeverityMenuProps) {
  const chosen = value ?? [];
  const toggle = (severity: AlertSeverity): void => {
    const next = chosen.includes(severity) ? chosen.filter((one) => one !== severity) : inRank([...chosen, severity]);
    onSelect(next.length === 0 || next.length === alertSeveritySchema.options.length ? undefined : next);
  };
  return (
    <MenuList label={texts.severity} className={styles.menu}>
      <SeverityItem text={texts.all} isChecked={value === undefined} onToggle={() => onSelect(undefined)} />
      {alertSeveritySchema.options.map((severity) => (
        <SeverityItem
          key={severity}
          severity={severity}
          text={severity === 'none' ? texts.noSeverity : SEVERITY_LABELS[severity]}
          count={counts.find((one) => one.severity === severity)?.alerts ?? 0}
          isChecked={chosen.includes(severity)}
          onToggle={() => toggle(severity)}
        />
      ))}
    </MenuList>
  );
}

interface SeverityItemProps {
  severity?: AlertSeverity;
  text: string;
  count?: number;
  isChecked: boolean;
  onToggle: () => void;
}

function SeverityItem({ severity, text, count, isChecked, onToggle }: SeverityItemProps) {
  return (
    <MenuItem
      role="menuitemcheckbox"
      aria-checked={isChecked}
      shouldDismissPopover={false}
      icon={<span className={styles.tick}>{isChecked && <TickIcon />}</span>}
      text={
        <span className={styles.name}>
          {severity !== undefined && <SeverityMark severity={severity} state="event" />}
          {text}
        </span>
      }
      {...(count !== undefined && { label: countText(count) })}
      onClick={onToggle}
    />
  );
}
