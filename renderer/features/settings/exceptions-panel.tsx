import { Button, HTMLSelect, PopupKind } from '@blueprintjs/core';
import { CrossIcon, FeedIcon, FilterListIcon, PersonIcon, PlusIcon, TagIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ExceptionKind, NotificationException } from '#backend/contract/notification-exception.ts';
import { NOTICE_LEVELS, noticeLevelSchema } from '#backend/contract/notification-settings.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useChangeExceptions } from '#renderer/mutes/change-exceptions.ts';
import { exceptionsQuery, previewQuery } from '#renderer/mutes/exceptions.ts';
import { KIND_LABELS, exceptionLabel, levelLabel } from '#renderer/mutes/level-labels.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { useViews } from '#renderer/views/views.ts';
import { perDay } from './per-day.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './notify.module.css';

/** What stands before what an exception may be of. */
export const KIND_ICONS: Record<ExceptionKind, ReactElement> = {
  view: <FilterListIcon size={16} />,
  source: <FeedIcon size={16} />,
  customer: <PersonIcon size={16} />,
  alert_type: <TagIcon size={16} />,
};

const keyOf = ({ kind, id }: Pick<NotificationException, 'kind' | 'id'>): string => `${kind} ${id}`;

const loadChoices = async () => (await import('./exception-choices.tsx')).ExceptionChoices;

/** Views, sources, customers and types of which I am notified otherwise than of the rest. */
export function ExceptionsPanel() {
  const exceptions = useQuery(exceptionsQuery);
  const preview = useQuery(previewQuery);
  const { views } = useViews();
  const change = useChangeExceptions();
  const counts = new Map(preview.data?.exceptions.map((one) => [keyOf(one), one.notifications]));
  // A view that is being deleted takes its exception along, and brings it back.
  const rows = (exceptions.data?.rows ?? []).filter(
    ({ kind, id }) => kind !== 'view' || (views?.some((view) => view.id === id) ?? true),
  );
  const more = exceptions.data ? exceptions.data.total - exceptions.data.rows.length : 0;

  return (
    <Panel
      title={texts.exceptions}
      hint={texts.mostSpecificOneCountsCustomer}
      actions={
        <PopupButton
          placement="bottom-end"
          popupKind={PopupKind.MENU}
          button={{ text: texts.addException, icon: <PlusIcon size={16} /> }}
          load={loadChoices}
          content={{ onChoose: (one) => change({ one, to: one }) }}
        />
      }
    >
      <WhenLoaded what={texts.exceptions} queries={[exceptions]}>
        {rows.length === 0 ? (
          <p className={styles.empty}>{texts.noExceptionsYourChoiceAbove}</p>
        ) : (
          <ul className={panelStyles.rows} aria-label={texts.exceptions}>
            {rows.map((one) => (
              <ExceptionRow key={keyOf(one)} one={one} notifications={counts.get(keyOf(one))} onChange={change} />
            ))}
          </ul>
        )}
        <p className={styles.foot}>{texts.mutedElsewhere(more)}</p>
      </WhenLoaded>
    </Panel>
  );
}

interface ExceptionRowProps {
  one: NotificationException;
  notifications: number | undefined;
  onChange: ReturnType<typeof useChangeExceptions>;
}

function ExceptionRow({ one, notifications, onChange }: ExceptionRowProps) {
  const { kind, level } = one;
  const name = inertLine(one.name);
  const label = useNow((now) => exceptionLabel(one, now));
  return (
    <li className={`${panelStyles.row} ${styles.exception}`}>
      <span className={styles.icon} aria-hidden>
        {KIND_ICONS[kind]}
      </span>
      <span className={styles.words}>
        <span className={styles.exceptionName} dir="auto" data-tip={name}>
          {name}
        </span>
        <span className={styles.muted}>{KIND_LABELS[kind]}</span>
      </span>
      <HTMLSelect
        className={styles.select}
        aria-label={texts.notifyMeOfOne(KIND_LABELS[kind].toLowerCase(), name)}
        value={level}
        options={NOTICE_LEVELS.map((value) => ({
          value,
          label: value === level ? label : levelLabel(kind, value),
        }))}
        onChange={({ target }) => {
          const { until: _, ...forGood } = one;
          onChange({ one, to: { ...forGood, level: noticeLevelSchema.parse(target.value) } });
        }}
      />
      <span className={styles.count}>{notifications !== undefined && perDay(notifications)}</span>
      <Button
        variant="minimal"
        icon={<CrossIcon size={16} />}
        aria-label={texts.removeExceptionOf(name)}
        onClick={() => onChange({ one, to: undefined })}
      />
    </li>
  );
}
