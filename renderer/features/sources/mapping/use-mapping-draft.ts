import { useCallback, useState } from 'react';
import type { MappedField, Mapping, MappingPart, ValueTable } from '#backend/contract/mapping.ts';
import { changedParts } from './mapping-draft.ts';

/** A mapping that is being edited. */
export interface MappingDraft {
  draft: Mapping;
  /** The parts that were changed here and are not saved. */
  changed: MappingPart[];
  /** Somebody has saved another mapping since the editing began. */
  isOutdated: boolean;
  setPath: (field: MappedField | 'split', path: string | undefined) => void;
  setTable: (field: MappedField, table: ValueTable | undefined) => void;
  setConditions: (conditions: NonNullable<Mapping['noAlertWhen']>) => void;
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
  const isEdited = edit !== undefined && changedParts(edit.base, edit.draft).length > 0;
  // What was opened and not changed is no reason to hide what others have saved.
  const isFollowing = edit === undefined || (!isEdited && changedParts(edit.base, saved).length > 0);
  const draft = isFollowing ? saved : edit.draft;
  const toSave = changedParts(saved, draft);
  const isOutdated = isEdited && toSave.length > 0 && changedParts(edit.base, saved).length > 0;
  // What others have changed is not counted as mine.
  const changed = isOutdated ? changedParts(edit.base, draft) : toSave;

  const change = useCallback(
    (edited: (before: Mapping) => Mapping): void =>
      setEdit((now) => {
        const { base, draft: before } = now && !isFollowing ? now : { base: saved, draft: saved };
        return { base, draft: edited(before) };
      }),
    [saved, isFollowing],
  );
  const setPath = useCallback(
    (field: MappedField | 'split', path: string | undefined): void =>
      change(({ [field]: _before, ...others }) => (path === undefined ? others : { ...others, [field]: path })),
    [change],
  );
  const setTable = useCallback(
    (field: MappedField, table: ValueTable | undefined): void =>
      change((before) => {
        const { [field]: _before, ...others } = before.values ?? {};
        return { ...before, values: table === undefined ? others : { ...others, [field]: table } };
      }),
    [change],
  );
  const setConditions = useCallback(
    (noAlertWhen: NonNullable<Mapping['noAlertWhen']>): void => change((before) => ({ ...before, noAlertWhen })),
    [change],
  );
  const discard = useCallback(() => setEdit(undefined), []);
  const keep = useCallback(() => setEdit((now) => now && { ...now, base: saved }), [saved]);
  const savedAs = useCallback(
    (mapping: Mapping) =>
      setEdit((now) => (now && changedParts(mapping, now.draft).length > 0 ? { ...now, base: mapping } : undefined)),
    [],
  );
  return { draft, changed, isOutdated, setPath, setTable, setConditions, discard, keep, savedAs };
}
