export const moreToFind = (count: number, isAtLeast: boolean) =>
  `${count}${isAtLeast ? '+' : ''} more, type to find them`;
export const searching = 'Searching…';
export const nothingFound = 'Nothing found';
export const hide = 'Hide';
export const show = 'Show';
