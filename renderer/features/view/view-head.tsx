import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { View } from '#backend/contract/view.ts';
import { useFacets } from '#renderer/alerts/data/facets.ts';
import type { ListFilter } from '#renderer/alerts/list/list-filter.ts';
import { searchOfFilter } from '#renderer/alerts/list/saved-filter.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { useSaveView } from '#renderer/views/save-view.ts';
import { useViewCommands } from '#renderer/views/view-commands.ts';
import { pathOfView } from '#renderer/views/views.ts';
import { addressOf } from './view-address.ts';
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
  const navigate = useNavigate();
  const [, setParams] = useSearchParams();
  const { change } = useViewCommands();
  const saveView = useSaveView();
  const { sources = [] } = useFacets({ list: view.list }).data ?? {};
  const search = searchOfFilter(filter, sources.find(({ id }) => id === filter.source)?.name);
  const [isPending, setPending] = useState(false);
  const save = async (): Promise<void> => {
    setPending(true);
    const saved = await change({ id: view.id, version }, { search, sort: filter.sort });
    setPending(false);
    if (saved) void navigate({ pathname: pathOfView(saved.id), search: `?${addressOf(saved)}` }, { replace: true });
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
      <Button variant="minimal" text={texts.reset} onClick={() => setParams(addressOf(view), { replace: true })} />
    </div>
  );
}
