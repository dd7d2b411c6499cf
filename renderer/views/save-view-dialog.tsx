import { Checkbox, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { MAX_QUERY_LENGTH } from '#backend/contract/alert.ts';
import {
  MAX_VIEW_NAME,
  type ViewList,
  type ViewNotify,
  viewListSchema,
  viewNotifySchema,
} from '#backend/contract/view.ts';
import { sameSearch, searchProblem } from '#renderer/alerts/list/saved-filter.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { useIsShown } from '#renderer/lib/use-is-shown.ts';
import { useSession } from '#renderer/session/session.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useViewCommands } from './view-commands.ts';
import type { ViewDraft } from './save-view.ts';
import { NOTIFY_HINTS, NOTIFY_LABELS, VIEW_LIST_LABELS, pathOfView } from './views.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

interface SaveViewDialogProps {
  presence: DialogPresence;
  draft: ViewDraft;
}

/** Asks for a new view's name, list and filter, and leads to it. */
export function SaveViewDialog({ presence, draft }: SaveViewDialogProps) {
  const { role } = useSession();
  const isAdmin = ADMIN_ROLES.includes(role);
  const navigate = useNavigate();
  const { create } = useViewCommands();
  const isShown = useIsShown(presence.isOpen);
  const [name, setName] = useState('');
  const [list, setList] = useState<ViewList>(draft.list);
  const [search, setSearch] = useState(draft.search);
  const [notify, setNotify] = useState<ViewNotify>('settings');
  const [isShared, setShared] = useState(false);
  const [isPending, setPending] = useState(false);
  const problem = searchProblem(search);
  const save = async (): Promise<void> => {
    setPending(true);
    const view = await create({
      name: name.trim(),
      list,
      search: sameSearch(search),
      sort: draft.sort,
      isShared,
      notify,
      timeZone: timeZoneHere(),
    });
    setPending(false);
    // Who has closed it meanwhile stays where they are. The view is in the sidebar.
    if (!view || !isShown()) return;
    presence.onClose();
    void navigate(pathOfView(view.id));
  };
  return (
    <FormDialog
      presence={presence}
      title={pageTexts.saveAsView}
      subtitle={texts.namedFilterInSidebarWith}
      onSubmit={() => void save()}
      submit={{
        text: texts.saveView,
        pendingText: 'Saving...',
        isPending,
        isDisabled: name.trim() === '' || problem !== undefined,
      }}
    >
      <FormField label={pageTexts.name}>
        {(field) => (
          <InputGroup
            {...field}
            placeholder={texts.eGNightShift}
            maxLength={MAX_VIEW_NAME}
            autoComplete="off"
            value={name}
            onValueChange={setName}
          />
        )}
      </FormField>
      <FormField label={texts.list}>
        {(field) => (
          <HTMLSelect
            {...field}
            fill
            value={list}
            onChange={({ currentTarget }) => setList(viewListSchema.parse(currentTarget.value))}
          >
            {viewListSchema.options
              .filter((one) => one !== 'all' || isAdmin)
              .map((one) => (
                <option key={one} value={one}>
                  {VIEW_LIST_LABELS[one]}
                </option>
              ))}
          </HTMLSelect>
        )}
      </FormField>
      <FormField
        label={texts.filter}
        hint={problem === undefined ? texts.wordsAndFiltersSuchAs : <span role="alert">{problem}</span>}
      >
        {(field) => (
          <InputGroup
            {...field}
            placeholder={texts.exampleOfFilter}
            maxLength={MAX_QUERY_LENGTH}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={problem !== undefined}
            value={search}
            onValueChange={setSearch}
          />
        )}
      </FormField>
      <FormField label={texts.notifications} hint={NOTIFY_HINTS[notify]}>
        {(field) => (
          <HTMLSelect
            {...field}
            fill
            value={notify}
            onChange={({ currentTarget }) => setNotify(viewNotifySchema.parse(currentTarget.value))}
          >
            {viewNotifySchema.options.map((one) => (
              <option key={one} value={one}>
                {NOTIFY_LABELS[one]}
              </option>
            ))}
          </HTMLSelect>
        )}
      </FormField>
      {isAdmin && (
        <Checkbox
          checked={isShared}
          label={list === 'all' ? pageTexts.shareWithAdministrators : pageTexts.shareWithEveryone}
          onChange={() => setShared((before) => !before)}
        />
      )}
    </FormDialog>
  );
}
