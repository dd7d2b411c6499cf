import { Button } from '@blueprintjs/core';
import { LinkIcon, PauseIcon, PlayIcon, PulseIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { useCallback, useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { type Beat, type Heartbeat, PING_PATH } from '#backend/contract/heartbeat.ts';
import { LeaveDialog } from '#renderer/features/sources/new/leave-dialog.tsx';
import { CodeBox } from '#renderer/features/sources/shown/code-box.tsx';
import { useUncopied } from '#renderer/features/sources/shown/use-uncopied.ts';
import { mask, useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { CopyField } from '#renderer/ui/copy-button.tsx';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { BeatLegend, BeatStrip } from './beat-strip.tsx';
import { HeartbeatEditor } from './heartbeat-editor.tsx';
import { beatLabel, graceText, scheduleText } from './heartbeat-labels.ts';
import { HeartbeatMark } from './heartbeat-mark.tsx';
import { beatLogQuery, heartbeatQuery, madeAddressAtom } from './heartbeats-data.ts';
import { HEARTBEAT_SET_UPS } from './set-up-texts.ts';
import { useHeartbeatActions } from './use-heartbeat-actions.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './heartbeats.module.css';

const PARENT = { to: PATHS.heartbeats, title: pageTexts.heartbeats };

/** A heartbeat: its beats, how it is called, and, for administrators, its settings. */
export function HeartbeatPage() {
  const { id = '' } = useParams();
  const [made, setMade] = useAtom(madeAddressAtom);
  // This page alone has it: it is gone with the page.
  const [address, setAddress] = useState(made);
  useEffect(() => {
    if (id !== 'new') setMade(undefined);
  }, [id, setMade]);
  const isAdmin = useSession().role === 'admin';
  const isNew = id === 'new' && isAdmin;
  const { data, error, refetch } = useQuery({ ...heartbeatQuery(id), enabled: !isNew });
  const navigate = useNavigate();
  const [removing, setRemoving] = useState<string>();
  const isRemoving = removing === id;
  const [drafted, setDrafted] = useState<string>();
  const onDraft = useCallback((isDraft: boolean) => setDrafted(isDraft ? id : undefined), [id]);
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400);
  // A colleague may have ended it by a new one meanwhile.
  const isKnown = isAdmin && !isGone && address?.id === id && address.url.endsWith(data?.addressHint ?? '');
  const url = isKnown ? address.url : undefined;
  const { uncopied, onCopied } = useUncopied(url === undefined ? [] : [{ kind: 'token', text: url }]);
  const guard = useLeaveGuard(uncopied.length > 0 && !isRemoving);
  if (isNew) return <HeartbeatEditor key="new" before={undefined} />;
  // A colleague may have deleted it: a draft stays. One that is deleted here is shown until this page is left.
  if (data && (!isGone || isRemoving || drafted === id)) {
    return (
      <>
        <OneHeartbeat
          key={id}
          heartbeat={data}
          url={url}
          isAdmin={isAdmin}
          isRemoving={isRemoving}
          isGone={isGone && !isRemoving}
          onDraft={onDraft}
          onAddress={(of, text) => setAddress({ id: of, url: text })}
          onCopied={() => onCopied(['token'])}
          onRemoving={(is) => setRemoving(is ? id : undefined)}
        />
        <LeaveDialog
          isOpen={guard.isAsked}
          text={texts.leaveAddressHint}
          secrets={uncopied}
          onStay={guard.stay}
          onCopied={onCopied}
          onLeave={guard.leave}
        />
      </>
    );
  }
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={texts.heartbeat} parent={PARENT} />
      {isGone ? (
        <EmptyState
          icon={<PulseIcon size={40} />}
          title={texts.notFound}
          text={texts.notFoundHint}
          action={<Button text={texts.allHeartbeats} onClick={() => void navigate(PATHS.heartbeats)} />}
        />
      ) : error ? (
        <LoadError what={texts.theHeartbeat} error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label={texts.theHeartbeat} isSheet />
      )}
    </div>
  );
}

interface OneHeartbeatProps {
  heartbeat: Heartbeat;
  url: string | undefined;
  isAdmin: boolean;
  /** It is being deleted here. */
  isRemoving: boolean;
  /** A colleague has deleted it. */
  isGone: boolean;
  onDraft: (isDraft: boolean) => void;
  onAddress: (id: string, url: string) => void;
  onCopied: () => void;
  onRemoving: (isRemoving: boolean) => void;
}

function OneHeartbeat(props: OneHeartbeatProps) {
  const { heartbeat, url, isAdmin, isRemoving, isGone, onDraft, onAddress, onCopied, onRemoving } = props;
  const navigate = useNavigate();
  const { actions, dialogs } = useHeartbeatActions({
    onAddress,
    onRemoving,
    onRemoved: () => void navigate(PATHS.heartbeats),
  });
  const isPaused = heartbeat.state === 'paused';
  return (
    <HoverTip className={`${pageHeadStyles.page} ${styles.heartbeats}`}>
      <PageHead
        title={inertLine(heartbeat.name)}
        parent={PARENT}
        beside={!isGone && <HeartbeatMark heartbeat={heartbeat} hasReason={false} />}
      >
        {isAdmin && !isGone && (
          <>
            <Button
              icon={isPaused ? <PlayIcon /> : <PauseIcon />}
              text={isPaused ? texts.resume : texts.pause}
              onClick={() => actions.pause(heartbeat, !isPaused)}
            />
            <Button
              icon={<LinkIcon />}
              text={texts.newAddress}
              aria-haspopup="dialog"
              onClick={() => actions.renew(heartbeat)}
            />
            <Button
              icon={<TrashIcon />}
              text={texts.askToDelete}
              aria-haspopup="dialog"
              onClick={() => actions.remove(heartbeat)}
            />
          </>
        )}
      </PageHead>
      <div className={`${panelStyles.pageBody} ${styles.columns}`}>
        <div className={styles.column}>
          {!isGone && <BeatsPanel heartbeat={heartbeat} />}
          {isAdmin && <HeartbeatEditor before={heartbeat} isLeaving={isRemoving} isGone={isGone} onDraft={onDraft} />}
        </div>
        {!isGone && <SetUpPanel heartbeat={heartbeat} url={url} onCopied={onCopied} />}
      </div>
      {dialogs}
    </HoverTip>
  );
}

/** The last beats, and what was sent along with the one that is walked to. */
function BeatsPanel({ heartbeat }: { heartbeat: Heartbeat }) {
  const { id, name, beats } = heartbeat;
  const [walked, setWalked] = useState<Beat>();
  const shown = beats.find(({ number }) => number === walked?.number) ?? beats.at(-1);
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-beats-title">
      <h2 id="ad-beats-title" className={styles.sheetTitle}>
        {texts.beatsTitle}
      </h2>
      <div className={styles.sheetBody}>
        <p className={styles.hint}>
          {scheduleText(heartbeat.schedule)}, {graceText(heartbeat)}
        </p>
        <div className={styles.stateLine}>
          <HeartbeatMark heartbeat={heartbeat} />
        </div>
        <BeatStrip name={name} beats={beats} onBeat={setWalked} />
        <BeatLegend />
        {shown ? <BeatLog id={id} beat={shown} /> : <p className={styles.hint}>{texts.waitingForFirst}</p>}
      </div>
    </section>
  );
}

