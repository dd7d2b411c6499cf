export const alert = 'Alert';
