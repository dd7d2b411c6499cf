import { useCallback, useState } from 'react';
import type { MappedField, Mapping } from '#backend/contract/source.ts';
import { changedFields } from './mapping-draft.ts';

/** A mapping that is being edited. */
export interface MappingDraft {
  draft: Mapping;
  /** The fields that were changed here and are not saved. */
  changed: MappedField[];
  /** Somebody has saved another mapping since the editing began. */
  isOutdated: boolean;
  setPath: (field: MappedField, path: string | undefined) => void;
  /** Shows what is saved. */
  discard: () => void;
  /** Goes on with the draft, knowing what is saved by now. */
  keep: () => void;
  /** The draft was saved so; what was typed since stays. */
  savedAs: (mapping: Mapping) => void;
}

/** A draft of the mapping that is saved: until something is typed it follows what others save. */
export function useMappingDraft(saved: Mapping): MappingDraft {
  const [edit, setEdit] = useState<{ base: Mapping; draft: Mapping }>();
  const isEdited = edit !== undefined && changedFields(edit.base, edit.draft).length > 0;
  // What was opened and not changed is no reason to hide what others have saved.
  const isFollowing = edit === undefined || (!isEdited && changedFields(edit.base, saved).length > 0);
  const draft = isFollowing ? saved : edit.draft;
  const toSave = changedFields(saved, draft);
  const isOutdated = isEdited && toSave.length > 0 && changedFields(edit.base, saved).length > 0;
  // What others have changed is not counted as mine.
  const changed = isOutdated ? changedFields(edit.base, draft) : toSave;

  const setPath = useCallback(
    (field: MappedField, path: string | undefined): void =>
      setEdit((now) => {
        const { base, draft: before } = now && !isFollowing ? now : { base: saved, draft: saved };
        const { [field]: _before, ...others } = before;
        return { base, draft: path === undefined ? others : { ...others, [field]: path } };
      }),
    [saved, isFollowing],
  );
  const discard = useCallback(() => setEdit(undefined), []);
  const keep = useCallback(() => setEdit((now) => now && { ...now, base: saved }), [saved]);
  const savedAs = useCallback(
    (mapping: Mapping) =>
      setEdit((now) => (now && changedFields(mapping, now.draft).length > 0 ? { ...now, base: mapping } : undefined)),
    [],
  );
  return { draft, changed, isOutdated, setPath, discard, keep, savedAs };
}
