/**
 * Notes the page that is open, and says, when an answer has come late, whether it still is: who has gone to another one is
 * led nowhere. A page that was left may be drawn a little longer.
 */
export function notePage(): () => boolean {
  const { pathname } = window.location;
  return () => window.location.pathname === pathname;
}
