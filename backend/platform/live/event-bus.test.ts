import { expect, test } from 'vitest';
import { type DomainEvent, createEventBus } from './event-bus.ts';

const deleted = (alertId: string): DomainEvent => ({ type: 'alert_deleted', alertId });

test('notifies every subscriber in order, until it unsubscribes', () => {
  const bus = createEventBus(() => expect.unreachable('nobody throws'));
  const received: string[] = [];
  const note = (name: string) => (event: DomainEvent) =>
    received.push(`${name} ${'alertId' in event && event.alertId}`);
  const leave = bus.subscribe(note('one'));
  bus.subscribe(note('two'));
  bus.publish(deleted('a'));
  leave();
  bus.publish(deleted('b'));
  expect(received).toEqual(['one a', 'two a', 'two b']);
});

test('a subscriber that throws hurts nobody else', () => {
  const errors: unknown[] = [];
  const bus = createEventBus((error) => errors.push(error));
  const received: string[] = [];
  const broken = new Error('broken');
  bus.subscribe(() => {
    throw broken;
  });
  bus.subscribe(({ type }) => received.push(type));
  bus.publish(deleted('a'));
  expect(received).toEqual(['alert_deleted']);
  expect(errors).toEqual([broken]);
});
