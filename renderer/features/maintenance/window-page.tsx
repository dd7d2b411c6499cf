import { Button } from '@blueprintjs/core';
import { TrashIcon, WrenchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { type MaintenanceWindow, LONG_WINDOW_MINUTES } from '#backend/contract/maintenance.ts';
import { useScreenKey } from '#renderer/alerts/keys/screen-keys.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { notePage } from '#renderer/lib/note-page.ts';
import { MANAGER_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { formatFieldTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { WINDOWS, isOn, useWindowCommands, windowsQuery } from '#renderer/maintenance/maintenance-data.ts';
import { useSession } from '#renderer/session/session.ts';
import { ConfirmButton } from '#renderer/ui/confirm-button.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { EditorNotice } from '#renderer/ui/editor/editor-notice.tsx';
import { useEditor, useWasThere } from '#renderer/ui/editor/use-editor.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { usePreview } from './preview-data.ts';
import { NextTimes, WouldHaveKept } from './window-preview.tsx';
import { WindowForm } from './window-form.tsx';
import {
  type WindowDraft,
  changeOf,
  daysOf,
  draftOfWindow,
  isCountWrong,
  minutesOf,
  newDraft,
  sentOf,
  windowOf,
} from './window-draft.ts';
import { lengthOf } from './schedule-texts.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as formStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './maintenance.module.css';

const PARENT = { to: PATHS.maintenance, title: texts.maintenance } as const;

/** A window that is planned or changed, with when it is on and what it would have kept quiet beside it. */
export function WindowPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(windowsQuery);
  const window = data?.find((one) => one.id === id);
  const wasThere = useWasThere(id, window !== undefined);
  if (data && (id === 'new' || wasThere)) return <WindowEditor key={id} before={window} />;
  if (data) return <WindowNotFound />;
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={texts.window} parent={PARENT} />
      {error ? (
        <LoadError what={texts.theWindow} error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label={texts.theWindowInText} isSheet />
      )}
    </div>
  );
}

/** Stands in the place of a window that is not there, or no longer. */
function WindowNotFound() {
  const navigate = useNavigate();
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={texts.window} parent={PARENT} />
      <EmptyState
        icon={<WrenchIcon size={40} />}
        title={texts.windowNotFound}
        text={texts.windowNotFoundHint}
        action={<Button text={texts.allWindows} onClick={() => void navigate(PARENT.to)} />}
      />
    </div>
  );
}

/** Why a window cannot be saved yet. */
function missingOf(draft: WindowDraft): string | undefined {
  if (draft.name.trim() === '') return texts.giveName;
  if (draft.repeats === 'weekly' && daysOf(draft).length === 0) return texts.chooseDay;
  if (isCountWrong(draft)) return texts.writeCount;
  if (draft.repeats === 'custom' && draft.rrule.trim() === '') return texts.writeRule;
  return windowOf(draft) === undefined ? texts.chooseTimes : undefined;
}

/** What is saved. @throws where a time is missing or wrong by now */
function complete<T>(chosen: T | undefined): T {
  if (chosen === undefined) throw new Error(texts.chooseTimes);
  return chosen;
}

