export const leaveWithoutSaving = 'Leave without saving?';
export const leave = 'Leave';
export const stay = 'Stay';
export const secretComesFirst = 'A secret is being created. You can leave once it is shown here.';
