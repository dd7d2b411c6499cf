import { type ComponentType, lazy } from 'react';

/**
 * A part beside a screen's own matter, fetched after it. Where it cannot be fetched (the network broke off, another
 * version was installed meanwhile) it is left out, and the screen stays.
 */
export const lazyExtra = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy<ComponentType<P>>(async () => ({ default: await load().catch(() => () => null) }));
