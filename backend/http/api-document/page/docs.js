/* The page at /api/docs: Swagger UI over this server's own document, in the colours that the reader's system has. */

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

/** Calls tried from this page are made as the member who is signed in, so they need the session's token too. */
function addCsrfToken(request) {
  const cookies = new Map(document.cookie.split('; ').map((pair) => pair.split('=', 2)));
  const token = cookies.get('__Host-csrf-token') ?? cookies.get('csrf-token');
  if (token) request.headers['X-CSRF-Token'] = token;
  return request;
}

globalThis.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  requestInterceptor: addCsrfToken,
});
