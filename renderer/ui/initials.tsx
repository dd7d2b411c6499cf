import { initialsOf } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import './initials.module.css';

/** The letters that stand for a person. */
export const Initials = ({ name }: { name: string }) => (
  <span className="ad-initials" aria-hidden>
    {initialsOf(inertLine(name))}
  </span>
);
