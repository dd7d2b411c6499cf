import { expect, test } from 'vitest';
import { type DomainEvent, createEventBus } from '#backend/live/event-bus.ts';

const deleted = (alertId: string): DomainEvent => ({ type: 'alert_deleted', alertId });

test('tells every subscriber in order, until it unsubscribes', () => {
  const bus = createEventBus(() => expect.unreachable('nobody throws'));
  const heard: string[] = [];
  const note = (name: string) => (event: DomainEvent) => heard.push(`${name} ${'alertId' in event && event.alertId}`);
  const leave = bus.subscribe(note('one'));
  bus.subscribe(note('two'));
  bus.publish(deleted('a'));
  leave();
  bus.publish(deleted('b'));
  expect(heard).toEqual(['one a', 'two a', 'two b']);
});

test('a subscriber that throws hurts nobody else', () => {
  const errors: unknown[] = [];
  const bus = createEventBus((error) => errors.push(error));
  const heard: string[] = [];
  const broken = new Error('broken');
  bus.subscribe(() => {
    throw broken;
  });
  bus.subscribe(({ type }) => heard.push(type));
  bus.publish(deleted('a'));
  expect(heard).toEqual(['alert_deleted']);
  expect(errors).toEqual([broken]);
});
