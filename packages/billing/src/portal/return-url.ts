import { type Environment, type HttpUrl, isLoopbackHost } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

/** Neither https nor, for tests, a loopback address. */
export type ReturnUrlNotAllowed = { readonly _tag: 'ReturnUrlNotAllowed' }

/** Where customers go back to: nobody on the way may read or change the page, except on the machine of a developer. */
export const allowedReturnUrl = (
  environment: Environment,
  returnUrl: HttpUrl | null,
): E.Either<ReturnUrlNotAllowed, HttpUrl | null> => {
  if (returnUrl === null) return E.right(null)
  const { protocol, hostname } = new URL(returnUrl)
  const isAllowed = protocol === 'https:' || (environment === 'testnet' && isLoopbackHost(hostname))
  return isAllowed ? E.right(returnUrl) : E.left({ _tag: 'ReturnUrlNotAllowed' })
}
