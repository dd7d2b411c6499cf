export const alert = 'Alert';
export const group = 'Group of alerts';

export const acceptQuestion = 'Accept this alert?';
export const acceptHint = 'It moves from the inbox to your alerts, and everybody sees that you have it.';
export const accept = 'Accept';
export const cancel = 'Cancel';