function WindowEditor({ before: listed }: { before: MaintenanceWindow | undefined }) {
  const [blank] = useState(() => newDraft(Date.now()));
  const [params] = useSearchParams();
  const search = params.get('search');
  const { role } = useSession();
  const commands = useWindowCommands();
  const navigate = useNavigate();
  const asking = useDialog<'all' | 'long'>();
  const deleting = useDialog();
  const editor = useEditor<MaintenanceWindow, WindowDraft>({
    before: listed,
    listPath: PARENT.to,
    startOf: (stored) => (stored ? draftOfWindow(stored) : blank),
    sentOf,
    given: listed || search === null ? undefined : { search },
    async create(written) {
      await commands.create(complete(sentOf(written)));
      return PARENT.to;
    },
    update: (seen, written) => commands.change(seen, complete(changeOf(seen, written))),
    readAgain: commands.readAgain,
    saved: texts.windowSaved,
    savedHint: listed && isOn(listed) ? texts.savedWhileOn : undefined,
  });
  const { before, written: draft, isChanged, isPending, conflict, guard } = editor;
  const missing = missingOf(draft);
  const mayChange = MANAGER_ROLES.includes(role);
  const preview = usePreview(draft, before, mayChange);
  const minutes = minutesOf(draft) ?? 0;
  const ask = (): void => {
    if (draft.search.trim() === '') asking.open('all');
    else if (minutes > LONG_WINDOW_MINUTES) asking.open('long');
    else editor.save();
  };
  const canSave = mayChange && missing === undefined && conflict === undefined && (!before || isChanged);
  useScreenKey('save', canSave && !isPending ? ask : undefined);
  const changedAt = useNow((now) => before && formatFieldTime(new Date(before.changedAt), now));
  if (editor.deleted?.isDraft === false) return <WindowNotFound />;
  const saveText = before ? texts.saveWindow : draft.isNow ? texts.startWindow : texts.planWindow;
  return (
    <div className={pageHeadStyles.page}>
      <PageHead
        title={before ? inertLine(before.name) : texts.newWindow}
        parent={PARENT}
        beside={
          before &&
          changedAt !== undefined && (
            <span className={styles.small}>{texts.byWhom(inertLine(before.changedBy), changedAt)}</span>
          )
        }
      >
        {mayChange ? (
          <>
            {before && (
              <Button
                icon={<TrashIcon />}
                text={texts.askToDelete}
                aria-haspopup="dialog"
                onClick={() => deleting.open(true)}
              />
            )}
            <Button text={pageTexts.cancel} onClick={() => void navigate(PARENT.to)} />
            <Button
              className={pageHeadStyles.action}
              intent="primary"
              text={saveText}
              loading={isPending}
              disabled={!canSave}
              aria-keyshortcuts="Control+Enter Meta+Enter"
              title={missing}
              onClick={ask}
            />
          </>
        ) : (
          <span className={styles.small}>{texts.readOnly}</span>
        )}
      </PageHead>
      <div className={`${panelStyles.pageBody} ${styles.columns}`}>
        <section className={panelStyles.panel} aria-label={texts.window}>
          <EditorNotice editor={editor} missing={missing} onSave={ask} />
          <output className={styles.failure} hidden={editor.failure === undefined && before?.fault === undefined}>
            {editor.failure ?? before?.fault}
          </output>
          <fieldset className={styles.form} disabled={!mayChange}>
            <WindowForm draft={draft} preview={preview} mayChange={mayChange} onChange={editor.change} />
          </fieldset>
        </section>
        {mayChange && (
          <div className={styles.column}>
            <NextTimes draft={draft} preview={preview.data} />
            <WouldHaveKept draft={draft} preview={preview.data} />
          </div>
        )}
      </div>
      <UnsavedDialog guard={guard} text={texts.unsavedHint} />
      {asking.shown && (
        <DescribedDialog
          key={asking.shown.key}
          {...asking.shown.presence}
          className={formStyles.dialog}
          title={texts.areYouSure[asking.shown.subject]}
          subtitle={asking.shown.subject === 'all' ? texts.sureAll : texts.sureLong(lengthOf(minutes))}
          actions={
            <div className={formStyles.actions}>
              <Button text={pageTexts.cancel} onClick={asking.shown.presence.onClose} />
              <ConfirmButton
                presence={asking.shown.presence}
                intent="primary"
                text={saveText}
                onConfirm={editor.save}
              />
            </div>
          }
        >
          {null}
        </DescribedDialog>
      )}
      {before && deleting.shown && (
        <DescribedDialog
          key={deleting.shown.key}
          {...deleting.shown.presence}
          className={formStyles.dialog}
          title={texts.deleteQuestion}
          subtitle={texts.deleteHint}
          actions={
            <div className={formStyles.actions}>
              <Button text={pageTexts.cancel} onClick={deleting.shown.presence.onClose} />
              <ConfirmButton
                presence={deleting.shown.presence}
                intent="danger"
                text={common.deleteAction}
                onConfirm={() =>
                  editor.run(async () => {
                    const isSamePage = notePage();
                    editor.setLeaving(true);
                    await deleteAt(`${WINDOWS}/${encodeURIComponent(before.id)}`);
                    await commands.readAgain();
                    if (isSamePage()) void navigate(PARENT.to);
                  })
                }
              />
            </div>
          }
        >
          {null}
        </DescribedDialog>
      )}
    </div>
  );
}
