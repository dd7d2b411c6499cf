import { memo, useEffect, useMemo, useRef } from 'react';
import type { JsonLine } from '#renderer/lib/json-lines.ts';
import { keyed } from '#renderer/features/sources/shown/keyed.ts';
import { inertText } from '#renderer/lib/inert-text.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './request-panel.module.css';
import * as codeBoxStyles from '#renderer/features/sources/shown/code-box.module.css';

interface BodyLinesProps {
  lines: readonly JsonLine[];
  /** The line that a field comes from, or -1. */
  marked: number;
  /** The line that was found last, or -1. */
  current: number;
  /** What is looked for. */
  text: string;
}

/** Lines of a part that the browser draws only when it comes into view. */
const PART = 200;

/** A body with line numbers. It scrolls by itself, to the line that is marked or found. */
export const BodyLines = memo(function BodyLines({ lines, marked, current, text }: BodyLinesProps) {
  const box = useRef<HTMLElement>(null);
  const wanted = text.trim().toLowerCase();
  const shown = current === -1 ? marked : current;
  const parts = useMemo(() => {
    const all = keyed(lines);
    return Array.from({ length: Math.ceil(all.length / PART) }, (_, part) => all.slice(part * PART, (part + 1) * PART));
  }, [lines]);
  useEffect(() => {
    if (shown === -1) return;
    box.current?.querySelector(`[data-line="${shown}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <ScrollRegion ref={box} label={texts.body} className={styles.lines}>
      {parts.map((part) => (
        <div
          key={part[0]?.key}
          className={styles.part}
          style={{ containIntrinsicHeight: `auto ${part.length * 18}px` }}
        >
          {part.map(({ key, item: { depth, name, text: value } }) => {
            const place = Number(key);
            const isHit = wanted !== '' && `${name ?? ''} ${value}`.toLowerCase().includes(wanted);
            return (
              <div
                key={key}
                data-line={place}
                className={classNames(
                  styles.line,
                  place === marked && styles.line_marked,
                  isHit && styles.line_hit,
                  place === current && styles.line_current,
                )}
              >
                <span className={styles.number}>{place + 1}</span>
                <span className={styles.text} style={{ paddingInlineStart: `${depth * 2}ch` }}>
                  {name !== undefined && (
                    <>
                      <span className={codeBoxStyles.code_name}>{inertText(name)}</span>:{' '}
                    </>
                  )}
                  {inertText(value)}
                </span>
              </div>
            );
          })}
        </div>
      ))}
    </ScrollRegion>
  );
});