function BeatLog({ id, beat }: { id: string; beat: Beat }) {
  const { data } = useQuery({ ...beatLogQuery(id, beat.number), enabled: beat.line !== undefined });
  const log = beat.line === undefined ? null : data?.log;
  return (
    <>
      <p className={styles.beatLine}>{inertLine(beatLabel(beat))}</p>
      {log === null ? (
        <p className={styles.hint}>{texts.nothingSentAlong}</p>
      ) : (
        log !== undefined && (
          <ScrollRegion label={texts.sentAlong} className={styles.log}>
            {log}
          </ScrollRegion>
        )
      )}
    </>
  );
}

interface SetUpPanelProps {
  heartbeat: Heartbeat;
  url: string | undefined;
  onCopied: () => void;
}

/** How jobs call the heartbeat, with its address where that is known. */
function SetUpPanel({ heartbeat, url, onCopied }: SetUpPanelProps) {
  const { isMasked, unmask } = useMaskWhenAway();
  const masked = `${window.location.origin}${PING_PATH}/${mask(heartbeat.addressHint)}`;
  const shown = url === undefined || isMasked ? masked : url;
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-beat-set-up">
      <h2 id="ad-beat-set-up" className={styles.sheetTitle}>
        {texts.setUp}
      </h2>
      <div className={styles.sheetBody}>
        {url === undefined ? (
          <p className={styles.hint}>{texts.addressGone(heartbeat.addressHint)}</p>
        ) : (
          <>
            <p className={styles.once}>{texts.addressOnce}</p>
            <div onCopy={onCopied}>
              <CopyField
                copyLabel={texts.copyAddress}
                text={url}
                masked={isMasked ? masked : undefined}
                onUnmask={unmask}
                onCopied={onCopied}
              />
            </div>
          </>
        )}
        <p className={styles.hint}>{texts.setUpHint}</p>
        {HEARTBEAT_SET_UPS.map(({ id, label, textOf }) => (
          <div key={id} className={styles.setUp}>
            <h3>{label}</h3>
            <CodeBox
              label={label}
              parts={[{ text: textOf(shown), kind: 'plain' }]}
              text={textOf(shown)}
              onCopied={shown === url ? onCopied : undefined}
            />
          </div>
        ))}
      </div>
    </section>
  );
}
