import type { PlannedStep } from '#backend/contract/ladder.ts';

/** When a step comes: "At once", "After 5 min", "After 1 h 30 min". */
export function afterLabel(minutes: number): string {
  if (minutes === 0) return 'At once';
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `After ${[hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter((part) => part !== '').join(' ')}`;
}

/** What a step of a timetable is called: "Step 2", "Repeat 1, step 2", "Not taken". */
export function stepLabel({ round, step }: Pick<PlannedStep, 'round' | 'step'>): string {
  if (step === null) return 'Not taken';
  return round === 0 ? `Step ${step}` : `Repeat ${round}, step ${step}`;
}
