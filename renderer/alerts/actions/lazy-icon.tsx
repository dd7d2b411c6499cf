import { type ComponentType, Suspense, lazy } from 'react';

interface IconProps {
  size?: number;
}

/** An icon that the first screen does not show: it is fetched when it is first drawn, and its place is kept meanwhile. */
export function lazyIcon(load: () => Promise<ComponentType<IconProps>>): ComponentType<IconProps> {
  const Icon = lazy(async () => ({ default: await load() }));
  return function LazyIcon({ size = 16 }) {
    return (
      <Suspense fallback={<span style={{ width: size, height: size }} />}>
        <Icon size={size} />
      </Suspense>
    );
  };
}
