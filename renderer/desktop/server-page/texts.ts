export const chooseThisComputer = 'Use this computer';
export const thisComputerHint =
  'The server runs inside this app, and alerts are stored here. It receives alerts while the app is running.';
export const keepUsingThisComputer = 'Keep using this computer';
export const yourServers = 'Your servers';
export const inUse = 'in use';
export const goBack = 'Go back';
export const goBackTo = (name: string) => `Go back to ${name}`;
export const forget = 'Forget';
export const forgetServer = (name: string) => `Forget ${name}`;
export const switchServer = 'Switch';
export const switchTo = (name: string) => `Switch to ${name}`;
export const thisComputer = 'This computer';
export const shareOnThisNetwork = 'Share on this network';
export const shareHint =
  'Anyone on your network can then open the sign-in page and post to the webhook. Passwords and alerts travel unencrypted. Share only on a network that you trust.';
export const addressesForOthers = 'Addresses for others';
export const connectToTeamServer = 'Connect to a team server';
export const yourTeamsServerHasAddress = 'Your team’s server has an address that begins with https://.';
export const serverAddress = 'Server address';
export const keepCurrentServer = 'Keep the current server';
export const connect = 'Connect';

export const about = 'About';
export const quit = 'Quit';
export const connectingTo = (host: string) => `Connecting to ${host}…`;
export const starting = 'Starting…';
export const updatingData = (done: number, total: number) =>
  `Updating the data on this computer: ${done} of ${total} steps done`;
export const dataUpdate = 'Data update';
export const updatingDataHint =
  'This happens once after an app update and may take a few minutes. If you quit, it continues the next time you start the app.';
export const serverCannotBeReached = 'The server cannot be reached';
export const versionsAreNotCompatible = 'The versions are not compatible';
export const pageStoppedWorking = 'The page stopped working';
export const retryingEvery15Seconds = 'Retrying every 15 seconds.';
export const getInstaller = 'Get the installer';
export const chooseAnotherServer = 'Choose another server';
