export const critical = (critical: number) => `${critical} critical`;
export const high = (high: number) => `${high} high`;
export const oneOther = '1 other';
export const others = (others: number) => `${others} others`;
