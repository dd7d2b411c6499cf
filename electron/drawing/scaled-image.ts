import { type NativeImage, nativeImage } from 'electron';
import { type Canvas, createCanvas } from './canvas.ts';

/** The scalings that Windows offers from 100 to 200 %. */
export const SCALE_FACTORS = [1, 1.25, 1.5, 2] as const;

/** An image that is sharp at each scaling, because it is drawn anew for each. @param size in logical pixels */
export function scaledImage(size: number, draw: (canvas: Canvas) => void): NativeImage {
  const image = nativeImage.createEmpty();
  for (const scaleFactor of SCALE_FACTORS) {
    const canvas = createCanvas(Math.round(size * scaleFactor));
    draw(canvas);
    const drawn = nativeImage.createFromBitmap(canvas.pixels, { width: canvas.size, height: canvas.size, scaleFactor });
    // As PNG: a representation from a bitmap would need the platform's own order of bytes.
    image.addRepresentation({ scaleFactor, dataURL: drawn.toDataURL({ scaleFactor }) });
  }
  return image;
}
