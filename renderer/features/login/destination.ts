import type { Path } from 'react-router-dom';
import * as z from 'zod/mini';

const arrivalSchema = z.object({
  from: z.object({ pathname: z.string().check(z.startsWith('/')), search: z.string(), hash: z.string() }),
});

/**
 * Where to go after signing in: where the guard says that the person wanted to go, else the inbox. The history state
 * outlives a version of the app, so it is read as what it is: unknown.
 */
export function destinationOf(state: unknown): Path {
  const arrival = arrivalSchema.safeParse(state);
  return arrival.success ? arrival.data.from : { pathname: '/', search: '', hash: '' };
}
