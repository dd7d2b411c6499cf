import process from 'node:process';
import { type NativeImage, nativeImage } from 'electron';
import { type Canvas, createCanvas } from './canvas.ts';

/** The scalings of displays that systems other than Windows pick from by themselves. */
const SCALE_FACTORS = [1, 2] as const;

/**
 * An image for the tray that is sharp on a display of this scaling. Windows gets one of exactly as many pixels as it shows:
 * Electron makes its icon of the representation at 1 alone. Others choose among representations.
 *
 * @param size in logical pixels
 */
export function scaledImage(size: number, scaleFactor: number, draw: (canvas: Canvas) => void): NativeImage {
  const drawn = (pixels: number): NativeImage => {
    const canvas = createCanvas(Math.round(pixels));
    draw(canvas);
    return nativeImage.createFromBitmap(canvas.pixels, { width: canvas.size, height: canvas.size });
  };
  if (process.platform === 'win32') return drawn(size * scaleFactor);
  const image = nativeImage.createEmpty();
  // As PNG: a representation from a bitmap would need the platform's own order of bytes.
  for (const scale of SCALE_FACTORS)
    image.addRepresentation({ scaleFactor: scale, dataURL: drawn(size * scale).toDataURL() });
  return image;
}
