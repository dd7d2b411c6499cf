import { Button } from '@blueprintjs/core';
import { PauseIcon, PlayIcon, SendMessageIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Destination } from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { ShownOnceDialog } from '#renderer/ui/form-dialog/shown-once-dialog.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { type WrittenDestination, draftOf, isChanged, missingOf, startOf, writtenFields } from './destination-form.ts';
import { DestinationFields } from './destination-fields.tsx';
import { HealthMark, KindTile } from './destination-marks.tsx';
import { MessagePreview } from './message-preview.tsx';
import { NotTherePage } from './not-there-page.tsx';
import { destinationsQuery, useOutgoingCommands } from './outgoing-data.ts';
import { OUTGOING_PAGES, pathOfDestination } from './outgoing-labels.ts';
import { UndeliveredPanel } from './undelivered-panel.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

const PARENT = OUTGOING_PAGES[0];

/** A destination that is made or changed, with what it would be sent beside it. */
export function DestinationPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(destinationsQuery);
  const isNew = id === 'new';
  const destination = data?.destinations.find((one) => one.id === id);
  if (data && (isNew || destination)) {
    return <DestinationEditor key={id} before={destination} isMailConfigured={data.isMailConfigured} />;
  }
  return (
    <NotTherePage
      title={texts.destination}
      parent={PARENT}
      isRead={data !== undefined}
      error={error}
      onRetry={() => void refetch()}
      notFound={{
        icon: <SendMessageIcon size={40} />,
        title: texts.destinationNotFound,
        text: texts.destinationNotFoundHint,
        all: texts.allDestinations,
      }}
      what={texts.theDestination}
      label={texts.theDestinationInText}
    />
  );
}

interface EditorProps {
  before: Destination | undefined;
  isMailConfigured: boolean;
}

function DestinationEditor({ before, isMailConfigured }: EditorProps) {
  const [written, setWritten] = useState(() => startOf(before));
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const navigate = useNavigate();
  const commands = useOutgoingCommands();
  const toasts = useToasts();
  const secret = useDialog<{ id: string; text: string }>();
  const deleting = useDialog();
  const changed = isChanged(written, before);
  const guard = useLeaveGuard(changed && !isLeaving && !secret.shown);
  const missing = missingOf(written, before);
  const change = (some: Partial<WrittenDestination>): void => setWritten((now) => ({ ...now, ...some }));

  const run = async (work: () => Promise<void>): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setPending(false);
    }
  };
  const save = () =>
    run(async () => {
      const fields = { name: written.name, ...writtenFields(written, before) };
      if (before) {
        const after = await commands.changeDestination(before, fields);
        setWritten(startOf(after));
        toasts.show({ title: texts.destinationSaved });
        return;
      }
      setLeaving(true);
      const made = await commands.createDestination({ kind: written.kind, ...fields }).catch((error: unknown) => {
        setLeaving(false);
        throw error;
      });
      if (made.signingSecret === undefined) void navigate(pathOfDestination(made.destination.id), { replace: true });
      else secret.open({ id: made.destination.id, text: made.signingSecret });
    });
  const rotate = () =>
    run(async () => {
      const made = await commands.rotateSecret(before?.id ?? '');
      if (made.signingSecret !== undefined) secret.open({ id: made.destination.id, text: made.signingSecret });
    });
  return (
    <HoverTip className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead
        title={before ? inertLine(before.name) : texts.newDestination}
        icon={<KindTile kind={written.kind} />}
        parent={PARENT}
        beside={before && <HealthMark destination={before} hasReason={false} />}
      >
        {before && (
          <>
            <Button
              icon={before.isPaused ? <PlayIcon /> : <PauseIcon />}
              text={before.isPaused ? texts.resume : texts.pause}
              onClick={() => void run(async () => void (await commands.pauseDestination(before.id, !before.isPaused)))}
            />
            <Button
              icon={<TrashIcon />}
              text={outgoingTexts.askToDelete}
              aria-haspopup="dialog"
              onClick={() => deleting.open(true)}
            />
          </>
        )}
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          text={before ? pageTexts.save : texts.createDestination}
          loading={isPending}
          disabled={missing !== undefined || !changed}
          title={missing}
          onClick={() => void save()}
        />
      </PageHead>
      <div className={`${panelStyles.pageBody} ${styles.columns}`}>
        <div className={styles.column}>
          <section className={`${panelStyles.panel} ${styles.form}`} aria-labelledby="ad-destination-settings">
            <h2 id="ad-destination-settings" className={styles.sheetTitle}>
              {pageTexts.settings}
            </h2>
            <output className={styles.failure} hidden={failure === undefined}>
              {failure}
            </output>
            <DestinationFields
              written={written}
              before={before}
              isMailConfigured={isMailConfigured}
              change={change}
              onRotate={() => void rotate()}
            />
            {missing !== undefined && <p className={styles.missing}>{missing}</p>}
          </section>
          {before && before.notDelivered > 0 && <UndeliveredPanel destination={before} />}
        </div>
        <MessagePreview draft={draftOf(written, before)} isReady={missing === undefined} />
      </div>
      <UnsavedDialog guard={guard} text={texts.unsavedHint} />
      {secret.shown && (
        <ShownOnceDialog
          title={texts.signingSecret}
          what={texts.secret}
          copyLabel={texts.copySigningSecret}
          text={secret.shown.subject.text}
          note={texts.signingSecretHint}
          presence={{
            ...secret.shown.presence,
            onClosed: () => {
              const id = secret.shown?.subject.id ?? '';
              secret.shown?.presence.onClosed();
              if (!before) void navigate(pathOfDestination(id), { replace: true });
            },
          }}
        />
      )}
      {before && deleting.shown && (
        <DeleteDialog
          key={deleting.shown.key}
          title={texts.deleteQuestion}
          text={texts.deleteHint(inertLine(before.name))}
          presence={deleting.shown.presence}
          onDelete={() => commands.deleteDestination(before.id)}
          next={PARENT.to}
          onLeaving={setLeaving}
        />
      )}
    </HoverTip>
  );
}
