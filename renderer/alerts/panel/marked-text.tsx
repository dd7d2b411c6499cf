import * as styles from '#renderer/alerts/search/hits.module.css';

/** More of a value than anybody reads; the rest would only burden the page. */
const MOST = 4_000;

/** A text in which what is looked for is marked, in whatever case. */
export function MarkedText({ text, search }: { text: string; search: string }) {
  const shown = text.length > MOST ? `${text.slice(0, MOST)}…` : text;
  if (search === '') return shown;
  return partsOf(shown, search).map(({ at, part, isHit }) =>
    isHit ? (
      <mark key={at} className={styles.hit}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

/** The text cut where a hit begins and ends; `at` is where the part stands. */
export function partsOf(text: string, search: string): { at: number; part: string; isHit: boolean }[] {
  const [lower, wanted] = [text.toLowerCase(), search.toLowerCase()];
  // Some letters change their length with their case; then places in the one are none in the other.
  if (lower.length !== text.length || wanted === '') return [{ at: 0, part: text, isHit: false }];
  const parts: { at: number; part: string; isHit: boolean }[] = [];
  let at = 0;
  for (let hit = lower.indexOf(wanted); hit !== -1; hit = lower.indexOf(wanted, at)) {
    if (hit > at) parts.push({ at, part: text.slice(at, hit), isHit: false });
    at = hit + wanted.length;
    parts.push({ at: hit, part: text.slice(hit, at), isHit: true });
  }
  if (at < text.length) parts.push({ at, part: text.slice(at), isHit: false });
  return parts;
}
