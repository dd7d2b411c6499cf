/** One replacement in a library's file. */
export interface LibraryCut {
  find: RegExp;
  /** As the second argument of `replaceAll`. */
  replace: string;
}

/** Cuts of the files whose path matches. */
export interface CutFile {
  file: RegExp;
  /** The SHA-256 of the file that the cuts were made for, where they would silently mean something else in another. */
  digest?: string;
  cuts: LibraryCut[];
}
