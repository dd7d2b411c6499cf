/**
 * Keeps the height of an element as a variable of the whole page, for what stands above it.
 *
 * @returns what ends that
 */
export function noteHeight(element: HTMLElement, variable: `--ad-${string}`): () => void {
  const { style } = document.documentElement;
  const measure = (): void => style.setProperty(variable, `${element.offsetHeight}px`);
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  measure();
  return () => {
    observer.disconnect();
    style.removeProperty(variable);
  };
}
