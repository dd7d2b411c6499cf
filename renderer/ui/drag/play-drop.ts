/** Duration of the drop animation in milliseconds; the same as `--ad-duration-drop`. */
const DROP_MS = 140;

/** Marks the copy that plays a drop, which is nobody's overlay any more. */
const GHOST = 'ad-drag-ghost';

/** Ends the drop that is still being played: the next drag has begun, and shows the only overlay. */
export function endPlayedDrop(): void {
  for (const ghost of document.querySelectorAll(`.${GHOST}`)) ghost.remove();
}

/** Lets a copy of the overlay shrink to the dot of the folder that it was dropped on. */
export function playDrop(overlay: HTMLElement, target: string): void {
  endPlayedDrop();
  const place = document.querySelector(`[data-drop-target="${CSS.escape(target)}"]`);
  const dot = (place?.querySelector('.ad-folder-dot, svg') ?? place)?.getBoundingClientRect();
  if (!dot || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const from = overlay.getBoundingClientRect();
  const ghost = overlay.cloneNode(true) as HTMLElement;
  ghost.classList.add(GHOST);
  ghost.style.transformOrigin = '0 0';
  document.body.append(ghost);
  const move = `translate(${dot.x - from.x}px, ${dot.y - from.y}px) scale(${dot.width / from.width})`;
  const animation = ghost.animate(
    { transform: ['none', move], opacity: [1, 0.4] },
    { duration: DROP_MS, easing: 'cubic-bezier(0.4, 1, 0.75, 0.9)' },
  );
  animation.addEventListener('finish', () => ghost.remove());
  animation.addEventListener('cancel', () => ghost.remove());
}
