export const sourceNotFound = 'Source not found';
export const thisSourceMayHaveBeen = 'This source may have been deleted.';
export const allSources = 'All sources';
export const source = 'The source';
export const sourceInText = 'the source';
