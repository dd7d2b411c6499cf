import {
  KeyboardCode,
  type KeyboardCodes,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';

/** Distance the pointer moves before a drag starts, and distance an arrow key drags, in pixels. */
const ACTIVATION_DISTANCE = 8;
const KEYBOARD_STEP = 25;

const KEYS: KeyboardCodes = {
  start: [KeyboardCode.Space, KeyboardCode.Enter],
  end: [KeyboardCode.Space, KeyboardCode.Enter],
  // Going elsewhere is not dropping.
  cancel: [KeyboardCode.Esc, KeyboardCode.Tab],
};

const step: KeyboardCoordinateGetter = ({ code }, { currentCoordinates: { x, y } }) => {
  switch (code) {
    case KeyboardCode.Left:
      return { x: x - KEYBOARD_STEP, y };
    case KeyboardCode.Right:
      return { x: x + KEYBOARD_STEP, y };
    case KeyboardCode.Up:
      return { x, y: y - KEYBOARD_STEP };
    case KeyboardCode.Down:
      return { x, y: y + KEYBOARD_STEP };
    default:
      return undefined;
  }
};

/** How alerts are dragged: by pointer and by keyboard. */
export const useAlertSensors = () =>
  useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: ACTIVATION_DISTANCE } }),
    useSensor(KeyboardSensor, { keyboardCodes: KEYS, coordinateGetter: step }),
  );
