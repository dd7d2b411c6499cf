import { expect, test } from 'vitest';
import { readSidebarState, sidebarCookie } from './use-sidebar.ts';

test('the sidebar is open until it was closed', () => {
  expect(readSidebarState('')).toBe(true);
  expect(readSidebarState('csrf-token=abc; sidebar_state=true')).toBe(true);
  expect(readSidebarState('csrf-token=abc; sidebar_state=false; other=1')).toBe(false);
});

test('the state is remembered for seven days on every page', () => {
  expect(sidebarCookie(false)).toBe('sidebar_state=false; path=/; max-age=604800; SameSite=Lax');
});
