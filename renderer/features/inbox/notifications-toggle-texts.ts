export const notifications = (isOn: boolean) => `Notifications ${isOn ? 'On' : 'Off'}`;
export const pausedUntil = (until: string) => `Paused until ${until}`;
export const resume = 'Resume';
