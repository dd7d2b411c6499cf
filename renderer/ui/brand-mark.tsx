import { NotificationsIcon } from '@blueprintjs/icons';

/** The product's mark: a white bell on the accent. `size` is the side of the square in pixels. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <span className="ad-brand-mark" style={{ width: size, height: size, borderRadius: size * 0.215 }} aria-hidden>
      <NotificationsIcon size={size > 32 ? 20 : 16} />
    </span>
  );
}
