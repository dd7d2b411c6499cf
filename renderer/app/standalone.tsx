import type { ReactNode } from 'react';
import './standalone.css';

/** A page by itself, without the main layout around it. */
export function Standalone({ children }: { children: ReactNode }) {
  return <main className="ad-standalone">{children}</main>;
}
