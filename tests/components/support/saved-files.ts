import { onTestFinished, vi } from 'vitest';

/** The files that the page saves until the test ends, by name. */
export function watchSaving(): { names: string[]; files: Blob[] } {
  const saved: { names: string[]; files: Blob[] } = { names: [], files: [] };
  vi.stubGlobal(
    'URL',
    Object.assign(class extends URL {}, {
      createObjectURL: (file: Blob) => {
        saved.files.push(file);
        return 'blob:file';
      },
      revokeObjectURL() {},
    }),
  );
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.names.push(this.download);
  });
  onTestFinished(() => {
    click.mockRestore();
    vi.unstubAllGlobals();
  });
  return saved;
}

/** The text of a file, whose own method for that is not in this DOM. */
export const textOf = (file = new Blob()): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.readAsText(file);
  });
