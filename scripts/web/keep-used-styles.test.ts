import { expect, test } from 'vitest';
import { keepUsedStyles } from './keep-used-styles.ts';

const squeeze = (css: string): string => css.replaceAll(/\s+/g, ' ').trim();

const keep = (css: string, ...modules: string[]): string =>
  squeeze(keepUsedStyles(`@layer blueprint { ${css} }`, modules));

test('rules stay whose classes a module names, or gives by a prop', () => {
  const css = '.bp6-card { top: 0 } .bp6-card.bp6-intent-danger { top: 1px } .bp6-card.bp6-intent-success { top: 2px }';
  expect(keep(css, 'Classes.CARD; jsx(Card, { intent: isLast ? "danger" : undefined })')).toBe(
    '@layer blueprint { .bp6-card { top: 0 } .bp6-card.bp6-intent-danger { top: 1px } }',
  );
});

test('of a rule with several selectors those stay that can match, and a class after :not is not asked for', () => {
  expect(keep('.bp6-card:not(.bp6-dialog), .bp6-dialog, p { top: 0 }', 'Classes.CARD')).toBe(
    '@layer blueprint { .bp6-card:not(.bp6-dialog), p { top: 0 } }',
  );
});

test('of all parts of the app what they might name stays, too: parts, transitions, modifiers and imported names', () => {
  const css = `
    .bp6-popover-enter { top: 0 } .bp6-popover-arrow-border { top: 1px } .bp6-html-select.bp6-intent-success { top: 2px }
    .bp6-tree-node { top: 3px } .bp6-icon-add { top: 4px }`;
  const modules = ['classNames(HTML_SELECT, Classes.POPOVER)', 'Classes.ICON'];
  expect(squeeze(keepUsedStyles(`@layer blueprint { ${css} }`, modules, true))).toBe(
    squeeze(`@layer blueprint {
    .bp6-popover-enter { top: 0 } .bp6-popover-arrow-border { top: 1px } .bp6-html-select.bp6-intent-success { top: 2px } }`),
  );
  expect(keep(css, ...modules)).toBe('');
});

/** A rule for cards without any intent, asked for in two ways, and one for those of any. */
const aboutIntents = (not: string, alone: string, one: string): string => `
  .bp6-card:not(${not}) p, .bp6-card:not(${alone}, .bp6-minimal) { top: 0 } .bp6-card${one} { top: 1px }`;

test('selectors name the intents, so that no change of another class concerns them', () => {
  const all = '.bp6-intent-primary, .bp6-intent-success, .bp6-intent-warning, .bp6-intent-danger';
  const written = aboutIntents('[class*="bp6-intent-"]', '[class*=bp6-intent-]', "[class*='bp6-intent']");
  expect(keep(written, 'Classes.CARD')).toBe(squeeze(`@layer blueprint { ${aboutIntents(all, all, `:is(${all})`)} }`));
});

test('of icons that are letters of a font nothing stays', () => {
  expect(keep('.bp6-card[class*="bp6-icon-"]::before, .bp6-card { top: 0 }', 'Classes.CARD')).toBe(
    '@layer blueprint { .bp6-card { top: 0 } }',
  );
});

test('variables and animations go with the last rule that names them', () => {
  const css = `
    :root { --bp-a: var(--bp-b); --bp-b: 1px; --bp-c: 2px; --bp-d: 3px }
    .bp6-card { top: var(--bp-a); animation: glow 1s }
    .bp6-dialog { top: var(--bp-c); animation: fade 1s }
    @keyframes glow { to { opacity: 0 } }
    @keyframes fade { to { opacity: 0 } }`;
  expect(keep(css, 'Classes.CARD', 'read("--bp-d")')).toBe(
    squeeze(`@layer blueprint {
    :root { --bp-a: var(--bp-b); --bp-b: 1px; --bp-d: 3px }
    .bp6-card { top: var(--bp-a); animation: glow 1s }
    @keyframes glow { to { opacity: 0 } } }`),
  );
});

test('what is not Blueprint’s stays as it is', () => {
  const css = '@layer base, blueprint; .bp6-dialog { top: 0 } @layer base { .bp6-menu { top: 0 } }';
  expect(squeeze(keepUsedStyles(css, []))).toBe(css);
});
