import { setImmediate as nextTurn } from 'node:timers/promises';
import { In } from 'typeorm';
import type { Ladder, LadderPerson, LadderRun, PlannedStep } from '#backend/contract/ladder.ts';
import { findAlert } from '#backend/alerts/alert/alert-store.ts';
import { createKnownPeople } from '#backend/outgoing/people/known-people.ts';
import { type ResolveDeps, createResolver, waitOnce } from '#backend/outgoing/people/resolve-recipients.ts';
import { endOf } from './end-ladder.ts';
import {
  GatheredEntity,
  LadderRunEntity,
  LadderStepEntity,
  type StoredGathered,
  type StoredLadderRun,
  type StoredLadderStep,
  type TakenStep,
  ladderOfRun,
  readTaken,
} from './ladder-entities.ts';
import { type Position, timetableOf } from './timetable.ts';

/** Ladders of an alert that are shown. */
const MAX_RUNS = 10;

const isoOf = (at: number): string => new Date(at).toISOString();

const placeOf = ({ position, round, step }: Position) => ({ position, round, step: step?.number ?? null });

/** What a ladder would do from a moment on, with the names of that moment. Nobody is notified. */
export async function previewLadder(deps: ResolveDeps, ladder: Ladder, from: number): Promise<PlannedStep[]> {
  const asked = { alert: undefined, isUrgent: ladder.isUrgent, isUnreadFault: true };
  const resolver = createResolver({ ...deps, whoIsOn: waitOnce(deps) }, asked);
  const steps: PlannedStep[] = [];
  for (const place of timetableOf(ladder)) {
    const at = from + place.afterMs;
    await nextTurn();
    const { to, people, faults } = await resolver.resolve(place.step?.recipients ?? null, at, place.step?.by);
    steps.push({ ...placeOf(place), at: isoOf(at), state: steps.length === 0 ? 'next' : 'later', to, people, faults });
  }
  return steps;
}

/** The ladders of an alert, the newest first: what was done, by the names of then, and what will be, by the names of now. */
export async function findRuns(deps: ResolveDeps, alertId: string): Promise<LadderRun[]> {
  const { reads } = deps.database;
  const runs = await reads
    .getRepository(LadderRunEntity)
    .find({ where: { alertId }, order: { id: 'DESC' }, take: MAX_RUNS });
  if (runs.length === 0) return [];
  const taken = await reads.getRepository(LadderStepEntity).findBy({ runId: In(runs.map(({ id }) => id)) });
  const gathered = await reads.getRepository(GatheredEntity).findBy({ alertId, targetKind: 'member' });
  const alert = await findAlert(reads, alertId);
  // Taken a moment ago: the server that leads writes it down within a second, and no step comes any more.
  const reason = alert ? endOf(alert) : undefined;
  const shared = { ...deps, whoIsOn: waitOnce(deps), people: createKnownPeople(deps) };
  const presented: LadderRun[] = [];
  for (const run of runs) {
    const ladder = ladderOfRun(run);
    const asked = { alert: alert ?? undefined, isUrgent: ladder.isUrgent, isUnreadFault: true };
    const resolver = createResolver(shared, asked);
    const steps: PlannedStep[] = [];
    for (const place of timetableOf(ladder)) {
      const done = taken.find(({ runId, position }) => runId === run.id && position === place.position);
      const at = done?.firedAt ?? run.countedFrom + place.afterMs;
      // Whom a step would notify is decided for each of its people.
      await nextTurn();
      const known = done ? withGathered(done, gathered) : await plannedOf(run, place, resolver, at);
      if (!known) continue;
      const state = done ? 'done' : place.position === run.position ? 'next' : 'later';
      steps.push({ ...placeOf(place), at: isoOf(at), state, ...known });
    }
    const isEnded = run.state === 'ended' || reason !== undefined;
    presented.push({
      id: run.id,
      ruleId: run.ruleId,
      ruleName: run.ruleName,
      isUrgent: ladder.isUrgent,
      repeat: ladder.repeat,
      startedAt: isoOf(run.startedAt),
      endedAt: isEnded ? isoOf(run.endedAt ?? Date.now()) : null,
      endReason: run.endReason ?? reason ?? null,
      endedBy: run.endedBy,
      steps,
    });
  }
  return presented;
}

/** Whom a step notified, and who of them was notified together with other alerts. */
function withGathered(done: StoredLadderStep, gathered: readonly StoredGathered[]): TakenStep {
  const taken = readTaken(done);
  const ofStep = gathered.filter(({ runId, position }) => runId === done.runId && position === done.position);
  const people = taken.people.map((person): LadderPerson => {
    const one = ofStep.find(({ targetId }) => targetId === person.id);
    if (!one) return person;
    const { state, alerts, doneAt } = one;
    return { ...person, gathered: { state, alerts, at: doneAt === null ? null : isoOf(doneAt) } };
  });
  return { ...taken, people };
}

/** What is to come of a ladder; undefined of what an ended one did not do. */
async function plannedOf(
  { state }: StoredLadderRun,
  { step }: Position,
  resolver: ReturnType<typeof createResolver>,
  at: number,
): Promise<Pick<PlannedStep, 'to' | 'people' | 'faults'> | undefined> {
  if (state === 'ended') return undefined;
  const { to, people, faults } = await resolver.resolve(step?.recipients ?? null, at, step?.by);
  return { to, people, faults };
}
