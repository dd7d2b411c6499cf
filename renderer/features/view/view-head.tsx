import { Button } from '@blueprintjs/core';
import { SmallCrossIcon } from '@blueprintjs/icons';
import { useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { type SearchToken, tokensOf, withoutParts } from '#backend/contract/search.ts';
import type { View } from '#backend/contract/view.ts';
import { useFacets } from '#renderer/alerts/data/facets.ts';
import { type ListFilter, useListFilter } from '#renderer/alerts/list/list-filter.ts';
import { searchOfFilter } from '#renderer/alerts/list/saved-filter.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { useSaveView } from '#renderer/views/save-view.ts';
import { useViewCommands } from '#renderer/views/view-commands.ts';
import { pathOfView } from '#renderer/views/views.ts';
import { addressOf } from './view-address.ts';
import * as searchFieldStyles from '#renderer/alerts/search/search-field.module.css';
import * as styles from './view-head.module.css';

interface ViewHeadProps {
  view: View;
  filter: ListFilter;
  /** The list is narrowed or sorted otherwise than it was saved. */
  isChanged: boolean;
  /** The version that the changes began with. */
  version: number;
}

/** The parts of a view's filter as chips; after a change what can be done with it. */
export function ViewHead({ view, filter, isChanged, version }: ViewHeadProps) {
  const { change } = useListFilter();
  const { search = '' } = filter;
  const tokens = useMemo(() => tokensOf(search).filter(({ value }) => value.trim() !== ''), [search]);
  return (
    <div className={styles.head}>
      {tokens.length > 0 && (
        <ul className={styles.chips} aria-label="Filter of the view">
          {tokens.map((token) => (
            <li key={token.start}>
              <FilterChip
                token={token}
                onRemove={() => change({ search: withoutParts(search, tokens, (one) => one === token) || undefined })}
              />
            </li>
          ))}
        </ul>
      )}
      {isChanged && <Changes view={view} filter={filter} version={version} />}
    </div>
  );
}

/** A part of the filter: a key with its value, or a word. */
function FilterChip({ token: { key, value, isQuoted }, onRemove }: { token: SearchToken; onRemove: () => void }) {
  const shown = inertLine(value);
  const text = key === undefined && isQuoted ? `“${shown}”` : shown;
  return (
    <span className={`${searchFieldStyles.chip} ${styles.chip}`}>
      <span className={searchFieldStyles.chipText}>
        {key !== undefined && `${key}: `}
        <bdi>{text}</bdi>
      </span>
      <button type="button" aria-label={`Remove ${key === undefined ? text : `${key}: ${text}`}`} onClick={onRemove}>
        <SmallCrossIcon size={12} />
      </button>
    </span>
  );
}

/** Save, for members with the right to; Save as new; and back to what is saved. */
function Changes({ view, filter, version }: Omit<ViewHeadProps, 'isChanged'>) {
  const { role } = useSession();
  const navigate = useNavigate();
  const [, setParams] = useSearchParams();
  const { change } = useViewCommands();
  const saveView = useSaveView();
  const { sources = [] } = useFacets({ list: view.list }).data ?? {};
  const search = searchOfFilter(filter, sources.find(({ id }) => id === filter.source)?.name);
  const save = async (): Promise<void> => {
    const saved = await change({ id: view.id, version }, { search, sort: filter.sort });
    if (saved) void navigate({ pathname: pathOfView(saved.id), search: `?${addressOf(saved)}` }, { replace: true });
  };
  const maySave = !view.isShared || ADMIN_ROLES.includes(role);
  return (
    <div className={styles.changes}>
      {maySave && <Button intent="primary" text="Save" onClick={() => void save()} />}
      <Button
        text="Save as new"
        aria-haspopup="dialog"
        onClick={() => saveView({ list: view.list, search, sort: filter.sort })}
      />
      <Button variant="minimal" text="Reset" onClick={() => setParams(addressOf(view), { replace: true })} />
    </div>
  );
}
