export const token = 'token';
export const tokens = 'tokens';
