import { readFileSync } from 'node:fs';
import { decodePng, encodePng } from './png.ts';

/** Pixels of one scaling: four bytes each, blue first on the platforms that matter here. */
export interface Representation {
  width: number;
  height: number;
  bgra: Buffer;
}

type Members = 'isEmpty' | 'getSize' | 'getScaleFactors' | 'toBitmap' | 'toPNG' | 'toDataURL' | 'addRepresentation';

/** An image with its representations by scale factor. PNGs are really read and written. */
export class DoubleNativeImage implements Pick<Electron.NativeImage, Members> {
  #representations = new Map<number, Representation>();

  isEmpty(): boolean {
    return this.#representations.size === 0;
  }

  getScaleFactors(): number[] {
    return [...this.#representations.keys()].sort((one, other) => one - other);
  }

  getSize(scaleFactor = 1): Electron.Size {
    const [firstScale = 1] = this.getScaleFactors();
    const at = this.#representations.has(scaleFactor) ? scaleFactor : firstScale;
    const found = this.#representations.get(at);
    return { width: Math.round((found?.width ?? 0) / at), height: Math.round((found?.height ?? 0) / at) };
  }

  toBitmap({ scaleFactor = 1 }: Electron.ToBitmapOptions = {}): Buffer {
    return Buffer.from(this.#at(scaleFactor).bgra);
  }

  toPNG({ scaleFactor = 1 }: Electron.ToPNGOptions = {}): Buffer {
    const { width, height, bgra } = this.#at(scaleFactor);
    return encodePng(width, height, swapRedAndBlue(bgra));
  }

  toDataURL({ scaleFactor = 1 }: Electron.ToDataURLOptions = {}): string {
    return `data:image/png;base64,${this.toPNG({ scaleFactor }).toString('base64')}`;
  }

  /** What Windows' icons are made of: the representation at 1 alone (gfx::Image::AsBitmap). */
  asBitmap(): Representation {
    return this.#at(1);
  }

  addRepresentation({ scaleFactor = 1, dataURL, buffer, width, height }: Electron.AddRepresentationOptions): void {
    if (dataURL !== undefined) {
      this.put(scaleFactor, fromPng(Buffer.from(dataURL.slice(dataURL.indexOf(',') + 1), 'base64')));
    } else if (buffer && width !== undefined && height !== undefined) {
      this.put(scaleFactor, { width, height, bgra: Buffer.from(buffer) });
    } else throw new Error('An image needs a dataURL, or a buffer with width and height.');
  }

  put(scaleFactor: number, representation: Representation): void {
    if (representation.bgra.length !== representation.width * representation.height * 4) {
      throw new Error('invalid buffer size');
    }
    this.#representations.set(scaleFactor, representation);
  }

  #at(scaleFactor: number): Representation {
    const found = this.#representations.get(scaleFactor);
    if (!found) throw new Error(`The image has no representation at ${scaleFactor}.`);
    return found;
  }
}

/** Electron's `nativeImage`. */
export const doubleNativeImage = {
  createEmpty: () => new DoubleNativeImage(),
  createFromPath(path: string) {
    const image = new DoubleNativeImage();
    image.put(1, fromPng(readFileSync(path)));
    return image;
  },
  createFromDataURL(dataURL: string) {
    const image = new DoubleNativeImage();
    image.addRepresentation({ dataURL });
    return image;
  },
  createFromBitmap(buffer: Buffer, { width, height, scaleFactor = 1 }: Electron.CreateFromBitmapOptions) {
    const image = new DoubleNativeImage();
    image.put(scaleFactor, { width, height, bgra: Buffer.from(buffer) });
    return image;
  },
} satisfies {
  [M in 'createEmpty' | 'createFromPath' | 'createFromDataURL' | 'createFromBitmap']: (
    ...parameters: Parameters<(typeof Electron.nativeImage)[M]>
  ) => Pick<Electron.NativeImage, Members>;
};

function fromPng(png: Buffer): Representation {
  const { width, height, rgba } = decodePng(png);
  return { width, height, bgra: swapRedAndBlue(rgba) };
}

function swapRedAndBlue(pixels: Buffer): Buffer {
  const swapped = Buffer.from(pixels);
  for (let at = 0; at < swapped.length; at += 4) {
    swapped[at] = pixels[at + 2] ?? 0;
    swapped[at + 2] = pixels[at] ?? 0;
  }
  return swapped;
}
