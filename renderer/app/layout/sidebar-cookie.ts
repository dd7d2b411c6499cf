/** The cookie that remembers whether the sidebar is open, and its lifetime of 7 days in seconds. */
const SIDEBAR_COOKIE = 'sidebar_state';
const SIDEBAR_COOKIE_SECONDS = 604_800;

/** Whether the sidebar was left open, read from all of a document's cookies; open when nothing says otherwise. */
export function readSidebarState(cookies: string): boolean {
  return !cookies.split('; ').includes(`${SIDEBAR_COOKIE}=false`);
}

/** The cookie to set so that the state is remembered. */
export function sidebarCookie(open: boolean): string {
  return `${SIDEBAR_COOKIE}=${open}; path=/; max-age=${SIDEBAR_COOKIE_SECONDS}; SameSite=Lax`;
}
