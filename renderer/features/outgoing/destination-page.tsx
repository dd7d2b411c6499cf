import { Button } from '@blueprintjs/core';
import { PauseIcon, PlayIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Destination } from '#backend/contract/outgoing.ts';
import { ShownOnceDialog } from '#renderer/ui/form-dialog/shown-once-dialog.tsx';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { AllCustomersDialog } from './all-customers-dialog.tsx';
import { draftOf, fieldsOf, marksOf, missingOf, sentOf, startOf, writtenFields } from './destination-form.ts';
import { DestinationFields } from './destination-fields.tsx';
import { HealthMark, KindTile } from './destination-marks.tsx';
import { EditorFailure, EditorFrame } from './editor-frame.tsx';
import { DESTINATIONS } from './entries.tsx';
import { EntryPage } from './entry-page.tsx';
import { MessagePreview } from './message-preview.tsx';
import { destinationsQuery, useOutgoingCommands } from './outgoing-data.ts';
import { HEALTH_LABELS } from './outgoing-labels.ts';
import { UndeliveredPanel } from './undelivered-panel.tsx';
import { useEditor } from '#renderer/ui/editor/use-editor.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** A destination that is made or changed, with what it would be sent beside it. */
export function DestinationPage() {
  const query = useQuery(destinationsQuery);
  return (
    <EntryPage entry={DESTINATIONS} queries={[query]} all={query.data?.destinations}>
      {(id, before, copied) => (
        <DestinationEditor
          key={id}
          before={before}
          copied={copied}
          isMailConfigured={query.data?.isMailConfigured === true}
        />
      )}
    </EntryPage>
  );
}

interface EditorProps {
  before: Destination | undefined;
  /** What a new one is a copy of. */
  copied: Destination | undefined;
  isMailConfigured: boolean;
}

function DestinationEditor({ before: listed, copied, isMailConfigured }: EditorProps) {
  const navigate = useNavigate();
  const commands = useOutgoingCommands();
  const secret = useDialog<{ id: string; text: string }>();
  const [isMaking, setMaking] = useState(false);
  /** Runs a call whose answer has a secret that only this page shows. */
  const make = async <Made,>(call: () => Promise<Made>): Promise<Made> => {
    setMaking(true);
    return call().finally(() => setMaking(false));
  };
  const editor = useEditor({
    before: listed,
    copied,
    listPath: DESTINATIONS.to,
    startOf,
    marksOf,
    sentOf,
    create: async (written) => {
      const { kind, name } = written;
      const create = () => commands.createDestination({ kind, name, ...writtenFields(written, undefined) });
      const made = await (kind === 'webhook' ? make(create) : create());
      const { id } = made.destination;
      if (made.signingSecret === undefined) return DESTINATIONS.pathOf(id);
      secret.open({ id, text: made.signingSecret });
      return undefined;
    },
    update: (destination, written) =>
      commands.changeDestination(destination, { name: written.name, ...writtenFields(written, destination) }),
    readAgain: commands.readAgain,
    saved: DESTINATIONS.saved,
    shownAt: ({ kind }) => ['name', ...fieldsOf(kind), 'customers'],
  });
  const { before, written } = editor;
  const question = useDialog();
  // A webhook leads to a program, which is not a channel of people.
  const isAsked = written.kind !== 'webhook' && written.customers.length === 0 && before?.customers.length !== 0;
  const asking = isAsked ? { ...editor, save: () => question.open(true) } : editor;
  const missing = missingOf(written, before);
  const rotate = async (id: string): Promise<void> => {
    const { signingSecret } = await make(() => commands.rotateSecret(id));
    if (signingSecret !== undefined) secret.open({ id, text: signingSecret });
  };
  return (
    <EditorFrame
      entry={DESTINATIONS}
      editor={asking}
      missing={missing}
      icon={<KindTile kind={written.kind} />}
      beside={before && <HealthMark destination={before} hasReason={false} />}
      tools={
        before && (
          <Button
            icon={before.isPaused ? <PlayIcon /> : <PauseIcon />}
            text={before.isPaused ? texts.resume : texts.pause}
            onClick={() => editor.run(() => commands.pauseDestination(before.id, !before.isPaused))}
          />
        )
      }
      deleteHint={before ? texts.deleteHint(before) : ''}
      onDelete={commands.deleteDestination}
    >
      <div ref={keepFocus} className={styles.column}>
        <section className={`${panelStyles.panel} ${styles.form}`} aria-labelledby="ad-destination-settings">
          <h2 id="ad-destination-settings" className={styles.sheetTitle}>
            {pageTexts.settings}
          </h2>
          <EditorFailure editor={asking} missing={missing} />
          <HoldWhile isPending={isMaking} />
          <DestinationFields
            editor={editor}
            before={before}
            isMailConfigured={isMailConfigured}
            onRotate={() => editor.run(() => rotate(before?.id ?? ''))}
          />
          {missing !== undefined && <p className={styles.missing}>{missing}</p>}
        </section>
        {before && before.notDelivered > 0 && <UndeliveredPanel destination={before} />}
      </div>
      {before && <output className="ad-hidden">{texts.healthSaid(HEALTH_LABELS[before.health])}</output>}
      {question.shown && (
        <AllCustomersDialog key={question.shown.key} presence={question.shown.presence} onConfirm={editor.save} />
      )}
      <MessagePreview draft={draftOf(written, before)} version={before?.version} isReady={missing === undefined} />
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
              if (!before) void navigate(DESTINATIONS.pathOf(id), { replace: true });
            },
          }}
        />
      )}
    </EditorFrame>
  );
}
