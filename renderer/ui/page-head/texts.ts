export const backToTitle = (title: string) => `Back to ${title}`;
