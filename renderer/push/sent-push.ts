/** In local storage: which push subscription of this browser was sent to the server in the present session. */
const KEY = 'push-sent';

/** The endpoint that was sent since the last sign-in here, `null` when none was. */
export const sentPush = (): string | null => localStorage.getItem(KEY);

/** The server has taken this endpoint. */
export const noteSentPush = (endpoint: string): void => localStorage.setItem(KEY, endpoint);

/** It is to be sent again, and not as a renewal: somebody has signed in, or it was ended. */
export const forgetSentPush = (): void => localStorage.removeItem(KEY);
