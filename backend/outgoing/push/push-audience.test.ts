import { expect, test } from 'vitest';
import { createAlertBacklog } from './push-audience.ts';

const fill = (count: number, capacity = 4) => {
  const backlog = createAlertBacklog(capacity);
  const letGo = Array.from({ length: count }, (_, index) =>
    backlog.add({
      id: `${index + 1}`,
      customer: null,
      alertType: null,
      sourceId: null,
      ownerId: null,
      isTest: false,
      severity: 'none',
      isBack: false,
    }),
  );
  const ids = (cursor: number, head = backlog.head) => backlog.between(cursor, head).alerts.map(({ id }) => id);
  return { backlog, letGo, ids };
};

test('keeps what came after a cursor, oldest first', () => {
  const { backlog, ids } = fill(3);
  expect([ids(0), ids(2), ids(3), ids(0, 2)]).toEqual([['1', '2', '3'], ['3'], [], ['1', '2']]);
  expect([backlog.head, backlog.between(0, 3).isCut]).toEqual([3, false]);
});

test('lets the oldest go when it is full, and says what is missing', () => {
  const { backlog, letGo, ids } = fill(6);
  expect(letGo).toEqual([-3, -2, -1, 0, 1, 2]);
  expect(ids(0)).toEqual(['3', '4', '5', '6']);
  expect([backlog.between(1, 6).isCut, backlog.between(2, 6).isCut]).toEqual([true, false]);
});

test('forgets what everybody was sent, and that only', () => {
  const { backlog, ids } = fill(6);
  backlog.forget(4);
  expect(ids(0)).toEqual(['5', '6']);
  backlog.forget(2);
  backlog.add({
    id: '7',
    customer: null,
    alertType: null,
    sourceId: null,
    ownerId: null,
    isTest: false,
    severity: 'none',
    isBack: false,
  });
  expect(ids(4)).toEqual(['5', '6', '7']);
  backlog.forget(7);
  expect(ids(0)).toEqual([]);
});

test('is without what was withdrawn, until that is restored', () => {
  const { backlog, ids } = fill(6);
  for (const id of ['4', '6', '1', 'unknown']) backlog.withdraw(id);
  expect(ids(0)).toEqual(['3', '5']);
  expect(backlog.between(2, 6).isCut).toBe(false);
  backlog.restore('4');
  expect(ids(0)).toEqual(['3', '4', '5']);
});
