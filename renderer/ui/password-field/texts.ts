export const suggestPassword = 'Suggest a password';
export const atLeastCharacters = (least: number) => `At least ${least} characters`;
export const copyPassword = 'Copy password';
export const hidePassword = 'Hide password';
export const showPassword = 'Show password';
