/** How long the browser may take to read a file's address after the click has returned, in milliseconds. */
const READ_MS = 60_000;

/** Has the browser save a file under a name, where it saves downloads. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}
