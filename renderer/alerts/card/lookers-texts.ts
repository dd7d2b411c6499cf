export const isLooking = (firstName: string) => `${firstName} is looking`;
export const areLooking = (namesCount: number) => `${namesCount} are looking`;
