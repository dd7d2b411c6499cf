import { createContext } from 'react';
import type { NavigateFunction } from 'react-router-dom';

/**
 * Goes to an address as every link does, and, asked with `flushSync`, at once: the router's routes below its first follow
 * addresses in transitions alone.
 */
export const NavigateNow = createContext<NavigateFunction>(() => {
  throw new Error('There is no router');
});
