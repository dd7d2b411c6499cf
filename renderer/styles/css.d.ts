/**
 * A stylesheet is imported for its effect: webpack puts it on the page. A style module is imported for its classes, too;
 * that they are there is held by the build and by tests/layout/style-modules.test.ts.
 */
declare module '*.css';
