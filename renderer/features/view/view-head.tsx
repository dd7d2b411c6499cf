import { Button } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import type { View } from '#backend/contract/view.ts';
import type { ListFilter } from '#renderer/alerts/list/list-filter.ts';
import { searchOfFilter, useSourceName } from '#renderer/alerts/list/saved-filter.ts';
import { screenNow, useReplaceSearch } from '#renderer/alerts/panel/open-alert.tsx';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { useSaveView } from '#renderer/views/save-view.ts';
import { useViewCommands } from '#renderer/views/view-commands.ts';
import { addressOf, withVersion } from './view-address.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './view-head.module.css';

interface ViewChangesProps {
  view: View;
  /** What the list is narrowed and sorted by, which is not as it was saved. */
  filter: ListFilter;
  /** The version that the changes began with. */
  version: number;
}

/** Save, for members with the right to; Save as new; and back to what is saved. */
export function ViewChanges({ view, filter, version }: ViewChangesProps) {
  const { role } = useSession();
  const replaceSearch = useReplaceSearch();
  // What is open beside the view may be another alert by the time that it is saved, or none.
  const replaceNow = useRef(replaceSearch);
  useEffect(() => void (replaceNow.current = replaceSearch), [replaceSearch]);
  const { change } = useViewCommands();
  const saveView = useSaveView();
  const search = searchOfFilter(filter, useSourceName(view, filter.source));
  const [isPending, setPending] = useState(false);
  const save = async (): Promise<void> => {
    setPending(true);
    const { pathname, search: shown } = screenNow();
    const saved = await change({ id: view.id, version }, { search, sort: filter.sort });
    setPending(false);
    // Who has gone elsewhere stays there, and what the list was narrowed by meanwhile stays, too.
    const now = screenNow();
    if (!saved || now.pathname !== pathname) return;
    const params = now.search === shown ? addressOf(saved) : withVersion(new URLSearchParams(now.search), saved);
    // At once: what is saved next goes by its version.
    replaceNow.current(params, true);
  };
  const maySave = !view.isShared || ADMIN_ROLES.includes(role);
  return (
    <div className={styles.changes}>
      {maySave && <Button intent="primary" text={pageTexts.save} loading={isPending} onClick={() => void save()} />}
      <Button
        text={texts.saveAsNew}
        aria-haspopup="dialog"
        onClick={() => saveView({ list: view.list, search, sort: filter.sort })}
      />
      <Button variant="minimal" text={texts.reset} onClick={() => replaceSearch(addressOf(view))} />
    </div>
  );
}
