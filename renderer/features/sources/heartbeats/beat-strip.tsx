import { type PointerEvent, useRef, useState } from 'react';
import { type Beat, BEATS_KEPT } from '#backend/contract/heartbeat.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { beatLabel, stripLabel } from './heartbeat-labels.ts';
import * as texts from './texts.tsx';
import * as styles from './beat-strip.module.css';

/** Bars of 2 with gaps of 1, 24 high, in pixels. */
const STEP = 3;
const BAR = 2;
const HEIGHT = 24;
const WIDTH = BEATS_KEPT * STEP - 1;

/** What a bar is drawn as. */
type Look = 'ok' | 'late' | 'missed' | 'unjudged';

const LOOKS: Record<Beat['kind'], Look> = {
  ok: 'ok',
  late: 'late',
  failed: 'missed',
  missing: 'missed',
  overrun: 'missed',
  unjudged: 'unjudged',
};

/** How high a bar is: by how long the run took, from 4 to 20 of the longest; without runs all are alike. */
function heightOf({ kind, durationMs }: Beat, longestMs: number): number {
  const look = LOOKS[kind];
  if (look === 'missed') return HEIGHT;
  if (look === 'late') return 18;
  if (look === 'unjudged') return 2;
  if (longestMs === 0) return 8;
  return 4 + Math.round((16 * (durationMs ?? 0)) / longestMs);
}

interface BeatStripProps {
  name: string;
  beats: readonly Beat[];
  /** Is called with the beat that is walked to. */
  onBeat?: (beat: Beat) => void;
}

/**
 * The last beats as bars, the newest at the right. One tab stop, a slider: the arrows, Home and End walk the beats, and each is read
 * with its time, duration, exit code and last line.
 */
export function BeatStrip({ name, beats, onBeat }: BeatStripProps) {
  const [walked, setWalked] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  const [isFocused, setFocused] = useState(false);
  const isPressed = useRef(false);
  if (beats.length === 0) {
    return (
      <span className={styles.none}>
        <span className="ad-hidden">{texts.noBeats}</span>
      </span>
    );
  }
  const newest = beats.at(-1)?.number ?? 0;
  const number = Math.min(newest, Math.max(beats[0]?.number ?? 0, walked ?? newest));
  const at = Math.max(
    0,
    beats.findIndex((beat) => beat.number === number),
  );
  const walk = (to: number): void => {
    const beat = beats[Math.max(0, Math.min(beats.length - 1, to))];
    if (!beat) return;
    setWalked(beat.number);
    onBeat?.(beat);
  };
  const indexAt = (event: PointerEvent<HTMLElement>): number | undefined => {
    const { right } = event.currentTarget.getBoundingClientRect();
    const fromRight = Math.floor((right - event.clientX) / STEP);
    const index = beats.length - 1 - fromRight;
    return index >= 0 && index < beats.length ? index : undefined;
  };
  const point = (event: PointerEvent<HTMLElement>): void => {
    setPointed(indexAt(event));
    isPressed.current = event.buttons !== 0;
  };
  const stopPointing = (): void => {
    setPointed(undefined);
    isPressed.current = false;
  };
  const shown = pointed ?? (isFocused ? at : undefined);
  const shownBeat = shown === undefined ? undefined : beats[shown];
  return (
    <span
      className={styles.strip}
      onPointerDown={point}
      onPointerMove={point}
      onPointerUp={point}
      onPointerLeave={stopPointing}
    >
      <span className={styles.clip}>
        <Bars beats={beats} marked={shown ?? (onBeat ? at : undefined)} />
      </span>
      <input
        className={styles.range}
        type="range"
        min={1}
        max={beats.length}
        value={at + 1}
        aria-label={`${inertLine(name)}: ${stripLabel(beats)}`}
        aria-valuetext={beats[at] && inertLine(beatLabel(beats[at]))}
        // Keys walk from where the strip stands, wherever the pointer rests: what it shows there gives way, too.
        onKeyDown={stopPointing}
        onChange={({ currentTarget: { valueAsNumber } }) =>
          walk((isPressed.current ? pointed : undefined) ?? valueAsNumber - 1)
        }
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      {shownBeat && (
        <span className={styles.tip} aria-hidden>
          {inertLine(beatLabel(shownBeat))}
        </span>
      )}
    </span>
  );
}

/** One path for each look: fifty strips of a hundred bars are few elements. */
function Bars({ beats, marked }: { beats: readonly Beat[]; marked: number | undefined }) {
  const longestMs = beats.reduce(
    (longest, { kind, durationMs = 0 }) => (LOOKS[kind] === 'ok' ? Math.max(longest, durationMs) : longest),
    0,
  );
  const first = BEATS_KEPT - beats.length;
  const pathOf = (look: Look): string =>
    beats
      .map((beat, index) => {
        if (LOOKS[beat.kind] !== look) return '';
        const height = heightOf(beat, longestMs);
        return `M${(first + index) * STEP} ${HEIGHT - height}h${BAR}v${height}h-${BAR}z`;
      })
      .join('');
  return (
    <svg className={styles.bars} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
      <path className={styles.ok} d={pathOf('ok')} />
      <path className={styles.late} d={pathOf('late')} />
      <path className={styles.missed} d={pathOf('missed')} />
      <path className={styles.unjudged} d={pathOf('unjudged')} />
      {marked !== undefined && (
        <path className={styles.marked} d={`M${(first + marked) * STEP} 0h${BAR}v${HEIGHT}h-${BAR}z`} />
      )}
    </svg>
  );
}

/** What the bars mean. */
export function BeatLegend() {
  const items: [Look, number, string][] = [
    ['ok', 12, texts.inTime],
    ['late', 14, texts.lateLegend],
    ['missed', 18, texts.missedLegend],
    ['unjudged', 2, texts.unjudgedLegend],
  ];
  return (
    <ul className={styles.legend}>
      {items.map(([look, height, text]) => (
        <li key={look}>
          <svg className={styles.bars} width={BAR} height={18} viewBox={`0 0 ${BAR} 18`} aria-hidden>
            <path className={styles[look]} d={`M0 ${(18 - height) / 2}h${BAR}v${height}h-${BAR}z`} />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}
