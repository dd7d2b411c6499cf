import { COMPLETED_UNTAKEN, isEverybodys } from '#backend/contract/alert-place.ts';
import { Classes, NonIdealState } from '@blueprintjs/core';
import { DisableIcon } from '@blueprintjs/icons';
import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAlertDetails } from '#renderer/alerts/data/alert-details.ts';
import type { KnownAlert } from '#renderer/alerts/data/alert-store.ts';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { departuresAtom, noteAskAtom } from '#renderer/alerts/data/list-state.ts';
import { GroupById } from '#renderer/alerts/groups/group-by-id.tsx';
import { useHistory } from '#renderer/alerts/dialogs/history-dialog.tsx';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { useSession } from '#renderer/session/session.ts';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { AlertFields } from './alert-fields.tsx';
import { AlertHead } from './alert-head.tsx';
import { noticeOf } from './alert-notice.ts';
import { PanelActions } from './panel-actions.tsx';
import { StateStrip } from './state-strip.tsx';
import { useOpenTitle } from './open-alert.tsx';
import { useShowsAlert } from './shown-alert.ts';
import { Timeline, TimelineTitle } from './timeline.tsx';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './alert-panel.module.css';

interface AlertViewProps {
  id: string;
  /** Called when the alert is to be deleted: it leaves the screen at once. */
  onRemoved: () => void;
  /** The heading takes the focus when the alert appears. */
  takesFocus?: boolean;
  /** Called with whether the id is that of a group of alerts where it is no alert's. */
  onGroup?: (isGroup: boolean) => void;
}

/** All of one alert: its headline, what can be done, how it stands, its fields, and what happened to it. */
export function AlertView({ id, onRemoved, takesFocus = false, onGroup }: AlertViewProps) {
  const me = useSession();
  const { known, text, previousAlert, error, refetch } = useAlertDetails(id);
  const { data: history } = useHistory(id);
  const heading = useRef<HTMLHeadingElement>(null);
  const isKnown = known !== undefined;
  const isPhone = useMediaQuery(MOBILE);
  const asked = useAtomValue(noteAskAtom);
  const focusFirst = useEffectEvent(() => {
    // Else the note's field takes it.
    if (asked !== id) heading.current?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (takesFocus && isKnown) focusFirst();
  }, [takesFocus, isKnown]);
  useShowsAlert(id, isKnown && !known.isDeleted);
  useOpenTitle(known && alertTitle(known.alert));
  const takenBy = useAtomValue(departuresAtom).get(id);
  const isMissing = useIsMissing(error, text !== undefined);

  if (!known) {
    if (isMissing) {
      return (
        <GroupById id={id} loading={<Loading />} onFound={onGroup}>
          <UnknownAlert takenBy={takenBy} error={error} />
        </GroupById>
      );
    }
    return error ? <LoadError what={pageTexts.alert} error={error} onRetry={() => void refetch()} /> : <Loading />;
  }
  const { alert, isDeleted } = known;
  const isReadable = alert.ownerId === undefined ? isEverybodys(alert) : alert.ownerId === me.id;
  const canWrite = !isDeleted && (isReadable || ADMIN_ROLES.includes(me.role));
  const entries = history ?? [];
  const timeline = <Timeline alertId={id} canWrite={canWrite} />;
  return (
    <div className={styles.body}>
      <AlertHead alert={alert} heading={heading} />
      <Notice known={known} isUnavailable={isMissing} takenBy={takenBy} />
      {!isDeleted && <PanelActions alert={alert} onRemoved={onRemoved} />}
      <StateStrip alert={alert} history={entries} previous={previousAlert} />
      <AlertFields
        alert={alert}
        text={text}
        notes={
          isPhone ? { title: <TimelineTitle alertId={id} />, content: timeline, isAsked: asked === id } : undefined
        }
      />
      {!isPhone && timeline}
    </div>
  );
}

/**
 * Whether the server last said that there is no such alert. While it is asked again the query has no error, and what is
 * shown instead, such as a group with its focus, stays.
 */
function useIsMissing(error: Error | null, isRead: boolean): boolean {
  const [wasMissing, setWasMissing] = useState(false);
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 422);
  if (isMissing && !wasMissing) setWasMissing(true);
  return isMissing || (wasMissing && !isRead);
}

interface NoticeProps {
  known: KnownAlert;
  isUnavailable: boolean;
  /** Who accepted it just now, which the server keeps from members without access to it. */
  takenBy: string | undefined;
}

/** What became of the alert while it is open. */
function Notice({ known, isUnavailable, takenBy }: NoticeProps) {
  const me = useSession();
  const { alert, isDeleted } = known;
  const text = noticeOf(alert, {
    isDeleted,
    isUnavailable,
    takenBy,
    isMine: alert.ownerId === me.id,
    seesAll: ADMIN_ROLES.includes(me.role),
  });
  return (
    <output className={styles.notice} hidden={text === undefined}>
      {text !== undefined && <DisableIcon size={16} />}
      {text}
    </output>
  );
}

function UnknownAlert({ takenBy, error }: Pick<NoticeProps, 'takenBy'> & { error: Error | null }) {
  const guess = error?.message === COMPLETED_UNTAKEN ? error.message : texts.itMayHaveBeenDeleted;
  return (
    <div className={`${styles.body} ${styles.body_unknown}`}>
      <NonIdealState
        icon={<DisableIcon size={40} />}
        title={texts.alertNotFound}
        description={takenBy === undefined ? guess : texts.acceptedIt(inertLine(takenBy))}
      />
    </div>
  );
}

const BARS = [320, 180, 240, 400, 360, 300] as const;

/** Bars in the shape of an alert, after 150 ms. */
function Loading() {
  return (
    <div className={`${styles.body} ${styles.loading}`}>
      <output className="ad-hidden">{texts.loadingAlert}</output>
      {BARS.map((width) => (
        <span key={width} className={`${Classes.SKELETON} ${styles.barLine}`} style={{ width }} />
      ))}
    </div>
  );
}
