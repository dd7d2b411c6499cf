import { useEffect, useState } from 'react';

/** Scrolled by less than this, in pixels, the list counts as at its top. */
const TOP_PX = 40;

/** Whether the page is scrolled to its top. */
export function useIsAtTop(): boolean {
  const [isAtTop, setAtTop] = useState(true);
  useEffect(() => {
    const content = document.querySelector('#content');
    if (!content) return undefined;
    const onScroll = (): void => setAtTop(content.scrollTop < TOP_PX);
    content.addEventListener('scroll', onScroll, { passive: true });
    return () => content.removeEventListener('scroll', onScroll);
  }, []);
  return isAtTop;
}
