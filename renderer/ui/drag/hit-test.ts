import type { CollisionDetection } from '@dnd-kit/core';

/** A place in the window, in pixels. */
export interface Point {
  x: number;
  y: number;
}

/** Finds what a drag is over, and remembers where it was the last time it was asked. */
export interface HitTest {
  detect: CollisionDetection;
  point: () => Point | undefined;
}

/**
 * Finds what is under the pointer, or for the keyboard under the middle of what is dragged: as it is on screen, so that
 * rows which are scrolled away or covered take nothing.
 */
export function createHitTest(): HitTest {
  let point: Point | undefined;
  return {
    point: () => point,
    detect: ({ pointerCoordinates, collisionRect, droppableContainers }) => {
      point = pointerCoordinates ?? {
        x: collisionRect.left + collisionRect.width / 2,
        y: collisionRect.top + collisionRect.height / 2,
      };
      const element = document.elementFromPoint(point.x, point.y)?.closest<HTMLElement>('[data-drop-target]');
      const container = droppableContainers.find(({ id }) => id === element?.dataset['dropTarget']);
      if (!element || !container) return [];
      // The sidebar's elements come and go while one drags: this is the one that is there now.
      container.node.current = element;
      container.rect.current = element.getBoundingClientRect();
      return [{ id: container.id }];
    },
  };
}
