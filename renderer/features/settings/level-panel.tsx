import { Radio } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import classNames from 'classnames';
import { useId } from 'react';
import { NOTICE_LEVELS, type NoticeLevel } from '#backend/contract/notification-settings.ts';
import { previewQuery } from '#renderer/mutes/exceptions.ts';
import { LEVEL_LABELS } from '#renderer/mutes/level-labels.ts';
import { PREVIEW_KEY } from '#renderer/mutes/mutes.ts';
import {
  notificationSettingsQuery,
  useChangeNotificationSettings,
} from '#renderer/notifications/notification-settings.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { refetchSoon } from '#renderer/lib/query-freshness.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { perDay } from './per-day.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './notify.module.css';

const HINTS: Record<NoticeLevel, string> = {
  always: texts.eachNewAlert,
  high: texts.criticalAndHighOnesAnd,
  critical: texts.criticalOnesAndWhatIs,
  mine: texts.mentionsHandOversAssignmentsAnd,
  never: texts.bellStillCollectsWhatIs,
};

/** How much of all that arrives notifies me, with what each choice would have been. */
export function LevelPanel() {
  const id = useId();
  const settings = useQuery(notificationSettingsQuery);
  const { data: preview } = useQuery(previewQuery);
  const change = useChangeLevel();
  return (
    <Panel
      title={texts.notifyMeOfTitle}
      hint={
        <span className={styles.hint}>
          <span id={id}>{texts.toastsSoundsDesktopAndWeb}</span>
          <span>{texts.last7DaysForYou}</span>
        </span>
      }
    >
      <WhenLoaded what={texts.yourChoice} queries={[settings]}>
        {settings.data && (
          <div role="radiogroup" aria-label={texts.notifyMeOf} aria-describedby={id} className={styles.levels}>
            {NOTICE_LEVELS.map((level) => (
              <Radio
                key={level}
                name={id}
                value={level}
                checked={settings.data.level === level}
                onChange={() => change(level)}
                className={classNames(styles.level, settings.data.level === level && styles.level_chosen)}
                labelElement={
                  <>
                    <span className={styles.words}>
                      <span className={styles.name}>{LEVEL_LABELS[level]}</span>
                      <span className={styles.muted}>{HINTS[level]}</span>
                    </span>
                    <span className={styles.count}>{preview && perDay(preview.byLevel[level])}</span>
                  </>
                }
              />
            ))}
          </div>
        )}
      </WhenLoaded>
    </Panel>
  );
}

/** Chooses how much notifies me, at once and with Undo. */
function useChangeLevel(): (level: NoticeLevel) => void {
  const client = useQueryClient();
  const { mutateAsync } = useChangeNotificationSettings();
  const toasts = useToasts();
  const undo = useUndoStack();
  const send = async (level: NoticeLevel): Promise<void> => {
    await mutateAsync({ level });
    refetchSoon(client, PREVIEW_KEY);
  };
  return (level) => {
    const before = client.getQueryData(notificationSettingsQuery.queryKey)?.level;
    if (before === undefined || before === level) return;
    send(level).then(
      () =>
        undo.add({
          kind: 'notice level',
          title: texts.notificationsChanged,
          description: LEVEL_LABELS[level],
          many: () => ({ title: texts.notificationsChanged, description: LEVEL_LABELS[level] }),
          undo: () => send(before),
          undoFailed: texts.couldNotBringChoiceBack,
        }),
      ({ message }: Error) =>
        toasts.show({ variant: 'destructive', title: pageTexts.couldNotChangeNotifications, description: message }),
    );
  };
}
