/** What comes later is delayed for as long as the first screen takes, however slow this machine is. */
export const WAIT_FOR_FIRST_SCREEN = `
  const afterwards = window.setTimeout;
  window.setTimeout = (run, ms, ...more) => (ms === 4000 ? 0 : afterwards(run, ms, ...more));
`;
