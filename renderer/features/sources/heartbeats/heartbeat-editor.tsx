import { Button } from '@blueprintjs/core';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import type { Heartbeat } from '#backend/contract/heartbeat.ts';
import { useScreenKey } from '#renderer/alerts/keys/screen-keys.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { EditorNotice } from '#renderer/ui/editor/editor-notice.tsx';
import { useEditor } from '#renderer/ui/editor/use-editor.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { HeartbeatFields } from './heartbeat-fields.tsx';
import { type WrittenHeartbeat, fieldsIn, missingIn, startOf } from './heartbeat-form.ts';
import { madeAddressAtom, pathOfHeartbeat, useHeartbeatCommands } from './heartbeats-data.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './heartbeats.module.css';

/** The button that saves stands outside of the form. */
const FORM = 'ad-beat-form';

interface EditorProps {
  /** As it was read last. */
  before: Heartbeat | undefined;
  /** The page is being left because the heartbeat is deleted: nothing is asked. */
  isLeaving?: boolean;
  /** It is deleted. */
  isGone?: boolean;
  /** Called with whether there is something that would be lost with the page. */
  onDraft?: (isDraft: boolean) => void;
}

/** The settings of a heartbeat: a panel of its page, or, of a new one, a page. */
export function HeartbeatEditor({ before: read, isLeaving = false, isGone = false, onDraft }: EditorProps) {
  const setAddress = useSetAtom(madeAddressAtom);
  const commands = useHeartbeatCommands();
  const editor = useEditor<Heartbeat, WrittenHeartbeat>({
    before: isGone ? undefined : read,
    listPath: PATHS.heartbeats,
    startOf,
    sentOf: (written) => (missingIn(written) === undefined ? fieldsIn(written) : undefined),
    async create(written) {
      const { heartbeat, path } = await commands.create(fieldsIn(written));
      setAddress({ id: heartbeat.id, url: window.location.origin + path });
      return pathOfHeartbeat(heartbeat.id);
    },
    update: (seen, written) => commands.change(seen, fieldsIn(written)),
    readAgain: commands.readAgain,
    saved: texts.saved,
  });
  const { before, written: form, conflict, deleted, isChanged, setLeaving } = editor;
  useEffect(() => setLeaving(isLeaving), [setLeaving, isLeaving]);
  const isDraft = deleted?.isDraft ?? isChanged;
  useEffect(() => onDraft?.(isDraft), [onDraft, isDraft]);
  const missing = missingIn(form);
  const canSave = missing === undefined && isChanged && conflict === undefined;
  useScreenKey('save', canSave && !editor.isPending ? editor.save : undefined);
  const saveButton = (
    <Button
      className={read ? undefined : pageHeadStyles.action}
      intent="primary"
      text={before ? pageTexts.save : texts.create}
      loading={editor.isPending}
      disabled={!canSave}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      title={missing}
      type="submit"
      form={FORM}
    />
  );
  const panel = (
    <section className={`${panelStyles.panel} ${styles.form}`} aria-labelledby="ad-beat-settings">
      <h2 id="ad-beat-settings" className={styles.sheetTitle}>
        {texts.settings}
      </h2>
      <EditorNotice editor={editor} missing={missing} onSave={editor.save} />
      <output className={styles.failure} hidden={editor.failure === undefined}>
        {editor.failure}
      </output>
      <form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          if (canSave && !editor.isPending) editor.save();
        }}
      >
        <HeartbeatFields form={form} change={editor.change} />
      </form>
      {missing !== undefined && <p className={styles.missing}>{missing}</p>}
      {read && <div className={styles.formEnd}>{saveButton}</div>}
      <UnsavedDialog guard={editor.guard} text={texts.unsavedHint} />
      <HoldWhile isPending={before === undefined && editor.isPending} />
    </section>
  );
  if (read) return panel;
  return (
    <div className={`${pageHeadStyles.page} ${styles.heartbeats}`}>
      <PageHead title={texts.newHeartbeat} parent={{ to: PATHS.heartbeats, title: pageTexts.heartbeats }}>
        {saveButton}
      </PageHead>
      <div className={panelStyles.pageBody}>{panel}</div>
    </div>
  );
}
