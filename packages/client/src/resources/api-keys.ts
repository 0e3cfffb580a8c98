import type * as t from 'io-ts'
import type { CallOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import { ApiKey, type ApiKeyStatus, ApiKeyWithSecret, type KeyReplacement, type NewApiKey } from '../wire/index.ts'

type Query = ListQuery & { readonly status?: t.TypeOf<typeof ApiKeyStatus> }

/** API keys and app tokens, for members. Changes reject with `sign_in_again` 15 minutes after the sign-in. */
export const apiKeysOf = (connection: Connection) => {
  const { ask } = connection
  return {
    list: ({ status, ...query }: Query = {}, options?: CallOptions): Listing<ApiKey> =>
      listing(connection, ['api_keys'], ApiKey, query, options, { status }),
    /** Answers the key itself, this once. */
    make: (body: RequestBody<typeof NewApiKey>, options?: CallOptions): Promise<ApiKeyWithSecret> =>
      ask({ method: 'POST', path: ['api_keys'], body, answer: data(ApiKeyWithSecret) }, options),
    /** Answers the key that takes its place, this once. */
    replace: (
      id: string,
      body: RequestBody<typeof KeyReplacement> = {},
      options?: CallOptions,
    ): Promise<ApiKeyWithSecret> =>
      ask({ method: 'POST', path: ['api_keys', id, 'replace'], body, answer: data(ApiKeyWithSecret) }, options),
    revoke: (id: string, options?: CallOptions): Promise<ApiKey> =>
      ask({ method: 'POST', path: ['api_keys', id, 'revoke'], answer: data(ApiKey) }, options),
  }
}
