import type { LadderPerson } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as texts from './next-steps-texts.ts';

/** People of whom the same is said. */
export interface PeopleNote {
  names: string;
  /** By what they are notified, or why they are not. */
  note: string;
  isFault: boolean;
}

function noteOf({ without, by, gathered }: LadderPerson): Omit<PeopleNote, 'names'> {
  if (without !== undefined) return { note: texts.WITHOUT[without], isFault: true };
  if (gathered?.state === 'dropped') return { note: texts.gatheredDropped, isFault: false };
  if (by.length === 0) return { note: texts.notReached, isFault: true };
  if (gathered?.state === 'waiting') return { note: texts.gatheredWaiting, isFault: false };
  const note = texts.reachedBy(by.map(inertLine).join(', ')) + texts.gatheredSent(gathered?.alerts ?? 1);
  return { note, isFault: false };
}

/** Whom a step notifies and by what, those of whom the same is said together; who is not reached last. */
export function peopleNotes(people: readonly LadderPerson[]): PeopleNote[] {
  const notes = [...Map.groupBy(people, (person) => noteOf(person).note)].map(([note, some]): PeopleNote => {
    const names = some.map(({ displayName }) => inertLine(displayName)).join(', ');
    return { names, note, isFault: some.some((one) => noteOf(one).isFault) };
  });
  return notes.toSorted((one, other) => Number(one.isFault) - Number(other.isFault));
}
