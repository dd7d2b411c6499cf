export const flapping = 'Flapping';
export const rhythmHint = 'Open (high) and closed (low) over time';
