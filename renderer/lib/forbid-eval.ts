import { config } from 'zod/mini';

// zod compiles its schemas with `new Function` unless configured not to, and even its asking whether it may is a violation of
// the content security policy. Schemas ask when they are made: so this comes before every module that has one.
config({ jitless: true });
