import { type ReactNode, createContext } from 'react';

/** What to do where this page's address leads to this computer alone; undefined where that is up to the server's settings. */
export const LocalAddressAdvice = createContext<ReactNode>(undefined);
