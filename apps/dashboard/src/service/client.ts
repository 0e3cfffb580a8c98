import { createClient } from '@quittance/client'
import { network } from './settings.ts'

/**
 * The public API, asked with the cookie of the session and for the chosen network. The cookie goes to this origin alone, and
 * no script can read it.
 */
export const api = createClient({
  baseUrl: location.origin,
  fetch: (url, init) =>
    fetch(url, {
      ...init,
      credentials: 'same-origin',
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-environment': network.value },
    }),
})
