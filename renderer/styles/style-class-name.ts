/** Which style files are CSS modules: their classes belong to one component, and no other file can hit them by accident. */
export const STYLE_MODULE = /([^/\\]+)\.module\.css$/;

/**
 * The name in the page of a style module's class: `panel__head` is the class `head` of `panel.module.css`. Readable and
 * the same in every build, for tests and for whoever inspects the page; file names of style modules are unique.
 */
export const styleClassName = (path: string, local: string): string => `${STYLE_MODULE.exec(path)?.[1]}__${local}`;

/** The classes that a style file's own selectors have, without those of others: `:global(…)` and what `@value` imports. */
export function classesOf(styles: string): Set<string> {
  const text = styles.replace(/\/\*[^]*?\*\//g, '').replace(/:global\([^()]*\)/g, '');
  const imported = new Set(
    [...text.matchAll(/@value ([^;]+) from /g)].flatMap(([, names = '']) => names.match(/[\w-]+(?=,|$)/g) ?? []),
  );
  const selectors = text.match(/[^{};]+(?=\{)/g) ?? [];
  const names = selectors.flatMap((selector) =>
    [...selector.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']) => name),
  );
  return new Set(names.filter((name) => !imported.has(name)));
}
