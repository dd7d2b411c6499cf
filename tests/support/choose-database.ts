/** Set-up file of every server test: TEST_DATABASE_URL names the server that this run's global set-up started. */
import { inject } from 'vitest';

const url = inject('mysqlUrl');
if (url) process.env['TEST_DATABASE_URL'] = url;
