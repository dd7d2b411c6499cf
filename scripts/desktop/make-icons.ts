/** Draws the app's icon of Windows from the product's mark: `node scripts/desktop/make-icons.ts`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '#tests/support/browser.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { type IconImage, encodeIco } from './encode-ico.ts';

/** What Windows shows at 100 to 250 %: title bar, taskbar, desktop, and the big one. */
const SIZES = [16, 20, 24, 32, 40, 48, 64, 96, 256];

/** Runs in the page, which this file's types know nothing of. */
const DRAW = `async ({ svg, size }) => {
  const image = new Image();
  image.src = 'data:image/svg+xml;base64,' + btoa(svg);
  await image.decode();
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, size, size);
  const png = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  return { rgba: [...context.getImageData(0, 0, size, size).data], png: [...png] };
}`;

interface Drawn {
  rgba: number[];
  png: number[];
}

const executablePath = findBrowser();
const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath ? { executablePath } : {}) });
try {
  const page = await browser.newPage();
  const svg = await readFile(join(PROJECT_DIR, 'renderer', 'public', 'icon.svg'), 'utf8');
  const images: IconImage[] = [];
  for (const size of SIZES) {
    const drawn = await page.evaluate<Drawn>(`(${DRAW})(${JSON.stringify({ svg, size })})`);
    images.push({ size, rgba: Uint8Array.from(drawn.rgba), png: Uint8Array.from(drawn.png) });
  }
  const folder = join(PROJECT_DIR, 'electron', 'icons');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'icon.ico'), encodeIco(images));
  await writeFile(join(folder, 'icon.png'), images.at(-1)?.png ?? Buffer.alloc(0));
} finally {
  await browser.close();
}
