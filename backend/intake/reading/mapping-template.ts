import { type MappingPath, type PathError, readPath } from './mapping-path.ts';

/** Most values that one template names. */
const MAX_PLACES = 20;

/** A template: fixed text, and paths whose values stand in between. */
export interface Template {
  parts: readonly (string | TemplatePath)[];
}

/** A path of a template, as it was written. */
export interface TemplatePath {
  path: MappingPath;
  written: string;
}

/** Whether a text is meant as a template. Fixed text (`=…`) is not, and neither is a path that has braces in a quoted name. */
export const isTemplate = (written: string): boolean =>
  written.includes('{{') && !written.trimStart().startsWith('=') && 'error' in readPath(written);

/**
 * Reads a template such as `{{name}} is {{status}}`: between `{{` and `}}` stands any path that a field can have. Nothing
 * else in it has a meaning; there are no calls and no loops.
 */
export function readTemplate(written: string): Template | PathError {
  const parts: (string | TemplatePath)[] = [];
  let places = 0;
  let at = 0;
  while (at < written.length) {
    const open = written.indexOf('{{', at);
    const text = written.slice(at, open === -1 ? undefined : open);
    const stray = text.indexOf('}}');
    if (stray !== -1) return { error: `${placeOf(written, at + stray)}: }} closes nothing. Add {{ before the path.` };
    if (text !== '') parts.push(text);
    if (open === -1) break;
    const close = written.indexOf('}}', open + 2);
    const inside = written.slice(open + 2, close === -1 ? undefined : close);
    if (close === -1 || inside.includes('{{')) {
      return { error: `${placeOf(written, open)}: {{ is not closed. Add }} behind the path.` };
    }
    if (inside.trim() === '') return { error: `${placeOf(written, open)}: There is no path between {{ and }}.` };
    const path = readPath(inside);
    if ('error' in path) return { error: `${placeOf(written, open + 2)}: ${path.error}` };
    parts.push({ path, written: inside.trim() });
    places += 1;
    if (places > MAX_PLACES) {
      return { error: `${placeOf(written, open)}: A template has at most ${MAX_PLACES} paths.` };
    }
    at = close + 2;
  }
  return { parts };
}

/** Where a character stands, counted from 1: "Line 2, character 5". */
export function placeOf(text: string, index: number): string {
  const before = text.slice(0, index).split('\n');
  return `Line ${before.length}, character ${(before.at(-1) ?? '').length + 1}`;
}
