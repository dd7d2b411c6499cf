import { type QueryClient, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import {
  type AddedNote,
  type Note,
  type Person,
  noteListSchema,
  noteSchema,
  peopleSchema,
} from '#backend/contract/note.ts';
import { alertKey } from '#renderer/alerts/data/alert-details.ts';
import { apiGet, apiGetAll, apiSend } from '#renderer/lib/api-client.ts';
import { createPendingDeletions } from '#renderer/toasts/undoable-deletion.ts';

const pathOf = (alertId: string): string => `/api/alerts/${encodeURIComponent(alertId)}`;

/** `GET /api/alerts/{id}/notes`, newest first. Throws an ApiError. */
const notesQuery = (alertId: string) =>
  queryOptions<Note[]>({
    queryKey: [...alertKey(alertId), 'notes'],
    queryFn: ({ signal }) => apiGetAll(`${pathOf(alertId)}/notes`, noteListSchema, { signal }),
    refetchOnMount: 'always',
    gcTime: 0,
  });

/** The notes on an alert. */
export const useNotes = (alertId: string) => useQuery(notesQuery(alertId));

/** Most people that are offered at once. */
export const MOST_OFFERED = 5;

/** The colleagues who can see the alert and whose name contains a text; `undefined` asks for none. */
export function usePeople(alertId: string, search: string | undefined): readonly Person[] {
  const { data } = useQuery({
    queryKey: [...alertKey(alertId), 'people', search],
    queryFn: ({ signal }) =>
      apiGet(`${pathOf(alertId)}/people?${new URLSearchParams({ q: search ?? '' })}`, peopleSchema, { signal }),
    enabled: search !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return search === undefined ? [] : (data ?? []).filter(({ canSee }) => canSee).slice(0, MOST_OFFERED);
}

/**
 * Writes a note, or changes the one with this id; what the server has stored is on screen at once. Throws an ApiError.
 */
export async function saveNote(
  client: QueryClient,
  alertId: string,
  noteId: string | undefined,
  body: AddedNote,
): Promise<void> {
  const saved = await (noteId === undefined
    ? apiSend('POST', `${pathOf(alertId)}/notes`, { body, schema: noteSchema })
    : apiSend('PATCH', `${pathOf(alertId)}/notes/${encodeURIComponent(noteId)}`, { body, schema: noteSchema }));
  client.setQueryData(notesQuery(alertId).queryKey, (notes = []) =>
    notes.some(({ id }) => id === saved.id)
      ? notes.map((note) => (note.id === saved.id ? saved : note))
      : [saved, ...notes],
  );
}

/** Deletes a note. Throws an ApiError. */
export const removeNote = (alertId: string, noteId: string, keepalive: boolean): Promise<undefined> =>
  apiSend('DELETE', `${pathOf(alertId)}/notes/${encodeURIComponent(noteId)}`, { keepalive });

const deletions = createPendingDeletions<Note>();

/** Notes that were deleted here but can still be brought back. */
export const pendingNotesAtom = deletions.pendingAtom;
export const markNoteAtom = deletions.markAtom;
