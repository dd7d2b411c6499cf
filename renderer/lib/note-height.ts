/**
 * Sets how high something is above which others stand, in pixels, as a variable of these: elements with `data-above`. One of
 * the page's root would have the styles of everything worked out again. Without a height there is nothing.
 */
export function setHeight(variable: `--ad-${string}`, height?: number): void {
  const value = height === undefined ? '' : `${height}px`;
  for (const { style } of document.querySelectorAll<HTMLElement>('[data-above]')) style.setProperty(variable, value);
}

/**
 * Keeps the height of an element as a variable of what stands above it.
 *
 * @returns what ends that
 */
export function noteHeight(element: HTMLElement, variable: `--ad-${string}`): () => void {
  const measure = (): void => setHeight(variable, element.offsetHeight);
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  measure();
  return () => {
    observer.disconnect();
    setHeight(variable);
  };
}
