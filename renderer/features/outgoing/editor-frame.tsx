import { Button, InputGroup } from '@blueprintjs/core';
import { TrashIcon } from '@blueprintjs/icons';
import { type ReactNode, useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { useScreenKey } from '#renderer/alerts/keys/screen-keys.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import classNames from 'classnames';
import { useDeletion } from './delete-dialog.tsx';
import type { Entry } from './entries.tsx';
import { EntryNotFound } from './entry-page.tsx';
import { EditorNotice } from '#renderer/ui/editor/editor-notice.tsx';
import type { Editor } from '#renderer/ui/editor/use-editor.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

interface EditorFrameProps {
  entry: Entry;
  editor: Editor<{ name: string }, { id: string; name: string }>;
  /** Why it cannot be saved yet. */
  missing: string | undefined;
  /** Stands before the title, and after it. */
  icon?: ReactNode;
  beside?: ReactNode;
  /** What else can be done with it. */
  tools?: ReactNode;
  /** Said before it is deleted. Throws what the server says. */
  deleteHint: string;
  onDelete: (id: string) => Promise<unknown>;
  /** `rule`: the column at the right is 400 wide; `none`: there is none. */
  columns?: 'rule' | 'none';
  children: ReactNode;
}

/** The page on which a destination, rule, group or calendar is made or changed: its head, its questions, and its body. */
export function EditorFrame(props: EditorFrameProps) {
  const { entry, editor, missing, icon, beside, tools, deleteHint, onDelete, columns, children } = props;
  const navigate = useNavigate();
  const { before } = editor;
  const deletion = useDeletion({
    entry,
    hintOf: () => deleteHint,
    onDelete,
    onLeaving: editor.setLeaving,
    onDeleted: () => void navigate(entry.to),
  });
  const canSave = missing === undefined && editor.isChanged && editor.conflict === undefined;
  useScreenKey('save', canSave && !editor.isPending ? editor.save : undefined);
  if (editor.deleted?.isDraft === false) return <EntryNotFound entry={entry} />;
  return (
    <HoverTip className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead title={before ? inertLine(before.name) : entry.add} icon={icon} parent={entry} beside={beside}>
        {tools}
        {before && (
          <Button
            icon={<TrashIcon />}
            text={texts.askToDelete}
            aria-haspopup="dialog"
            onClick={() => deletion.ask(before)}
          />
        )}
        <Button text={texts.discard} disabled={!editor.isChanged} onClick={editor.discard} />
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          text={before ? entry.save : (entry.create ?? entry.save)}
          loading={editor.isPending}
          disabled={!canSave}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title={missing}
          onClick={editor.save}
        />
      </PageHead>
      <div
        className={classNames(
          panelStyles.pageBody,
          columns !== 'none' && styles.columns,
          columns === 'rule' && styles.columns_rule,
        )}
      >
        {children}
      </div>
      <UnsavedDialog guard={editor.guard} text={entry.unsaved} />
      {deletion.dialog}
    </HoverTip>
  );
}

interface EditorPanelProps {
  entry: Entry;
  editor: Editor<{ name: string }>;
  missing: string | undefined;
  /** What is wrong with it as it is saved; a failure to save it comes first. */
  fault?: string | undefined;
  children: ReactNode;
}

/** The sheet of what is written: why it could not be saved, its name, its parts, and what is missing. */
export function EditorPanel({ entry, editor, missing, fault, children }: EditorPanelProps) {
  const id = useId();
  return (
    <section className={panelStyles.panel} aria-label={entry.name}>
      <EditorFailure editor={editor} missing={missing} fault={fault} />
      <div className={styles.part}>
        <label htmlFor={id}>{pageTexts.name}</label>
        <InputGroup
          id={id}
          value={editor.written.name}
          maxLength={100}
          onValueChange={(name) => editor.change({ name })}
        />
      </div>
      {children}
      {missing !== undefined && <p className={`${styles.missing} ${styles.part}`}>{missing}</p>}
    </section>
  );
}

/** Why it was not saved, or what somebody else has done with it meanwhile; else what is wrong with it as it is stored. */
export function EditorFailure({ editor, missing, fault }: Pick<EditorPanelProps, 'editor' | 'missing' | 'fault'>) {
  const said = editor.failure ?? fault;
  return (
    <>
      <EditorNotice editor={editor} missing={missing} onSave={editor.save} />
      <output className={styles.failure} hidden={said === undefined}>
        {said}
      </output>
    </>
  );
}
