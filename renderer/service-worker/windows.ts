/** Pages of this origin that are not the app. */
const NOT_THE_APP = /^\/(?:api|metrics|healthz|readyz)\b/;

/** The app's open windows, the one that was in front last first. */
export async function appWindows(clients: Clients): Promise<WindowClient[]> {
  const all = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => !NOT_THE_APP.test(new URL(url).pathname));
}
