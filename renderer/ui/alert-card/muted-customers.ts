import { createContext } from 'react';

const NONE: ReadonlySet<string> = new Set<string>();

/** The customers whose cards carry a bell that sleeps, by name; the list provides them for all of its cards. */
export const MutedCustomers = createContext(NONE);
