import type { NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import { parseSearch } from '#backend/contract/search.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import { isMemberNamed, isSourceNamed, narrowList } from './narrow-list.ts';

/** The search of a rule or a window is nobody's: it knows no "me". */
const NOBODY = { id: '', displayName: '', email: '' };

/**
 * The alerts that the search of a rule or a window stands for, with names as they are now. Both are about what senders report: a
 * note, which no report has with it, would be found here and not by who judges reports.
 *
 * @throws {ProblemError} 400 where it is not understood, or names too many members, customers or types by now
 */
export const narrowStored = async (
  database: Pick<Database, 'reads' | 'dialect'>,
  search: string,
  completion?: 'open',
): Promise<NarrowedList> => ({
  ...(await narrowList(database, NOBODY, { list: 'all' }, { search, completion })),
  isWithoutNotes: true,
});

/**
 * Why the search of a rule or a window finds less than it says: it is not understood any more, or names a source or a member
 * that nobody is called, such as after a rename. Undefined when nothing is wrong.
 */
export async function faultOfSearch(
  database: Pick<Database, 'reads' | 'dialect'>,
  search: string,
): Promise<string | undefined> {
  try {
    await narrowStored(database, search);
  } catch (error) {
    if (error instanceof ProblemError) return error.message;
    throw error;
  }
  const { source, owner } = parseSearch(search, { now: Date.now(), timeZone: 'UTC' });
  for (const name of source) if (!(await isSourceNamed(database, name))) return `No source is called “${name}” now.`;
  for (const name of owner) if (!(await isMemberNamed(database, name))) return `No member is called “${name}” now.`;
  return undefined;
}
