/** A stylesheet is imported for its effect: webpack puts it on the page. */
declare module '*.css';
