import { expect, test } from 'vitest';
import { classesOf, styleClassName } from './style-class-name.ts';

test('a class of a style module is named after the file', () => {
  expect(styleClassName('/app/renderer/ui/panel/panel.module.css', 'head')).toBe('panel__head');
  expect(styleClassName('C:\\app\\renderer\\ui\\copy-button.module.css', 'root')).toBe('copy-button__root');
});

test('a style file has the classes of its own selectors', () => {
  const styles = `
    @value row as list__row, head from '#renderer/ui/list.module.css';
    /* Not .this one. */
    .card:not(.card_wide, :global(.bp6-card)) > .head,
    .list__row .title::before { margin: 0.5em; }
    @media (max-width: 767.98px) { .status_in-progress { color: red } }
  `;
  expect([...classesOf(styles)]).toEqual(['card', 'card_wide', 'title', 'status_in-progress']);
});
