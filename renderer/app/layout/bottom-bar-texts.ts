export const lists = 'Lists';
export const search = 'Search';
