import { type RefObject, createRef } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { waitFor } from '@testing-library/dom';
import { type SwipeHandlers, Swipes } from '#renderer/alerts/list/swipe.tsx';
import { makeAlert } from '#tests/support/make-alert.ts';

const noop = (): void => {};

test('only the finger that swipes a card ends the swipe', async () => {
  const row = document.createElement('li');
  row.dataset['alertId'] = 'one';
  document.body.append(row);
  const place = document.createElement('div');
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    row.remove();
  });
  const run = vi.fn<() => void>();
  const ref: RefObject<SwipeHandlers | null> = createRef();
  root.render(
    <Swipes ref={ref} onReady={noop} run={run} alertOf={(id) => makeAlert(id)} swiped={undefined} onSwiped={noop} />,
  );
  await waitFor(() => expect(ref.current).not.toBeNull());
  const finger = (pointerId: number, clientX: number, timeStamp: number) =>
    ({
      target: row,
      pointerType: 'touch',
      isPrimary: pointerId === 1,
      pointerId,
      clientX,
      clientY: 200,
      timeStamp,
    }) as never;
  ref.current?.onPointerDown(finger(1, 100, 0));
  ref.current?.onPointerMove(finger(1, 120, 400));
  ref.current?.onPointerUp(finger(2, 400, 500));
  ref.current?.onPointerCancel(finger(2, 400, 500));
  expect(run).not.toHaveBeenCalled();
  ref.current?.onPointerMove(finger(1, 210, 2_000));
  ref.current?.onPointerUp(finger(1, 210, 2_000));
  expect(run).toHaveBeenCalledTimes(1);
});
