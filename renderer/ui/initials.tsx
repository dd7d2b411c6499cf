import { initialsOf } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as styles from './initials.module.css';

/** The letters that stand for a person. */
export const Initials = ({ name }: { name: string }) => (
  <span className={styles.initials} aria-hidden>
    {initialsOf(inertLine(name))}
  </span>
);
